import type { ProjectId } from '../records/ids.ts'

/** Bytes. */
export type Memory = { freeBytes: number; totalBytes: number }

export type WarmProject = {
  id: ProjectId
  /** The number of waiting sandboxes that it wants. */
  warm: number
  /** The description of its next agent's sandbox, as one text; null: not known, or never opened ahead. */
  made: string | null
  autopilot: boolean
  paused: boolean
  /** An obstacle that may be over in a moment, such as an engine that does not answer. */
  held: boolean
  /** When its newest execution was queued, in milliseconds UTC; null: it has had none. */
  lastAt: number | null
  /** The earliest time after a failure, by the clock of `monotonic`; 0: at once. */
  notBefore: number
}

/** A sandbox that waits, or is being opened to wait; `since`: by the clock of `monotonic`. */
export type WaitingSandbox = { name: string; project: ProjectId; made: string; since: number; ready: boolean }

export type WarmView = {
  /** Milliseconds UTC. */
  now: number
  /** Milliseconds of a clock that nobody can set. */
  monotonic: number
  /** The most sandboxes that may wait in all. */
  most: number
  memory: Memory
  projects: readonly WarmProject[]
  waiting: readonly WaitingSandbox[]
}

/** `open`: the project that gets the next sandbox; one at a time, so that it slows nothing else down. */
export type WarmChanges = { close: string[]; open: ProjectId | null }

const HOUR_MS = 3_600_000
/** A project without a queued execution for this long gets no waiting sandbox until it queues one again. */
const ACTIVE_MS = 24 * HOUR_MS
/** A sandbox that waits longer is replaced: its checkout is old, and so are the contents of its memory. */
const OLDEST_MS = 4 * HOUR_MS
const GIB = 1024 ** 3

/** Between `isShort` and `isPlenty` nothing changes, so that a closed sandbox is not opened again at once. */
const isPlenty = ({ freeBytes, totalBytes }: Memory): boolean => freeBytes >= Math.max(2 * GIB, totalBytes / 5)
const isShort = ({ freeBytes, totalBytes }: Memory): boolean => freeBytes < Math.max(GIB, totalBytes / 10)

/** The waiting sandboxes to close, and the project that gets the next one. */
export function warmChanges(view: WarmView): WarmChanges {
  const { now, monotonic, memory, waiting } = view
  if (isShort(memory)) return { close: waiting.map(({ name }) => name), open: null }
  const wanting = new Map(view.projects.filter((project) => isActive(project, now)).map((one) => [one.id, one]))
  const kept = keptOf(view, wanting)
  const names = new Set(kept.map(({ name }) => name))
  const close = waiting.flatMap(({ name }) => (names.has(name) ? [] : [name]))
  if (!isPlenty(memory) || kept.length >= view.most || kept.some(({ ready }) => !ready)) return { close, open: null }
  return { close, open: nextOf([...wanting.values()], kept, monotonic) }
}

/** Autopilot starts every bead that becomes ready; without it, a person who has queued one may queue the next. */
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

/** The project with the fewest waiting sandboxes; among equals, the one that was used last. */
function nextOf(wanting: readonly WarmProject[], kept: readonly WaitingSandbox[], monotonic: number): ProjectId | null {
  const has = ({ id }: WarmProject) => kept.filter(({ project }) => project === id).length
  const open = wanting.filter((one) => !one.held && one.notBefore <= monotonic && has(one) < one.warm)
  const [first] = open.sort((a, b) => has(a) - has(b) || (b.lastAt ?? 0) - (a.lastAt ?? 0))
  return first?.id ?? null
}

/** The pause after this many failures in a row, in milliseconds: half a minute, doubled each time, an hour at most. */
export const pauseAfterFailures = (failures: number): number => Math.min(30_000 * 2 ** (failures - 1), HOUR_MS)
