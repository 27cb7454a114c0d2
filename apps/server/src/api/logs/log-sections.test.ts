import { executionOf, parseSessionId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import type { EventRow } from '../../ports/store/events.ts'
import { memoryEvents } from '../../ports/testing/memory-events.ts'
import { sectionsOf } from './log-sections.ts'

const session = parseSessionId('ex-aaaaaaaaaa.2')
const other = parseSessionId('ex-aaaaaaaaaa.1')

/** A store with these events (type, line, data), one second apart. */
const stored = (...happened: [string, number | null, object, typeof session?][]) => {
  const rows = happened.map(([type, line, data, of = session], at): EventRow => ({
    seq: at + 1,
    execution: executionOf(session),
    session: of,
    at: at * 1000,
    type,
    line,
    data,
  }))
  return memoryEvents(rows)
}

test('an outline has sections, steps and calls, each with its lines, its end and its times', async () => {
  const store = stored(
    ['section', 0, { title: 'checkout', command: null }, other],
    ['section', 0, { title: 'agent', command: 'claude' }],
    ['step', 2, { step: 1, maxSteps: 9 }],
    ['tool_call', 3, { call: 'c1', tool: 'bash', arguments: '{"command":"npm test"}' }],
    ['tool_result', 4, { call: 'c1', tool: 'bash', ok: false }],
    ['usage', null, { input: 1 }],
    ['step', 40, { step: 2, maxSteps: 9 }],
    ['section_end', 50, { title: 'agent', exitCode: 2 }],
    ['section', 51, { title: 'push', command: null }],
  )
  expect(await sectionsOf(store, session)).toEqual([
    { kind: 'section', title: 'agent', command: 'claude', first: 0, last: 50, exit: 2, startedAt: 1000, endedAt: 7000 },
    { kind: 'step', title: 'step 1', command: null, first: 2, last: 39, exit: null, startedAt: 2000, endedAt: 6000 },
    {
      kind: 'call',
      title: 'bash',
      command: '{"command":"npm test"}',
      first: 3,
      last: 39,
      exit: 1,
      startedAt: 3000,
      endedAt: 4000,
    },
    { kind: 'step', title: 'step 2', command: null, first: 40, last: 49, exit: null, startedAt: 6000, endedAt: 7000 },
    {
      kind: 'section',
      title: 'push',
      command: null,
      first: 51,
      last: null,
      exit: null,
      startedAt: 8000,
      endedAt: null,
    },
  ])
})

test('the outline stays bounded when an agent calls tools without end', async () => {
  const calls = Array.from({ length: 6000 }, (_, n): [string, number, object] => [
    'tool_call',
    n,
    { call: n, tool: 't' },
  ])
  expect(await sectionsOf(stored(...calls), session)).toHaveLength(2000)
})

test('a flood of long events is read in parts, and other work runs between them', async () => {
  const text = 'x'.repeat(16_000)
  const store = stored(
    ...Array.from({ length: 400 }, (_, n): [string, number, object] => [
      'tool_result',
      n,
      { call: `${n}`, tool: 't', ok: true, text },
    ]),
    ['section', 400, { title: 'the end', command: null }],
  )
  let turns = 0
  let done = false
  const others = () => {
    turns += 1
    if (!done) setImmediate(others)
  }
  setImmediate(others)
  const sections = await sectionsOf(store, session)
  done = true
  expect(sections).toMatchObject([{ title: 'the end' }])
  expect(store.looks).toBeGreaterThan(10)
  expect(turns).toBeGreaterThanOrEqual(store.looks - 1)
})
