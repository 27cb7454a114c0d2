import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import { describeProblems, readPlan } from '@beadloom/core/plan/read-plan.ts'
import { useQueryClient } from '@tanstack/react-query'
import { CircleX, Plus } from 'lucide-react'
import { useEffect, useState } from 'react'
import { draftFor, dropDraft, keepDraft } from './draft-memory.ts'
import { DraftChecks } from './draft-checks.tsx'
import {
  added,
  changed,
  draftOf,
  isChanged,
  mostSubtasks,
  moved,
  planOf,
  removed,
  type PlanDraft,
} from './plan-draft.ts'
import css from './plan-editor.module.css'
import { SubtaskFields } from './subtask-fields.tsx'
import { ApiFailure } from '../../../../api/client.ts'
import { getPlan, putPlan } from '../../../../api/plans.ts'
import tones from '../../../../components/bead/tones.module.css'
import { Button } from '../../../../ui/button.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import form from '../../../../ui/form.module.css'
import { shown } from '../../../../ui/text/hostile-text.ts'
import { toast } from '../../../../ui/toast.tsx'
import { useSending } from '../../../../ui/use-sending.ts'
import { getRouteApi } from '@tanstack/react-router'

const route = getRouteApi('/p/$project/b/$bead')

/**
 * A version of a plan as a form. It names all problems while a person types, in the server's words: the code is the
 * same.
 */
export function PlanEditor({ bead, plan, onClose }: { bead: BeadView; plan: PlanView; onClose: () => void }) {
  const [draft, setDraft] = useState<PlanDraft>(() => draftFor(bead) ?? draftOf(plan))
  const { busy, problem: refusal, setProblem: setRefusal, send } = useSending()
  /** The version that somebody else has saved in the meantime, discovered by a refused save. */
  const [found, setFound] = useState(0)
  /** Subtasks whose fields are open. */
  const [open, setOpen] = useState<ReadonlySet<number>>(() => new Set())
  const queries = useQueryClient()
  const navigate = route.useNavigate()

  const read = readPlan(planOf(draft))
  const problems = 'problems' in read ? read.problems : []
  const newest = Math.max(found, bead.plan?.version ?? 0)
  const dirty = isChanged(draft)

  useEffect(() => {
    if (dirty) keepDraft(bead, draft)
    else dropDraft(bead)
    // oxlint-disable-next-line react/exhaustive-deps -- the bead is another object with each frame of the feed
  }, [dirty, draft, bead.project, bead.id])
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty])

  const change = (next: PlanDraft) => {
    setDraft(next)
    setRefusal(null)
  }
  const close = () => {
    dropDraft(bead)
    onClose()
  }
  const done = (saved: PlanView) => {
    // The feed may report it only after this.
    for (const head of [bead.plan, { version: saved.version, approved: saved.approvedAt !== null }])
      queries.setQueryData(
        ['plan', bead.project, bead.id, saved.version, head?.version ?? 0, head?.approved ?? false],
        saved,
      )
    toast(`Saved as version ${saved.version}`)
    void navigate({ search: (old) => ({ ...old, plan: saved.version, item: undefined }), replace: true })
    close()
  }
  const save = async () => {
    if (!('plan' in read)) return
    try {
      done(await putPlan(bead.project, bead.id, read.plan, draft.onto))
    } catch (error) {
      if (!(error instanceof ApiFailure && error.status === 409)) throw error
      // If the answer to a first try was lost, there is no conflict: then the newest version is this very plan.
      const other = await getPlan(bead.project, bead.id, undefined).catch(() => null)
      const same = other && JSON.stringify(planOf(draftOf(other))) === JSON.stringify(read.plan)
      if (same) return done(other)
      setFound(other?.version ?? draft.onto + 1)
    }
  }
  const takeTheirs = async () => {
    const other = await getPlan(bead.project, bead.id, undefined)
    void navigate({ search: (old) => ({ ...old, plan: other.version }), replace: true })
    change(draftOf(other))
  }

  return (
    <form
      className={css['editor']}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send(save)
      }}
    >
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
          <Button
            look="primary"
            type="submit"
            busy={busy}
            blockedBy={
              problems.length > 0
                ? describeProblems(problems.slice(0, 1)).replace(/^The plan has a problem: /, '')
                : newest > draft.onto
                  ? `version ${newest} was saved meanwhile: choose below what to do with yours`
                  : dirty
                    ? null
                    : 'nothing is changed'
            }
          >
            Save
          </Button>
        </div>
      </header>
      {newest > draft.onto && (
        <div className={css['conflict']} role="alert">
          <p>
            Somebody saved version {newest} while you edited version {draft.onto}. Nothing of yours is lost: save it on
            top of theirs, which keeps both as versions, or take theirs and lose what you typed.
          </p>
          <Button onClick={() => change({ ...draft, onto: newest })}>Keep mine</Button>
          <Button look="danger" onClick={() => void send(takeTheirs)}>
            Take version {newest}
          </Button>
        </div>
      )}
      {refusal !== null && (
        <p className={form['error']} role="alert">
          {shown(refusal)}
        </p>
      )}
      <div className={css['halves']}>
        <div className={`${form['form']} ${css['fields']}`}>
          <label>
            Goal
            <textarea
              rows={2}
              value={draft.goal}
              onChange={(event) => change({ ...draft, goal: event.target.value })}
            />
          </label>
          <section className={css['subtasks']} aria-labelledby="draft-subtasks">
            <h3 id="draft-subtasks">Subtasks</h3>
            {draft.subtasks.map((one, at) => (
              <SubtaskFields
                key={one.key}
                draft={one}
                at={at}
                all={draft.subtasks}
                problems={problems}
                open={open.has(one.key)}
                onOpen={(yes) =>
                  setOpen((old) =>
                    yes ? new Set(old).add(one.key) : new Set([...old].filter((key) => key !== one.key)),
                  )
                }
                onChange={(some) => change(changed(draft, one.key, some))}
                onMove={(by) => change(moved(draft, one.key, by))}
                onRemove={() => change(removed(draft, one.key))}
              />
            ))}
            <Button
              className={css['add']}
              blockedBy={draft.subtasks.length >= mostSubtasks ? `a plan has at most ${mostSubtasks} subtasks` : null}
              icon={<Plus size={16} strokeWidth={1.5} aria-hidden />}
              onClick={() => {
                const next = added(draft)
                change(next)
                setOpen((old) => new Set(old).add(next.subtasks.at(-1)?.key ?? 0))
              }}
            >
              Add a subtask
            </Button>
          </section>
          <label>
            The plan as a document (Markdown)
            <textarea
              rows={14}
              className={css['code']}
              value={draft.planMarkdown}
              onChange={(event) => change({ ...draft, planMarkdown: event.target.value })}
            />
          </label>
        </div>
        <DraftChecks draft={draft} problems={problems} />
      </div>
    </form>
  )
}
