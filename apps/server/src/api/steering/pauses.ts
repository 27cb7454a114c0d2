import type { PauseExecution, StopTurn } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { Refused } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { DEFAULT_PAUSE_MS, type Pause } from '@beadloom/core/records/pause.ts'
import { nameOrNobody, type Person } from '../../http/access/person.ts'
import { Problem } from '../../ports/problem.ts'
import type { Once } from '../../ports/once.ts'
import type { Store } from '../../ports/store.ts'
import { settingsFor } from '../../app/stored/stored-settings.ts'
import { noExecution } from '../../app/stored/refusals.ts'
import type { ServerViews } from '../../app/views/views.ts'

export type PauseDeps = {
  store: Store
  views: Pick<ServerViews, 'execution'>
  scheduler: { nudge(): void }
  holdNews: { tell(): void }
  executions: { stopTurn(id: ExecutionId, how: { only: 'all'; by: string }): Promise<void> }
}

/** Who asks, and whether they have asked before. */
type Asked = { person: Person; once: Once }

/** Holds the next call of its agent and its next step, or lets work by a plan wait after its present phase. */
export function pause(deps: PauseDeps, id: ExecutionId, wish: PauseExecution, asked: Asked): ExecutionView | Problem {
  if (wish.at === 'phase') return changed(deps, id, asked.once, () => deps.store.askPause(id))
  return held(deps, id, wish, asked)
}

/** Ends what its agents do, and holds them until somebody says something to them, or resumes them without a word. */
export const stopTurn = (deps: PauseDeps, id: ExecutionId, wish: StopTurn, asked: Asked): ExecutionView | Problem =>
  held(deps, id, { ...wish, at: 'now', forWord: true }, asked)

function held(
  deps: PauseDeps,
  id: ExecutionId,
  { at, seconds, atEnd = 'stop', forWord }: PauseExecution & Pick<Pause, 'forWord'>,
  { person, once }: Asked,
): ExecutionView | Problem {
  const by = nameOrNobody(person)
  const view = changed(deps, id, once, (execution) => {
    const ms = seconds === undefined ? pauseMs(deps.store, execution) : seconds * 1000
    const how = { ...(at === 'now' && { stop: true as const }), ...(forWord && { forWord }) }
    return deps.store.pauseExecution(id, { ms, atEnd, by, ...how })
  })
  // A repeated request ends again what began since: nothing is known about what became of the first one.
  if (at === 'now' && !(view instanceof Problem)) void deps.executions.stopTurn(id, { only: 'all', by })
  return view
}

const pauseMs = (store: Store, execution: Execution): number =>
  settingsFor(store, execution)?.limits.pauseMs ?? DEFAULT_PAUSE_MS

/** Ends a pause, or the wait after a phase, or takes back the wish to wait there. */
export function resume(deps: PauseDeps, id: ExecutionId, { person, once }: Asked): ExecutionView | Problem {
  const { store, holdNews } = deps
  const view = changed(deps, id, once, ({ paused, pauseAsked, waits }) => {
    const isPlanned = pauseAsked === true || waits?.kind === 'phase'
    if (paused === undefined && isPlanned) return store.letContinue(id)
    const resumed = store.resumeExecution(id, nameOrNobody(person))
    return isPlanned && !('refused' in resumed) ? store.letContinue(id) : resumed
  })
  holdNews.tell()
  return view
}

function changed(
  { store, views, scheduler }: PauseDeps,
  id: ExecutionId,
  once: Once,
  act: (execution: Execution) => Execution | Refused,
): ExecutionView | Problem {
  const execution = store.execution(id)
  if (!execution) return noExecution(id)
  if (once.before === null) {
    const done = once.make(
      () => act(execution),
      (result) => ('refused' in result ? null : result.id),
    )
    if ('refused' in done) return new Problem(409, 'not_now', done.refused)
    scheduler.nudge()
  }
  return views.execution(id) ?? noExecution(id)
}
