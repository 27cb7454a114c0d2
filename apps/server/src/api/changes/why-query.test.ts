import { parseExecutionId, parseSessionId, type ExecutionId } from '@beadloom/core/records/ids.ts'
import { sampleRecord, sampleSession } from '@beadloom/core/testing/sample-views.ts'
import { expect, test } from 'vitest'
import type { EventRow } from '../../ports/store/events.ts'
import { memoryEvents } from '../../ports/testing/memory-events.ts'
import { whyOf } from './why-query.ts'

const older = parseExecutionId('ex-aaaaaaaaaa')
const newer = parseExecutionId('ex-bbbbbbbbbb')
const session = (id: ExecutionId) => parseSessionId(`${id}.1`)
const path = 'a.js'
const write = (text: string) => ({ tool: 'write_file', arguments: JSON.stringify({ path, content: text }) })

function storeOf(calls: [ExecutionId, object][]) {
  const rows = calls.map(([execution, data], at): EventRow => ({
    seq: at + 1,
    execution,
    session: session(execution),
    at,
    type: 'tool_call',
    line: at + 10,
    data,
  }))
  const runs = [newer, older].map((id) => sampleRecord({ id }))
  return {
    execution: (id: ExecutionId) => runs.find((one) => one.id === id) ?? null,
    executions: () => runs,
    sessions: (id: ExecutionId) => [sampleSession({ id: session(id), attempt: 2 })],
    ...memoryEvents(rows),
  }
}

test('a line is traced to its step, even in an earlier execution of the bead', async () => {
  const store = storeOf([
    [older, write('old line')],
    [newer, write('new line')],
  ])
  expect(await whyOf(store, newer, path, 'new line')).toEqual({
    by: { execution: newer, session: session(newer), attempt: 2, line: 11 },
    sure: true,
    perhaps: [],
  })
  expect(await whyOf(store, newer, path, 'old line')).toMatchObject({ by: { execution: older, line: 10 }, sure: true })
})

test('a later execution does not explain the line of an earlier one', async () => {
  const store = storeOf([[newer, write('new line')]])
  expect(await whyOf(store, older, path, 'new line')).toEqual({ by: null, sure: false, perhaps: [] })
})

test('a line that a later execution may have written is marked as doubtful', async () => {
  const half = { tool: 'edit_file', arguments: `{"path":"${path}","old_text":"…` }
  const store = storeOf([
    [older, write('line')],
    [newer, half],
  ])
  expect(await whyOf(store, newer, path, 'line')).toMatchObject({ by: { execution: older }, sure: false })
})

test('an unknown execution is refused, and a flood of calls is read to an end', async () => {
  expect(await whyOf(storeOf([]), parseExecutionId('ex-cccccccccc'), path, 'x')).toMatchObject({ status: 404 })
  const many = storeOf(Array.from({ length: 30_000 }, (_, at): [ExecutionId, object] => [newer, write(`${at}`)]))
  expect(await whyOf(many, newer, path, '29999')).toMatchObject({ by: null })
})

test('other work runs while a flood of edits is compared, and only a limited number is', async () => {
  const calls = Array.from({ length: 1_500 }, (_, at): [ExecutionId, object] => [newer, write(`${at}`)])
  let turns = 0
  let done = false
  const others = () => {
    turns += 1
    if (!done) setImmediate(others)
  }
  setImmediate(others)
  const found = await whyOf(storeOf(calls), newer, path, '1499')
  done = true
  expect(turns).toBeGreaterThan(1_500 / 40)
  // A call that was not compared may have written it.
  expect(found).toMatchObject({ by: null, sure: false, perhaps: [{ line: 1509 }, {}, {}, {}, {}] })
})
