import { isTerminal } from '@beadloom/core/execution.ts'
import type { ExecutionView } from '@beadloom/core/api.ts'
import type { BoardView } from '../../feed/board-fold.ts'
import { laneOf } from '../../feed/lanes.ts'

/** What the browser's tab shows of a project while another tab is looked at: the worst of it. */
export type TabState = { badge: string; icon: 'failed' | 'blocked' | 'running' | 'idle' }

export const idle: TabState = { badge: '', icon: 'idle' }

/**
 * Failed and timed out before blocked before running. Beads that are blocked in the tracker, without a run of ours, ask
 * nothing of the person here.
 */
export function tabState(
  { beads, executions }: Pick<BoardView, 'beads' | 'executions'>,
  known: ReadonlyMap<string, ExecutionView>,
): TabState {
  let failed = 0
  let blocked = 0
  let running = 0
  for (const card of beads.values()) {
    if (card.hidden || card.execution === null) continue
    const execution = executions.get(card.execution) ?? known.get(card.execution) ?? null
    const lane = laneOf(card, execution)
    if (lane === 'failed' || lane === 'timeout') failed++
    else if (lane === 'blocked') blocked++
    else if (execution && !isTerminal(execution.state)) running++
  }
  if (failed > 0) return { badge: `(${failed}✕)`, icon: 'failed' }
  if (blocked > 0) return { badge: `(${blocked}⏸)`, icon: 'blocked' }
  return { badge: '', icon: running > 0 ? 'running' : 'idle' }
}
