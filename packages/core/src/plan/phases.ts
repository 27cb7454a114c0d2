import type { Subtask } from '../records/plan.ts'

type Depending = { id: Subtask['id']; dependsOn: readonly string[] }

/**
 * The phases of subtasks, as topological levels: a subtask is in the first phase after all its dependencies. Ids of
 * each phase are in the order of the plan. Subtasks that are part of a circle, or come after one, are in no phase;
 * dependencies outside of the plan count as done.
 */
export function phasesOf(subtasks: readonly Depending[]): string[][] {
  const ids = new Set(subtasks.map(({ id }) => id))
  const dependents = new Map<string, string[]>()
  const open = new Map<string, number>()
  for (const { id, dependsOn } of subtasks) {
    const known = [...new Set(dependsOn)].filter((one) => ids.has(one))
    open.set(id, known.length)
    for (const one of known) dependents.set(one, [...(dependents.get(one) ?? []), id])
  }
  const place = new Map(subtasks.map(({ id }, at) => [id, at]))
  const phases: string[][] = []
  let level = [...open].filter(([, count]) => count === 0).map(([id]) => id)
  while (level.length > 0) {
    phases.push(level)
    const next: string[] = []
    for (const id of level)
      for (const one of dependents.get(id) ?? []) {
        const left = (open.get(one) ?? 0) - 1
        open.set(one, left)
        if (left === 0) next.push(one)
      }
    level = next.sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0))
  }
  return phases
}

/** One circle for each group of subtasks that depend on each other, as the ids along it, the first one again at its end. */
export function circlesIn(subtasks: readonly Depending[]): string[][] {
  const placed = new Set(phasesOf(subtasks).flat())
  const left = new Map(subtasks.filter(({ id }) => !placed.has(id)).map((one) => [one.id, one.dependsOn]))
  const seen = new Set<string>()
  const circles: string[][] = []
  for (const start of left.keys()) {
    // Each of these depends on another one of these, so the path ends in a circle, or meets an earlier path.
    const way: string[] = []
    let at: string | undefined = start
    while (at !== undefined && !seen.has(at)) {
      seen.add(at)
      way.push(at)
      at = left.get(at)?.find((id) => left.has(id))
    }
    const begin = at === undefined ? -1 : way.indexOf(at)
    if (at !== undefined && begin >= 0) circles.push([...way.slice(begin), at])
  }
  return circles
}

/** All dependencies of a subtask, direct or through others; it includes itself only if it is part of a circle. */
export function dependenciesOf(id: string, subtasks: ReadonlyMap<string, Depending>): Set<string> {
  const found = new Set<string>()
  const open = [...(subtasks.get(id)?.dependsOn ?? [])]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue
    found.add(next)
    open.push(...(subtasks.get(next)?.dependsOn ?? []))
  }
  return found
}
