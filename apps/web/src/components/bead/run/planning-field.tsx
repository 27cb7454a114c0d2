import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import { useId } from 'react'
import { planningChoices, planningHints, planningWords, type PlanningChoice } from './planning-choice.ts'
import css from './run-dialog.module.css'
import form from '../../../ui/form.module.css'

type Props = { choice: PlanningChoice; card: BeadCard; onChange: (choice: PlanningChoice) => void }

/** Whether an architect plans it first, for this run alone. */
export function PlanningField({ choice, card, onChange }: Props) {
  const id = useId()
  const words = planningWords(card)
  return (
    <div className={css['pair']}>
      <div>
        <label htmlFor={id}>Plan</label>
        <select id={id} value={choice} onChange={(event) => onChange(event.target.value as PlanningChoice)}>
          {planningChoices.map((one) => (
            <option key={one} value={one}>
              {words[one]}
            </option>
          ))}
        </select>
      </div>
      {planningHints[choice] !== '' && (
        <p className={form['hint']} role="status">
          {planningHints[choice]}
        </p>
      )}
    </div>
  )
}
