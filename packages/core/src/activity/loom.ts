import type { ActivityItem } from '../api/activity-api.ts'
import { timeScale, type TimeScale } from './time-scale.ts'

/** How a thread ends: woven in, torn, or still on the loom. */
export type ThreadEnd = 'merged' | 'failed' | 'blocked' | 'timeout' | 'cancelled' | 'running'

export type Thread = {
  item: ActivityItem
  end: ThreadEnd
  /** Pixels from the left. */
  from: number
  to: number
  /** How far from the work branch: 1, 2, … above it, -1, -2, … below. */
  lane: number
}
export type Loom = { scale: TimeScale; threads: Thread[]; above: number; below: number; now: number | null }

/** Threads of one lane keep as far from each other. */
const APART_PX = 10
/** A thread is at least as long, or nobody sees it leave and come back. */
export const SHORTEST_PX = 28

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
 */
export function weave(items: readonly ActivityItem[], now: number, least: number): Loom {
  const started = items
    .flatMap((item) =>
      item.startedAt === null || item.kind !== 'work' ? [] : [{ item, from: item.startedAt, to: item.endedAt ?? now }],
    )
    .toSorted((a, b) => a.from - b.from || (a.item.execution < b.item.execution ? -1 : 1))
  const scale = timeScale(started, least)
  const ends: number[] = []
  const threads = started.map(({ item, from, to }): Thread => {
    const x = scale.xOf(from)
    const end = Math.max(scale.xOf(to), x + SHORTEST_PX)
    const free = ends.findIndex((last) => last + APART_PX <= x)
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
