import { isPhased } from '@beadloom/core/records/plan.ts'
import { planWarnings, subtasksByPhase } from '@beadloom/core/plan/plan-warnings.ts'
import { typesOf } from '@beadloom/core/plan/plan-tree.ts'
import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import { planOf, type PlanDraft } from './plan-draft.ts'
import css from './plan-editor.module.css'
import tones from '../../../../components/bead/tones.module.css'
import { counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../../../ui/text/hostile-text.ts'

/** The outcome of a draft: all of its problems, and the phases that follow from the dependencies. */
export function DraftChecks({ draft, problems }: { draft: PlanDraft; problems: readonly string[] }) {
  const plan = planOf(draft)
  const phases = subtasksByPhase(plan)
  const warnings = problems.length === 0 ? planWarnings(plan) : []
  return (
    // It scrolls separately beside a long form, so the keyboard must reach it.
    <aside className={css['checks']} aria-label="Problems and phases" tabIndex={0}>
      <section className={problems.length > 0 ? tones['failed'] : tones['completed']}>
        <h3>
          {problems.length > 0 ? (
            <CircleX size={16} strokeWidth={1.75} aria-hidden />
          ) : (
            <CircleCheck size={16} strokeWidth={1.75} aria-hidden />
          )}
          {problems.length === 0 ? 'No problems' : counted(problems.length, 'problem')}
        </h3>
        {/* Screen readers hear each change after the typing. */}
        <p className="visually-hidden" role="status">
          {problems.length === 0 ? 'The plan has no problems.' : `The plan has ${counted(problems.length, 'problem')}.`}
        </p>
        <ul className={css['problems']}>
          {problems.map((one) => (
            <li key={one}>{shown(one)}</li>
          ))}
        </ul>
      </section>
      {warnings.length > 0 && (
        <section className={tones['blocked']}>
          <h3>
            <TriangleAlert size={16} strokeWidth={1.75} aria-hidden />
            Good to know
          </h3>
          <ul className={css['problems']}>
            {warnings.map((one) => (
              <li key={one}>{shown(one)}</li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h3>{counted(phases.length, 'phase')}</h3>
        {isPhased(plan) ? (
          <ol className={css['phases']}>
            {phases.map((subtasks, at) => (
              <li key={at}>
                <p>
                  Phase {at + 1} <span className={css['muted']}>{typesOf(subtasks)}</span>
                </p>
                <ul>
                  {subtasks.map(({ id, title }, place) => (
                    <li key={place}>
                      <code>{shown(id)}</code> {shown(title)}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ol>
        ) : (
          <p className={css['muted']}>
            With fewer than two subtasks, one session does the whole bead, as if there were no plan.
          </p>
        )}
      </section>
    </aside>
  )
}
