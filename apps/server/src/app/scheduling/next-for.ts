import type { Bead, ListedBead } from '@beadloom/core/records/bead.ts'
import { epicPlan } from '@beadloom/core/plan/epic-plan.ts'
import { nextForBead, whenOf, type NextForBead, type PlanningChoice } from '@beadloom/core/records/planning.ts'
import type { Plan } from '@beadloom/core/records/plan.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import type { PlanRow } from '../../ports/store/plans.ts'
import { planningOf } from './as-kind.ts'

type About = {
  settings: ProjectSettings | null
  /** The newest version of its plan. */
  newest: PlanRow | null
  /** All beads of its project; asked for epics alone. */
  beads: () => readonly ListedBead[]
  inFull: (bead: ListedBead) => Bead
  /** A person's choice for this execution. */
  chosen?: PlanningChoice | undefined
}

/** `add`: its children are a plan that has to be stored first; then this is asked again. */
export type Next = { next: NextForBead } | { add: Plan } | { problems: string[] }

/** The next run of a bead: an epic is done by the plan of its children, unless somebody has given it another one. */
export function nextFor(bead: Bead, { settings, newest, beads, inFull, chosen }: About): Next {
  const planning = planningOf(settings)
  const { agent, planning: ownPlanning } = settings?.beads[bead.id] ?? {}
  // A person who gives a bead its own command wants that command to do it.
  const own = agent === 'command' ? { when: 'never' as const, ...ownPlanning } : ownPlanning
  const by = (plan: PlanRow | null): Next => ({ next: nextForBead(bead, planning, plan, own, chosen) })
  const isOthers = newest !== null && newest.source !== 'tracker'
  if (bead.type !== 'epic' || isOthers || whenOf(planning, own, chosen) === 'never') return by(newest)
  const found = epicPlan(bead, beads(), newest?.plan ?? null, inFull)
  switch (found.is) {
    case 'none':
      return by(null)
    case 'done':
      return { next: { do: 'work', version: null } }
    case 'known':
      return by(newest)
    case 'new':
      return { add: found.plan }
    case 'wrong':
      return { problems: found.problems }
  }
}

/** All beads of a project, for `nextFor`. */
export const beadsFor = (
  store: Pick<Store, 'bead' | 'beads'>,
  project: ProjectId,
): Pick<About, 'beads' | 'inFull'> => ({
  beads: () => store.beads(project),
  inFull: (listed) => store.bead(project, listed.id) ?? { ...listed, description: '' },
})
