import { parseSessionId } from '@beadloom/core/records/ids.ts'
import { z } from 'zod'
import { noExecution } from '../../app/stored/refusals.ts'
import { flag, idText, optionalWhole } from '../../http/routing/query-params.ts'
import { route, type Route } from '../../http/routing/route.ts'
import type { LogReader } from '../../ports/logs.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import { createSearches, type SearchedLog } from './log-search.ts'
import { withLog } from './with-log.ts'

type SearchDeps = { logs: LogReader; store: Pick<Store, 'execution' | 'sessions'>; clock: Clock }

const pattern = {
  q: z.string().min(1).max(1000),
  re: flag.describe('1: `q` is a JavaScript regular expression'),
  case: flag.describe('1: case-sensitive'),
  word: flag.describe('1: only whole words'),
}

export function searchRoutes({ logs, store, clock }: SearchDeps): Route[] {
  const searches = createSearches(logs, clock)
  return [
    route({
      method: 'get',
      path: '/api/sessions/:session/log/search',
      summary: 'Searches a log',
      description:
        'One JSON value a line: `[line, column, length]` for each hit, in UTF-16 units of the line without escape sequences; `{"progress": line}` now and then; finally `{"done": true, "hits", "lines", "more"}`, or `{"error"}`. Close the connection to cancel.',
      query: z.strictObject({
        ...pattern,
        from: optionalWhole().describe('First line'),
      }),
      refusals: [429],
      answer: { status: 200, description: 'Hits as they are found', content: 'application/x-ndjson' },
      handle: ({ params: { session }, query, signal }) =>
        withLog(logs, session, (state) => searches.start(session, state, query, signal)),
    }),
    route({
      method: 'get',
      path: '/api/executions/:execution/log/search',
      summary: 'Searches the logs of all sessions of an execution',
      description:
        'One JSON value a line: `{"session", "hits", "more"}` for each session that has a log, in the order in which they began; finally `{"done": true}`, or `{"error"}`. `more`: there are more than 100,000. Where they are is asked of each log. Close the connection to cancel.',
      query: z.strictObject({
        ...pattern,
        except: idText(parseSessionId).describe('A session to leave out: the one whose hits are known'),
      }),
      refusals: [429],
      answer: { status: 200, description: 'Hits of each session', content: 'application/x-ndjson' },
      handle: ({ params: { execution }, query, signal }) => {
        if (!store.execution(execution)) return noExecution(execution)
        const all = store.sessions(execution).flatMap(({ id }): SearchedLog[] => {
          const state = id === query.except ? null : logs.state(id)
          return state ? [{ session: id, state }] : []
        })
        return searches.count(all, query, signal)
      },
    }),
  ]
}
