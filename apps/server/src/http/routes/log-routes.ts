import { MOST_CALL_LINES, type LogMeta } from '@beadloom/core/api/executions/log-api.ts'
import { parseSessionId, type SessionId } from '@beadloom/core/records/ids.ts'
import { MARKED_LINES } from '@beadloom/core/log/log-marks.ts'
import { z } from 'zod'
import { BLOCK_LINES, type LogReader, type LogState } from '../../ports/logs.ts'
import type { Clock } from '../../process/clock.ts'
import { agentLines } from '../logs/agent-lines.ts'
import { readBlock } from '../logs/log-block.ts'
import { readMarks } from '../logs/log-marks.ts'
import { rawLog } from '../logs/log-raw.ts'
import { createSearches, type SearchedLog } from '../logs/log-search.ts'
import type { Queries } from '../ports.ts'
import { Problem } from '../../ports/problem.ts'
import { flag, idText, optionalWhole } from '../routing/query-params.ts'
import { route, type Route } from '../routing/route.ts'

export type LogDeps = {
  logs: LogReader
  queries: Pick<Queries, 'epoch' | 'sections' | 'toolCalls' | 'execution'>
  clock: Clock
}

const pattern = {
  q: z.string().min(1).max(1000),
  re: flag.describe('1: `q` is a JavaScript regular expression'),
  case: flag.describe('1: case-sensitive'),
  word: flag.describe('1: only whole words'),
}

export function logRoutes({ logs, queries, clock }: LogDeps): Route[] {
  const searches = createSearches(logs, clock)

  /** Calls `use` with the log's state, or answers that there is no log. */
  const withLog = <T>(session: SessionId, use: (state: LogState) => T): T | Problem => {
    const state = logs.state(session)
    return state ? use(state) : new Problem(404, 'not_found', `Session ${session} has no log.`)
  }

  return [
    route({
      method: 'get',
      path: '/api/sessions/:session/log/meta',
      summary: 'Size and sections of a log',
      answer: { status: 200, description: 'LogMeta' },
      handle: ({ params: { session } }) =>
        withLog(session, async (state): Promise<LogMeta> => ({
          epoch: queries.epoch,
          lines: state.lines,
          bytes: state.bytes,
          complete: state.complete,
          blockLines: BLOCK_LINES,
          sections: await queries.sections(session),
        })),
    }),
    route({
      method: 'get',
      path: '/api/sessions/:session/log/blocks/:block',
      summary: `${BLOCK_LINES} lines of a log; a full block never changes`,
      description:
        'The header `Beadloom-Log-Style` has the SGR parameters that apply where the block begins (`1;31`; empty: none). If the header is missing, they are not known.',
      answer: { status: 200, description: 'Whole lines, each with its newline', content: 'text/plain' },
      handle: ({ params: { session, block }, headers }) =>
        withLog(session, (state) => readBlock(logs, session, state, block, headers['accept-encoding'])),
    }),
    route({
      method: 'get',
      path: '/api/sessions/:session/log/raw',
      summary: 'A log as plain text',
      description:
        'Supports Range, but ignores it with `ansi=0` and refuses it with `ts`, where byte positions are not known in advance. A line whose time is not known has `-` instead.',
      query: z.strictObject({
        ansi: flag.describe('0: without escape sequences'),
        from: optionalWhole().describe('First line'),
        to: optionalWhole().describe('Line after the last'),
        download: flag.describe('1: as an attachment'),
        ts: z.enum(['none', 'utc', 'local']).optional().describe('Starts each line with its time'),
        tz: z
          .string()
          .min(1)
          .max(64)
          .optional()
          .describe('Time zone for `ts=local`, an IANA name; default: the server’s'),
      }),
      refusals: [416],
      answer: { status: 200, description: 'The text', content: 'text/plain' },
      handle: ({ params: { session }, query, headers }) =>
        withLog(session, (state) => rawLog(logs, session, state, query, headers.range)),
    }),
    route({
      method: 'get',
      path: '/api/sessions/:session/log/agent',
      summary: 'The agent’s own output, line by line, untranslated',
      answer: { status: 200, description: 'JSON lines, at most 64 MiB', content: 'application/x-ndjson' },
      handle: ({ params: { session } }) => withLog(session, () => agentLines(logs, session)),
    }),
    route({
      method: 'get',
      path: '/api/sessions/:session/log/calls',
      summary: 'What tools were called with, by lines of a log',
      description: `For at most ${MOST_CALL_LINES} lines and 1000 calls. The log has the first 200 characters of a call's arguments, this has 4096.`,
      query: z.strictObject({
        from: optionalWhole().describe('First line'),
        to: optionalWhole().describe('Line after the last'),
      }),
      answer: { status: 200, description: '`{ items: LogCall[] }`' },
      handle: ({ params: { session }, query: { from = 0, to } }) =>
        withLog(session, async () => ({ items: await queries.toolCalls(session, { from, to }) })),
    }),
    route({
      method: 'get',
      path: '/api/sessions/:session/log/marks',
      summary: 'When lines of a log were printed, and which went to standard error',
      description: `For at most ${MARKED_LINES} lines. A line that is not in \`times\` has the time of the nearest one before it; the first entry is that of \`from\`, if it is known. Both lists are empty for a log that was recorded without times.`,
      query: z.strictObject({
        from: optionalWhole().describe('First line'),
        to: optionalWhole().describe(`Line after the last; default: \`from\` plus ${MARKED_LINES}`),
      }),
      answer: { status: 200, description: 'LogMarks' },
      handle: ({ params: { session }, query }) => withLog(session, (state) => readMarks(logs, session, state, query)),
    }),
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
        withLog(session, (state) => searches.start(session, state, query, signal)),
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
      handle: async ({ params: { execution }, query, signal }) => {
        const found = await queries.execution(execution)
        if (found instanceof Problem) return found
        const all = found.sessions.flatMap(({ id }): SearchedLog[] => {
          const state = id === query.except ? null : logs.state(id)
          return state ? [{ session: id, state }] : []
        })
        return searches.count(all, query, signal)
      },
    }),
  ]
}
