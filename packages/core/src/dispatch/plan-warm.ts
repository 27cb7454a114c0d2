import type { ProjectId } from '../ids.ts'

/** Bytes. */
export type Memory = { freeBytes: number; totalBytes: number }

export type WarmProject = {
  id: ProjectId
  /** How many it wants to have waiting. */
  warm: number
  /** What its next agent's sandbox will be made of, as one text; null: not known, or one that is never opened ahead. */
  made: string | null
  autopilot: boolean
  paused: boolean
  /** Something keeps it from starting, as an engine that does not answer: it may be over in a moment. */
  held: boolean
  /** When its newest execution was queued, in milliseconds UTC; null: it has had none. */
  lastAt: number | null
  /** After a failure, by the clock that `monotonic` is of; 0: at once. */
  notBefore: number
}

/** A sandbox that waits, or is being opened to wait; `since` is by the clock that `monotonic` is of. */
export type WaitingSandbox = { name: string; project: ProjectId; made: string; since: number; ready: boolean }

export type WarmView = {
  /** Milliseconds UTC. */
  now: number
  /** Milliseconds of a clock that nobody can set. */
  monotonic: number
  /** How many may wait in all. */
  most: number
  memory: Memory
  projects: readonly WarmProject[]
  waiting: readonly WaitingSandbox[]
}

/** `open`: the project for which the next one is opened; one at a time, so that nothing else is slowed down by it. */
export type WarmPlan = { close: string[]; open: ProjectId | null }

const HOUR_MS = 3_600_000
/** A project in which nothing was queued for so long has to ask again before anything waits for it. */
const ACTIVE_MS = 24 * HOUR_MS
/** What waits longer is made anew: its checkout is old, and so is what is in its memory. */
const OLDEST_MS = 4 * HOUR_MS
const GIB = 1024 ** 3

/** Between the two nothing changes, so that what was closed is not opened again in the next moment. */
const isPlenty = ({ freeBytes, totalBytes }: Memory): boolean => freeBytes >= Math.max(2 * GIB, totalBytes / 5)
const isShort = ({ freeBytes, totalBytes }: Memory): boolean => freeBytes < Math.max(GIB, totalBytes / 10)

/** Which sandboxes that wait are of no use any more, and for which project the next one is opened. */
export function planWarm(view: WarmView): WarmPlan {
  const { now, monotonic, memory, waiting } = view
  if (isShort(memory)) return { close: waiting.map(({ name }) => name), open: null }
  const wanting = new Map(view.projects.filter((project) => isActive(project, now)).map((one) => [one.id, one]))
  const kept = keptOf(view, wanting)
  const names = new Set(kept.map(({ name }) => name))
  const close = waiting.flatMap(({ name }) => (names.has(name) ? [] : [name]))
  if (!isPlenty(memory) || kept.length >= view.most || kept.some(({ ready }) => !ready)) return { close, open: null }
  return { close, open: nextOf([...wanting.values()], kept, monotonic) }
}

/** Autopilot starts whatever becomes ready; without it, whoever queued something may do so again. */
const isActive = ({ warm, made, paused, autopilot, lastAt }: WarmProject, now: number): boolean =>
  warm > 0 && made !== null && !paused && (autopilot || (lastAt !== null && now - lastAt < ACTIVE_MS))

function keptOf(
  { monotonic, most, waiting }: WarmView,
  wanting: ReadonlyMap<ProjectId, WarmProject>,
): WaitingSandbox[] {
  const left = new Map([...wanting].map(([id, { warm }]) => [id, warm]))
  const kept = waiting.filter(({ project, made, since }) => {
    const more = left.get(project) ?? 0
    if (more <= 0 || wanting.get(project)?.made !== made || monotonic - since >= OLDEST_MS) return false
    left.set(project, more - 1)
    return true
  })
  return kept.slice(0, most)
}

/** The project that has the fewest, and of these the one that was used last. */
function nextOf(wanting: readonly WarmProject[], kept: readonly WaitingSandbox[], monotonic: number): ProjectId | null {
  const has = ({ id }: WarmProject) => kept.filter(({ project }) => project === id).length
  const open = wanting.filter((one) => !one.held && one.notBefore <= monotonic && has(one) < one.warm)
  const [first] = open.sort((a, b) => has(a) - has(b) || (b.lastAt ?? 0) - (a.lastAt ?? 0))
  return first?.id ?? null
}

/** After so many failures in a row, in milliseconds: half a minute, then twice as long each time, an hour at most. */
export const pauseAfterFailures = (failures: number): number => Math.min(30_000 * 2 ** (failures - 1), HOUR_MS)
