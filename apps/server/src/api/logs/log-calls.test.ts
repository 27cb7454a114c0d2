import { MOST_CALL_LINES } from '@beadloom/core/api/executions/log-api.ts'
import { executionOf, parseSessionId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import type { EventRow } from '../../ports/store/events.ts'
import { memoryEvents } from '../../ports/testing/memory-events.ts'
import { callsOf } from './log-calls.ts'

const session = parseSessionId('ex-aaaaaaaaaa.2')
const other = parseSessionId('ex-aaaaaaaaaa.1')

const stored = (...happened: [string, number | null, object, typeof session?][]) => {
  const rows = happened.map(([type, line, data, of = session], at): EventRow => ({
    seq: at + 1,
    execution: executionOf(session),
    session: of,
    at,
    type,
    line,
    data,
  }))
  return memoryEvents(rows)
}
const call = (text: string) => ({ call: text, tool: 'bash', arguments: text })

test("the calls of some lines have the tool's input, and no others are named", async () => {
  const store = stored(
    ['tool_call', 3, call('another session'), other],
    ['tool_call', 1, call('before')],
    ['step', 2, { step: 1 }],
    ['tool_call', 2, call('first')],
    ['tool_result', 3, { call: 'first', tool: 'bash', ok: true }],
    ['tool_call', 9, call('last')],
    ['tool_call', 10, call('behind')],
  )
  expect(await callsOf(store, session, { from: 2, to: 10 })).toEqual([
    { line: 2, tool: 'bash', arguments: 'first' },
    { line: 9, tool: 'bash', arguments: 'last' },
  ])
})

test('one answer has at most 1000 calls, of no more lines than a page shows', async () => {
  const many = stored(
    ...Array.from({ length: 1500 }, (_, n) => ['tool_call', n, call(`${n}`)] as [string, number, object]),
  )
  expect(await callsOf(many, session, { from: 100 })).toHaveLength(1000)
  const apart = stored(['tool_call', 0, call('here')], ['tool_call', MOST_CALL_LINES, call('far')])
  expect(await callsOf(apart, session, { from: 0, to: 1e9 })).toHaveLength(1)
})
