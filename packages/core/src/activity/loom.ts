import type { ActivityItem } from '../api/projects/activity-api.ts'
import { PAUSE_PX, timeScale, USUAL_PX, type TimeScale } from './time-scale.ts'

/** The end of a thread: woven in, torn, or still on the loom. */
export type ThreadEnd = 'merged' | 'failed' | 'blocked' | 'timeout' | 'cancelled' | 'running'

export type Thread = {
  item: ActivityItem
  end: ThreadEnd
  /** Pixels from the left. */
  from: number
  to: number
  /** The distance from the work branch: 1, 2, … above it, -1, -2, … below. */
  lane: number
}
export type Loom = { scale: TimeScale; threads: Thread[]; above: number; below: number; now: number | null }

/** Sizes of the picture's parts, in pixels. */
export type LoomSize = {
  /** The least distance between threads of one lane. */
  apart: number
  /** The least length of a thread; a shorter one would not be seen to leave and come back. */
  shortest: number
  /** The length of a usual thread, which sets the picture's width; 0: the picture is as wide as there is room. */
  usual: number
  pause: number
}
/** Threads with room for their names. */
export const readable: LoomSize = { apart: 16, shortest: 40, usual: USUAL_PX, pause: PAUSE_PX }
/** A long period in one window. */
export const atAGlance: LoomSize = { apart: 4, shortest: 12, usual: 0, pause: 16 }

const endOf: Record<ActivityItem['state'], ThreadEnd> = {
  QUEUED: 'running',
  RUNNING: 'running',
  COMPLETED: 'merged',
  FAILED: 'failed',
  BLOCKED: 'blocked',
  TIMEOUT: 'timeout',
  CANCELLED: 'cancelled',
}

/**
 * Executions as threads that leave the work branch when they start and come back when their work is merged. The nearest
 * free lane, above and below in turn. The same items give the same picture; a thread keeps its lane while others join.
 * `room`: the picture's least width, in pixels.
 */
export function weave(items: readonly ActivityItem[], now: number, room: number, size = readable): Loom {
  const started = items
    .flatMap((item) =>
      item.startedAt === null || item.kind !== 'work' ? [] : [{ item, from: item.startedAt, to: item.endedAt ?? now }],
    )
    .toSorted((a, b) => a.from - b.from || (a.item.execution < b.item.execution ? -1 : 1))
  const scale = timeScale(started, Math.max(0, room - size.shortest), size.usual, size.pause)
  const ends: number[] = []
  const threads = started.map(({ item, from, to }): Thread => {
    const x = scale.xOf(from)
    const end = Math.max(scale.xOf(to), x + size.shortest)
    const free = ends.findIndex((last) => last + size.apart <= x)
    const index = free < 0 ? ends.length : free
    ends[index] = end
    const lane = index % 2 === 0 ? index / 2 + 1 : -(index + 1) / 2
    return {
      item,
      end: item.state === 'COMPLETED' && !item.isMerged ? 'cancelled' : endOf[item.state],
      from: x,
      to: end,
      lane,
    }
  })
  return {
    scale: { ...scale, width: threads.reduce((most, { to }) => Math.max(most, to), scale.width) },
    threads,
    above: Math.ceil(ends.length / 2),
    below: Math.floor(ends.length / 2),
    now: threads.some(({ end }) => end === 'running') ? scale.xOf(now) : null,
  }
}
