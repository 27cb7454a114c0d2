import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import type { PlanSource } from '@beadloom/core/records/plan.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { getRouteApi } from '@tanstack/react-router'
import { Check, CircleHelp, Pencil } from 'lucide-react'
import css from './plan-bar.module.css'
import { approvePlan } from '../../../api/plans.ts'
import tones from '../../../components/bead/tones.module.css'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { counted } from '@beadloom/core/text/count-text.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { exactText, sinceText } from '../../../ui/text/time-text.ts'
import { toast, toastError } from '../../../ui/toast.tsx'
import { useSending } from '../../../ui/use-sending.ts'

const route = getRouteApi('/p/$project/b/$bead')

export const sourceWords: Record<PlanSource, string> = {
  architect: 'by an architect',
  tracker: 'from the tracker',
  person: 'by a person',
}

type Props = {
  bead: BeadView
  plan: PlanView
  /** Work by this version. */
  execution: ExecutionView | null
  /** The newest work by any version. */
  last: ExecutionView | null
  planning: ExecutionView | null
  onEdit: () => void
}

/** The plan's goal, its origin, and its buttons. */
export function PlanBar({ bead, plan, execution, last, planning, onEdit }: Props) {
  const now = useServerNow()
  const waits = bead.reason?.code === 'plan_waits' && plan.version === plan.newest && plan.approvedAt === null
  const facts = [
    sourceWords[plan.source],
    plan.phased ? counted(plan.phases.length, 'phase') : 'one session',
    ...(plan.phased ? [counted(plan.subtasks.length, 'subtask')] : []),
    ...(plan.approvedAt === null ? [] : [`approved ${sinceText(now - plan.approvedAt)}`]),
    ...(execution?.planVersion === plan.version ? [] : planningWords(planning)),
  ]
  return (
    <header className={css['bar']}>
      <div className={css['what']}>
        <p className={css['goal']}>{shown(plan.goal)}</p>
        <p className={css['facts']}>
          <Versions plan={plan} />
          <span title={exactText(plan.madeAt)}>{sinceText(now - plan.madeAt)}</span>
          {facts.map((one) => (
            <span key={one}>{one}</span>
          ))}
        </p>
      </div>
      <div className={css['actions']}>
        <Button needs="runner" onClick={onEdit} icon={<Pencil size={16} strokeWidth={1.5} aria-hidden />}>
          Edit
        </Button>
        {!waits && mayApprove(plan, execution) && <Approve bead={bead} plan={plan} look="plain" />}
      </div>
      {waits && (
        <div className={`${css['waits']} ${tones['blocked']}`} role="note">
          <CircleHelp size={16} strokeWidth={1.75} aria-hidden />
          <p>This plan waits for your approval. Nothing runs until then, and you can edit it first.</p>
          <Approve bead={bead} plan={plan} look="primary" />
        </div>
      )}
      <OtherVersion plan={plan} execution={execution} last={last} />
    </header>
  )
}

const planningWords = (planning: ExecutionView | null): string[] =>
  planning !== null && !isTerminal(planning.state) ? ['an architect makes a new one'] : []

/** A plan is approved before work starts, and only the newest version is used. */
const mayApprove = (plan: PlanView, execution: ExecutionView | null): boolean =>
  plan.phased && plan.approvedAt === null && plan.version === plan.newest && execution === null

function Approve({ bead, plan, look }: { bead: BeadView; plan: PlanView; look: 'primary' | 'plain' }) {
  const { busy, send } = useSending(toastError)
  const press = () =>
    send(async () => {
      await approvePlan(bead.project, bead.id, plan.version)
      toast(`Version ${plan.version} of the plan of ${bead.id} is approved`)
    })
  return (
    <Button
      needs="runner"
      look={look}
      busy={busy}
      onClick={() => void press()}
      icon={<Check size={16} strokeWidth={1.75} aria-hidden />}
    >
      Approve
    </Button>
  )
}

/** Versions never change, so older ones stay readable. */
function Versions({ plan: { version, newest } }: { plan: PlanView }) {
  const navigate = route.useNavigate()
  if (newest === 1) return <span>version 1</span>
  const known = Array.from({ length: Math.min(newest, MOST_LISTED) }, (_, at) => newest - at)
  return (
    <select
      aria-label="Version of the plan"
      value={version}
      onChange={(event) =>
        void navigate({
          search: (old) => ({ ...old, plan: Number(event.target.value), item: undefined }),
          replace: true,
        })
      }
    >
      {(known.includes(version) ? known : [...known, version]).map((one) => (
        <option key={one} value={one}>
          version {one}
          {one === newest ? ' (newest)' : ''}
        </option>
      ))}
    </select>
  )
}

/** The server keeps as many unused versions. */
const MOST_LISTED = 50

type Versioned = { plan: PlanView; execution: ExecutionView | null; last: ExecutionView | null }

/** A note that the version shown is not the one in use, or not the one that runs next. */
function OtherVersion({ plan: { version, newest }, execution, last }: Versioned) {
  const navigate = route.useNavigate()
  const worked = last?.planVersion
  const other = version !== newest ? newest : execution === null ? worked : undefined
  if (other === undefined) return null
  const isLive = execution !== null && !isTerminal(execution.state)
  const says =
    version === newest
      ? `Nothing has run with this version yet. The last execution used version ${other}.`
      : isLive
        ? `This execution uses version ${version}. Version ${newest} applies from the next one on.`
        : `Version ${newest} is the one in use.`
  return (
    <p className={css['old']}>
      {says}{' '}
      <button
        type="button"
        className={css['link']}
        onClick={() => void navigate({ search: (old) => ({ ...old, plan: other, item: undefined }), replace: true })}
      >
        Show version {other}
      </button>
    </p>
  )
}
