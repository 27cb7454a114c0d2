import { MOST_CALL_LINES, type LogMeta } from '@beadloom/core/api/executions/log-api.ts'
import { MARKED_LINES } from '@beadloom/core/log/log-marks.ts'
import { z } from 'zod'
import { BLOCK_LINES, type LogReader } from '../../ports/logs.ts'
import { agentLines } from './agent-lines.ts'
import { readBlock } from './log-block.ts'
import { readMarks } from './log-marks.ts'
import { rawLog } from './log-raw.ts'
import type { Store } from '../../ports/store.ts'
import { callsOf } from './log-calls.ts'
import { sectionsOf } from './log-sections.ts'
import { withLog } from './with-log.ts'
import { flag, optionalWhole } from '../../http/routing/query-params.ts'
import { route, type Route } from '../../http/routing/route.ts'

type LogDeps = { logs: LogReader; store: Pick<Store, 'epoch' | 'eventPart'> }

export const logRoutes = ({ logs, store }: LogDeps): Route[] => [
  route({
    method: 'get',
    path: '/api/sessions/:session/log/meta',
    summary: 'Size and sections of a log',
    answer: { status: 200, description: 'LogMeta' },
    handle: ({ params: { session } }) =>
      withLog(logs, session, async (state): Promise<LogMeta> => ({
        epoch: store.epoch,
        lines: state.lines,
        bytes: state.bytes,
        complete: state.complete,
        blockLines: BLOCK_LINES,
        sections: await sectionsOf(store, session),
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
      withLog(logs, session, (state) => readBlock(logs, session, state, block, headers['accept-encoding'])),
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
      withLog(logs, session, (state) => rawLog(logs, session, state, query, headers.range)),
  }),
  route({
    method: 'get',
    path: '/api/sessions/:session/log/agent',
    summary: 'The agent’s own output, line by line, untranslated',
    answer: { status: 200, description: 'JSON lines, at most 64 MiB', content: 'application/x-ndjson' },
    handle: ({ params: { session } }) => withLog(logs, session, () => agentLines(logs, session)),
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
      withLog(logs, session, async () => ({ items: await callsOf(store, session, { from, to }) })),
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
    handle: ({ params: { session }, query }) =>
      withLog(logs, session, (state) => readMarks(logs, session, state, query)),
  }),
]
