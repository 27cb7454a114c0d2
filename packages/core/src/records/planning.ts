import type { AgentName } from '../agents/agent-names.ts'
import type { Bead } from './bead.ts'
import type { PlanSource } from './plan.ts'
import { isPhased, type Plan } from './plan.ts'

/**
 * When an architect plans a bead before work on it begins. `auto`: epics, features, and beads with the label `plan`.
 */
export const planningWhen = ['auto', 'always', 'never'] as const
export type PlanningWhen = (typeof planningWhen)[number]

/** Whether work waits until a person has approved the plan. */
export const planningApproval = ['never', 'ask'] as const
export type PlanningApproval = (typeof planningApproval)[number]

/** `phase`: after each phase a person decides whether the next one begins. */
export const planningCheckpoints = ['never', 'phase'] as const
export type PlanningCheckpoint = (typeof planningCheckpoints)[number]

/** A bead's choice of both, or a person's for one execution; fields that are left out are the project's. */
export type PlanningChoice = { when?: PlanningWhen | undefined; approve?: PlanningApproval | undefined }

/** Null: the same as the author's. */
export type PlanningSettings = {
  when: PlanningWhen
  approve: PlanningApproval
  agent: AgentName | null
  command: string | null
  model: string | null
  maxParallelSubtasks: number
  checkpoint: PlanningCheckpoint
}

/** Three subtasks at once, as there are three containers. */
export const defaultPlanning: PlanningSettings = {
  when: 'auto',
  approve: 'never',
  agent: null,
  command: null,
  model: null,
  maxParallelSubtasks: 3,
  checkpoint: 'never',
}

/**
 * The default of `when`. A command line as the author answers no questions, so it plans only if it was chosen as the
 * architect.
 */
export function usualWhen(
  author: AgentName,
  given: Partial<Pick<PlanningSettings, 'agent' | 'command'>>,
): PlanningWhen {
  const hasArchitect = (given.agent ?? author) !== 'command' || (given.command ?? null) !== null
  return hasArchitect ? defaultPlanning.when : 'never'
}

/** The label with which a person asks for a plan. */
export const PLAN_LABEL = 'plan'

const plannedTypes: ReadonlySet<string> = new Set(['epic', 'feature'])

type Wanting = Pick<Bead, 'type' | 'labels' | 'baseBranch'>

/** Whether an architect plans such a bead. A bead that continues failed work has its plan in that work. */
function wantsPlan({ type, labels, baseBranch }: Wanting, when: PlanningWhen): boolean {
  if (when === 'always') return true
  return when === 'auto' && baseBranch === undefined && (plannedTypes.has(type) || labels.includes(PLAN_LABEL))
}

/** The newest version of a bead's plan, and who made it. */
export type KnownPlan = {
  version: number
  plan: Pick<Plan, 'subtasks'>
  approvedAt: number | null
  source?: PlanSource
}

/**
 * Whether work by this plan goes phase by phase. An epic's children always do, in any number: each is closed when it is
 * done.
 */
export const isDoneInPhases = ({
  plan,
  source,
}: Pick<KnownPlan, 'source'> & { plan: { subtasks: { length: number } } }): boolean =>
  source === 'tracker' ? plan.subtasks.length > 0 : isPhased(plan)

/** The value of `when` that counts; it also decides whether an epic's children are a plan. */
export const whenOf = (
  settings: Pick<PlanningSettings, 'when'>,
  own: PlanningChoice = {},
  chosen: PlanningChoice = {},
) => chosen.when ?? own.when ?? settings.when

export type NextForBead =
  /** An architect plans it first. */
  | { do: 'plan' }
  /** Work by this version of its plan, phase by phase; null: one session does it. */
  | { do: 'work'; version: number | null }
  /** A person approves this version first. */
  | { do: 'wait'; version: number }

/**
 * The next step when a bead is run. An existing plan is used, no matter who made it, unless this execution is to have
 * none; work for one session needs no approval.
 *
 * @param own the bead's choice; `chosen`: a person's choice for this execution
 */
export function nextForBead(
  bead: Wanting,
  settings: Pick<PlanningSettings, 'when' | 'approve'>,
  plan: KnownPlan | null,
  own: PlanningChoice = {},
  chosen: PlanningChoice = {},
): NextForBead {
  if (chosen.when === 'never') return { do: 'work', version: null }
  if (plan === null)
    return wantsPlan(bead, whenOf(settings, own, chosen)) ? { do: 'plan' } : { do: 'work', version: null }
  if (!isDoneInPhases(plan)) return { do: 'work', version: null }
  const ask = (chosen.approve ?? own.approve ?? settings.approve) === 'ask'
  return ask && plan.approvedAt === null ? { do: 'wait', version: plan.version } : { do: 'work', version: plan.version }
}
