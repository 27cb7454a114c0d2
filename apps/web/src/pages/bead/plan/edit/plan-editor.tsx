import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { describeProblems } from '@beadloom/core/plan/read-plan.ts'
import { CircleX } from 'lucide-react'
import { DraftChecks } from './draft-checks.tsx'
import { DraftFields } from './draft-fields.tsx'
import css from './plan-editor.module.css'
import { useEditedPlan, type EditedPlan } from './use-edited-plan.ts'
import tones from '../../../../components/bead/tones.module.css'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import { FormProblem } from '../../../../ui/form-problem.tsx'

/** A version of a plan as a form. It names all problems while a person types. */
export function PlanEditor({ bead, plan, onClose }: { bead: BeadView; plan: PlanView; onClose: () => void }) {
  const edited = useEditedPlan(bead, plan, onClose)
  const { draft, change, problems, dirty, newest, refusal, save } = edited
  return (
    <form
      className={css['editor']}
      // Its draft is kept, but the browser would ask before it reloads.
      data-unsaved={dirty || undefined}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
    >
      <Head edited={edited} />
      {newest > draft.onto && <Conflict edited={edited} />}
      <FormProblem text={refusal} />
      <div className={css['halves']}>
        <DraftFields draft={draft} problems={problems} onChange={change} />
        <DraftChecks draft={draft} problems={problems} />
      </div>
    </form>
  )
}

function Head({ edited }: { edited: EditedPlan }) {
  const { draft, problems, dirty, newest, busy, close } = edited
  return (
    <header className={css['head']}>
      <h2>
        Edit the plan{' '}
        <span className={css['muted']}>
          from version {draft.onto}, saved as version {newest + 1}
        </span>
      </h2>
      <div className={css['actions']}>
        {problems.length > 0 && (
          <span className={`${css['count']} ${tones['failed']}`}>
            <CircleX size={16} strokeWidth={1.75} aria-hidden />
            {counted(problems.length, 'problem')}
          </span>
        )}
        <Button onClick={close}>{dirty ? 'Discard' : 'Close'}</Button>
        <Button look="primary" type="submit" busy={busy} blockedBy={whyNotSaved(edited)}>
          Save
        </Button>
      </div>
    </header>
  )
}

function whyNotSaved({ draft, problems, dirty, newest }: EditedPlan): string | null {
  if (problems.length > 0) return describeProblems(problems.slice(0, 1)).replace(/^The plan has a problem: /, '')
  if (newest > draft.onto) return `version ${newest} was saved meanwhile: choose below what to do with yours`
  return dirty ? null : 'nothing is changed'
}

const Conflict = ({ edited: { draft, newest, change, takeTheirs } }: { edited: EditedPlan }) => (
  <div className={css['conflict']} role="alert">
    <p>
      Somebody saved version {newest} while you edited version {draft.onto}. Nothing of yours is lost: save it on top of
      theirs, which keeps both as versions, or take theirs and lose what you typed.
    </p>
    <Button onClick={() => change({ ...draft, onto: newest })}>Keep mine</Button>
    <Button look="danger" onClick={takeTheirs}>
      Take version {newest}
    </Button>
  </div>
)
