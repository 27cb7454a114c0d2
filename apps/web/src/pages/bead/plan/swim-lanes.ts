import type { ExecutionView } from '@beadloom/core/api/api.ts'
import type { PhaseView } from '@beadloom/core/api/phase-api.ts'
import { sessionsOf, type KnownSessions, type PhaseSession } from './plan-phases.ts'

/** Milliseconds UTC. `superseded`: of an attempt at its phase that was done again. */
export type LaneBar = { from: number; to: number; item: PhaseSession; superseded: boolean }
/** `id` '' for the lane of checks, mending and reviews. */
export type SwimLane = { id: string; title: string; bars: LaneBar[] }
export type LaneGroup = { phase: PhaseView; lanes: SwimLane[] }
export type Chart = { from: number; to: number; groups: LaneGroup[] }

/** One lane for each subtask that has begun, and one for what the phase proved; null while nothing has begun. */
export function swimLanes(
  phases: readonly PhaseView[],
  execution: (KnownSessions & Pick<ExecutionView, 'endedAt'>) | null,
  now: number,
): Chart | null {
  const groups = phases.flatMap((phase): LaneGroup[] => {
    const bars = sessionsOf(phase, execution).map((item) => barOf(item, phase, now))
    if (bars.length === 0) return []
    const of = (id: string) => bars.filter(({ item }) => item.subtask === id)
    const lanes = [
      ...phase.subtasks.map(({ id, title }) => ({ id, title, bars: of(id) })),
      { id: '', title: 'Checks and review', bars: of('') },
    ]
    return [{ phase, lanes: lanes.filter((lane) => lane.bars.length > 0) }]
  })
  const all = groups.flatMap(({ lanes }) => lanes.flatMap((lane) => lane.bars))
  if (all.length === 0) return null
  const from = Math.min(...all.map((bar) => bar.from))
  const to = Math.max(...all.map((bar) => bar.to), ...(execution?.endedAt === null ? [now] : []))
  return { from, to: Math.max(to, from + 1), groups }
}

const barOf = (item: PhaseSession, { attempt }: PhaseView, now: number): LaneBar => {
  const { startedAt, endedAt } = item.session
  return {
    from: startedAt,
    to: Math.max(startedAt, endedAt ?? now),
    item,
    superseded: item.phaseAttempt < attempt,
  }
}

const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, 86_400]

/** Pixels of the longest text of a tick, "12 min 30 s", with a gap after it. */
const LABEL = 84
/** More of them help nobody. */
const MOST_TICKS = 8

/** Milliseconds after the beginning of the chart, at even distances, and whether there is room for its text. */
export type Tick = { at: number; labelled: boolean }

/** As many ticks as have room for their texts on an axis of so many pixels; none as long as its width is not known. */
export function ticksOf({ from, to }: Pick<Chart, 'from' | 'to'>, width: number): Tick[] {
  if (width <= 0) return []
  const seconds = (to - from) / 1000
  const most = Math.min(MOST_TICKS, Math.max(1, Math.floor(width / LABEL)))
  const step = STEPS.find((one) => seconds / one <= most) ?? Math.ceil(seconds / most / 86_400) * 86_400
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, place) => {
    const at = place * step
    return { at: at * 1000, labelled: (at / seconds) * width <= width - LABEL }
  })
}
