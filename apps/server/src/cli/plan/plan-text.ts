import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import type { PlanSource } from '@beadloom/core/records/plan.ts'
import { treeLines } from '../executions/plan-lines.ts'
import { oneLiner, plainText } from '../terminal/terminal-text.ts'

const makers: Record<PlanSource, string> = { architect: 'an architect', tracker: 'the tracker', person: 'a person' }

/** A plan for people: its purpose, the tree of its phases, and last the possible next steps. */
export function planText(view: PlanView, phases: readonly PhaseView[] = []): string {
  const { bead, version, newest, source, goal, warnings, phased } = view
  const old = version === newest ? '' : ` The newest version is ${newest}.`
  return [
    `Plan of ${bead}, version ${version}, by ${makers[source]}.${old}`,
    plainText(goal).trim(),
    phased ? treeOf(view, phases).join('\n') : 'One session does all of it: the plan has fewer than two subtasks.',
    ...(warnings.length === 0 ? [] : [warnings.map((one) => `! ${oneLiner(one)}`).join('\n')]),
    nextStep(view),
  ].join('\n\n')
}

/** The effect of a wish to wait, or to continue. */
export function waitText({ id, bead, waits, pauseAsked }: ExecutionView): string {
  if (waits?.kind === 'phase' && !waits.continued)
    return `${id} waits after phase ${waits.after}. Let it continue: beadloom plan ${bead} --continue`
  if (pauseAsked) return `${id} will wait for you after the running phase. Undo that: beadloom plan ${bead} --continue`
  return `${id} continues. Follow it: beadloom attach ${id}`
}

/** The tree of phases and subtasks. If an execution works by the plan, each one has its state. */
function treeOf({ phases, subtasks }: PlanView, begun: readonly PhaseView[]): string[] {
  if (begun.length > 0) return treeLines(begun)
  const byId = new Map(subtasks.map((one) => [one.id, one]))
  return treeLines(
    phases.map((ids) => ({
      status: 'pending' as const,
      subtasks: ids.flatMap((id) => byId.get(id) ?? []).map((one) => ({ ...one, status: 'pending' as const })),
    })),
  )
}

function nextStep({ bead, version, newest, approvedAt }: PlanView): string {
  if (approvedAt !== null) return 'Approved.'
  if (version !== newest) return `See the newest one: beadloom plan ${bead}`
  return `Approve it: beadloom plan ${bead} --approve\nChange it: beadloom plan ${bead} --json > plan.json, edit that, then beadloom plan ${bead} --from plan.json`
}
