import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import { sessionsOf, type KnownSessions, type PhaseSession } from './plan-phases.ts'
import { elapsedText } from '../../../ui/text/time-text.ts'

/** Milliseconds UTC. `superseded`: belongs to an attempt at its phase that was repeated. */
export type LaneBar = { from: number; to: number; item: PhaseSession; superseded: boolean }
/** `id` '' for the lane of checks, fixes and reviews. */
export type SwimLane = { id: string; title: string; bars: LaneBar[] }
export type LaneGroup = { phase: PhaseView; lanes: SwimLane[] }
export type Chart = { from: number; to: number; groups: LaneGroup[] }

/** One lane per subtask that has begun, and one for the phase's checks and reviews; null if nothing has begun. */
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

const DAY = 86_400
const STEPS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 28_800, DAY]

/** Pixels per character of a tick's text, and between two texts. */
const CHARACTER = 7
const GAP = 12
/** More would help nobody. */
const MOST_TICKS = 8

/** Milliseconds since the start of the chart. */
export type Tick = { at: number; text: string; /** Whether there is room for it. */ labelled: boolean }

/** Marks at even distances, as many as fit with their texts on an axis of this width in pixels; none if it is 0. */
export function ticksOf({ from, to }: Pick<Chart, 'from' | 'to'>, width: number): Tick[] {
  if (width <= 0) return []
  const seconds = (to - from) / 1000
  const few = STEPS.filter((step) => seconds / step <= MOST_TICKS).map((step) => ticksBy(step, seconds, width))
  return few.find((ticks) => ticks.every(({ fits }) => fits)) ?? ticksBy(wholeDays(seconds, width), seconds, width)
}

function ticksBy(step: number, seconds: number, width: number): (Tick & { fits: boolean })[] {
  return Array.from({ length: Math.floor(seconds / step) + 1 }, (_, place) => {
    const at = place * step
    const text = elapsedText(at * 1000)
    const pixels = text.length * CHARACTER
    return {
      at: at * 1000,
      text,
      labelled: (at / seconds) * width + pixels <= width,
      fits: pixels + GAP <= (step / seconds) * width,
    }
  })
}

/** The step for a chart over weeks. */
function wholeDays(seconds: number, width: number): number {
  const most = Math.max(1, Math.floor(width / ('1000 h'.length * CHARACTER + GAP)))
  return Math.ceil(seconds / Math.min(most, MOST_TICKS) / DAY) * DAY
}
