import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'

/**
 * `first`: an architect plans the bead, even if it has a plan; `ask`: a person then approves the plan; `none`: one
 * session does it all.
 */
export const planningChoices = ['usual', 'first', 'ask', 'none'] as const
export type PlanningChoice = (typeof planningChoices)[number]

type Wish = Pick<QueueExecution, 'kind' | 'planning'>

/** The request for a choice. */
export function planningWish(choice: PlanningChoice, { plan }: Pick<BeadCard, 'plan'>): Wish {
  // With `planning` alone, an existing plan would be used.
  const first: Wish = plan === undefined ? { planning: { when: 'always' } } : { kind: 'plan' }
  switch (choice) {
    case 'usual':
      return {}
    case 'first':
      return { ...first, planning: { ...first.planning, approve: 'never' } }
    case 'ask':
      return { ...first, planning: { ...first.planning, approve: 'ask' } }
    case 'none':
      return { planning: { when: 'never' } }
  }
}

export function planningWords({ plan }: Pick<BeadCard, 'plan'>): Record<PlanningChoice, string> {
  const again = plan === undefined ? 'Plan first' : 'Plan it again'
  return {
    usual: plan?.phased === true ? `Follow its plan, version ${plan.version}` : 'Project default',
    first: `${again}, then work`,
    ask: `${again}, then wait for my approval`,
    none: 'No plan: one session',
  }
}

/** The effect of each choice, shown below its field. */
export const planningHints: Record<PlanningChoice, string> = {
  usual: '',
  first: 'An architect reads the work branch and splits the bead into subtasks. The work then starts by itself.',
  ask: 'An architect reads the work branch and splits the bead into subtasks. You approve or edit the plan before anything runs.',
  none: 'One agent does the whole bead, and any plan is ignored.',
}
