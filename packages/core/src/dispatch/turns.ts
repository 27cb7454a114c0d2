import type { ProjectId } from '../records/ids.ts'

/** A project's part of an engine's starts. `active`: at the last look it had a slot or could use one. */
export type Turn = { turns: number; active: boolean }
export type Turns = ReadonlyMap<ProjectId, Turn>

/**
 * A project that was inactive saves up no turns: it returns with the fewest turns of the active projects, or with its
 * own, if those are more. If no project was active, all begin anew.
 *
 * @param active the active projects of one engine
 */
export function lookAgain(former: Turns, active: readonly ProjectId[]): Map<ProjectId, Turn> {
  let base = Infinity
  for (const turn of former.values()) if (turn.active) base = Math.min(base, turn.turns)
  const next = new Map<ProjectId, Turn>()
  for (const [id, { turns }] of former) if (turns > base) next.set(id, { turns, active: false })
  for (const id of active) {
    const turn = base === Infinity ? undefined : former.get(id)
    const least = base === Infinity ? 0 : base
    next.set(id, { turns: turn?.active ? turn.turns : Math.max(turn?.turns ?? 0, least), active: true })
  }
  return next
}

/** Counts a start of one of its executions. */
export function countStart(former: Turns, project: ProjectId, weight: number): Map<ProjectId, Turn> {
  const { turns, active } = former.get(project) ?? { turns: 0, active: true }
  return new Map(former).set(project, { turns: turns + 1 / weight, active })
}
