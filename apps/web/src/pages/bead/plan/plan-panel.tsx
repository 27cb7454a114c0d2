import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hasDraft } from './edit/draft-memory.ts'
import { PlanBody } from './plan-body.tsx'
import { usePlan } from './use-plan.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { Loading } from '../../../ui/loading.tsx'
import { PanelMessage } from '../../../ui/panel-message.tsx'
import { LoadFailure } from '../../../ui/load-failure.tsx'

// Loaded later: most people only read plans, and the editor brings the code that checks a draft while it is typed.
const { Part: PlanEditor } = lazyPart(async () => (await import('./edit/plan-editor.tsx')).PlanEditor)

const route = getRouteApi('/p/$project/b/$bead')

type Props = {
  bead: BeadView
  /** Executions of the kind work, newest first. */
  executions: ExecutionView[]
  /** Executions of the kind plan, newest first. */
  plannings: ExecutionView[]
  /** The reason why it cannot run now. */
  refusal: string | null
}

/** The plan of a bead: its progress, its text, and a form that changes it. */
export function PlanPanel({ bead, executions, plannings, refusal }: Props) {
  const { plan: wanted } = route.useSearch()
  const live = usePlan(bead, executions, wanted)
  // A draft left for another tab is still there.
  const [editing, setEditing] = useState(() => hasDraft(bead))
  if (live.is === 'loading') return <Loading what="the plan" />
  if (live.is === 'none') return <NoPlan bead={bead} planning={plannings[0] ?? null} />
  if (live.is === 'error') return <LoadFailure what="The plan" error={live.error} onRetry={live.retry} />
  if (editing) return <PlanEditor bead={bead} plan={live.plan} onClose={() => setEditing(false)} />
  const last = executions.find(({ planVersion }) => planVersion !== undefined) ?? null
  return (
    <PlanBody
      bead={bead}
      live={live}
      last={last}
      planning={plannings[0] ?? null}
      refusal={refusal}
      onEdit={() => setEditing(true)}
    />
  )
}

/** The reason why there is no plan yet: an architect is at work on it, or failed. */
function NoPlan({ bead, planning }: { bead: BeadView; planning: ExecutionView | null }) {
  const session = planning?.sessions.findLast(({ kind }) => kind === 'work')
  const log = session && (
    <p>
      <Link
        to="/p/$project/b/$bead"
        params={{ project: bead.project, bead: bead.id }}
        search={{ tab: 'output', session: session.id }}
      >
        Show its log
      </Link>
    </p>
  )
  if (planning === null)
    return (
      <PanelMessage title="No plan yet">
        <p>Run with options and choose “Plan first”: an architect splits the bead into subtasks.</p>
      </PanelMessage>
    )
  if (isTerminal(planning.state))
    return (
      <PanelMessage title="Planning ended without a plan">
        <p>{shown(planning.detail)}</p>
        {log}
      </PanelMessage>
    )
  return (
    <PanelMessage
      title={planning.state === 'QUEUED' ? 'Waiting for an architect' : 'An architect is planning'}
      role="status"
    >
      <p>
        {shown(
          planning.activity ?? 'It reads the work branch and changes nothing. The plan appears here when it is done.',
        )}
      </p>
      {log}
    </PanelMessage>
  )
}
