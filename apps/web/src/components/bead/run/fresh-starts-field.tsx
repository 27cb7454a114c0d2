import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { useId } from 'react'
import { freshStartChoices, freshStartWords, type FreshStartChoice } from './fresh-starts-choice.ts'
import css from './run-dialog.module.css'
import form from '../../../ui/form.module.css'

type Props = {
  choice: FreshStartChoice
  project: ProjectView | undefined
  onChange: (choice: FreshStartChoice) => void
}

/** Whether a built-in agent that has failed begins again, for this run alone. */
export function FreshStartsField({ choice, project, onChange }: Props) {
  const id = useId()
  return (
    <div className={css['pair']}>
      <div>
        <label htmlFor={id}>Fresh starts</label>
        <select
          id={id}
          aria-describedby={`${id}-note`}
          value={choice}
          onChange={(event) => onChange(event.target.value as FreshStartChoice)}
        >
          {freshStartChoices.map((one) => (
            <option key={one} value={one}>
              {freshStartWords(one, project)}
            </option>
          ))}
        </select>
      </div>
      <p id={`${id}-note`} className={form['hint']}>
        When the built-in agent runs out of steps or its checks fail, it begins again in the same session and is told
        why. Each fresh start uses more tokens.
      </p>
    </div>
  )
}
