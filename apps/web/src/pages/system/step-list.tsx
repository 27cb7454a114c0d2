import { CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './system-page.module.css'
import { shown } from '../../ui/text/hostile-text.ts'
import page from '../../ui/facts-page.module.css'

export type Step = { id: string; title: string; text: string; done: boolean | null; children?: ReactNode }

/** Steps with their states: a glyph, a word and a sentence each. */
export function StepList({ steps, label }: { steps: readonly Step[]; label: string }) {
  return (
    <ul className={css['steps']} aria-label={label}>
      {steps.map(({ id, title, text, done, children }) => {
        const [Icon, word, tone] =
          done === null
            ? ([CircleDashed, 'to do', css['todo']] as const)
            : done
              ? ([CircleCheck, 'ok', css['ok']] as const)
              : ([CircleX, 'not ok', css['bad']] as const)
        return (
          <li key={id} className={css['step']}>
            <span className={tone}>
              <Icon size={18} strokeWidth={1.5} aria-hidden />
              <span className="visually-hidden">{word}: </span>
            </span>
            <div>
              <p className={css['name']}>{title}</p>
              <p className={page['muted']}>{shown(text)}</p>
              {children}
            </div>
          </li>
        )
      })}
    </ul>
  )
}
