import { expect, test } from 'vitest'
import type { EventLine } from '@beadloom/core/log/event-line.ts'
import { EventWriter } from './event-writer.ts'
import { systemClock } from '../process/clock.ts'
import { MemoryRecord } from '../testing/memory-record.ts'

const output = (text: string) => ({ type: 'output', stream: 'stdout', text }) as const
const bounds = { recordBytes: 20_000, tailBytes: 4_000, stopBytes: 100_000 }

test('lines are numbered from 1 and begin with their number', async () => {
  const record = new MemoryRecord()
  await record.writer.write(output('a\n'))
  await record.writer.write({ type: 'warning', text: 'b' })
  await record.writer.finish()
  expect(record.bytes.toString()).toMatch(/^\{"n":1,"at":\d+,"type":"output"/)
  expect(record.events.map(({ n, type }) => [n, type])).toEqual([
    [1, 'output'],
    [2, 'warning'],
  ])
})

test.each([
  ['ordinary text', 'line of text\n'.repeat(30_000)],
  ['one long line', 'x'.repeat(300_000)],
  ['control characters, six bytes each', '\u0000\u001b'.repeat(50_000)],
  ['characters of four bytes', 'a👩‍🚀€'.repeat(30_000)],
])('%s of any length is split into short lines and is whole again when joined', async (_name, text) => {
  const record = new MemoryRecord()
  await record.writer.write(output(text))
  await record.writer.finish()
  expect(record.events.length).toBeGreaterThan(1)
  expect(record.text('output')).toBe(text)
  expect(record.of('output').every((event) => event.text.isWellFormed())).toBe(true)
})

test('long output follows its line unchanged, short output is in the line', async () => {
  const record = new MemoryRecord()
  const much = 'a "line" of\toutput\n'.repeat(1000)
  await record.writer.write(output('"little"\n'))
  await record.writer.write(output(much))
  await record.writer.finish()
  expect(record.bytes.includes(JSON.stringify('"little"\n'))).toBe(true)
  expect(record.bytes.includes(`"bytes":${much.length}}\n${much}\n`)).toBe(true)
  expect(record.text('output')).toBe(`"little"\n${much}`)
})

test.each([
  '{"n":9,"at":1,"type":"result"}\n',
  '\n{"n":x',
  'a\n{"n":9,"at":1,"type":"output_bytes","stream":"stdout","bytes":1}',
])('output with a line like an event never begins a line of the record: %j', async (forged) => {
  const record = new MemoryRecord()
  const text = `${forged}${'rest\n'.repeat(20_000)}${forged}`
  await record.writer.write(output(text))
  await record.writer.finish()
  expect(record.text('output')).toBe(text)
  const lines = record.bytes
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('{"n":'))
  expect(lines).toHaveLength(record.events.length)
})

test('a long message is cut between lines', async () => {
  const record = new MemoryRecord()
  await record.writer.write({ type: 'message', text: `${'word '.repeat(20)}\n`.repeat(2000) })
  await record.writer.finish()
  expect(record.of('message').length).toBeGreaterThan(1)
  expect(record.of('message').every(({ text }) => text.endsWith('\n'))).toBe(true)
})

test('the arguments of a long tool call are split under one call id', async () => {
  const record = new MemoryRecord()
  const args = JSON.stringify({ path: 'a', content: 'x\n'.repeat(100_000) })
  await record.writer.write({ type: 'tool_call', call: 'c1', tool: 'write_file', arguments: args })
  await record.writer.finish()
  const calls = record.of('tool_call')
  expect(calls.map((event) => event.arguments).join('')).toBe(args)
  expect(new Set(calls.map((event) => event.call))).toEqual(new Set(['c1']))
})

test('a result stays one line, with its middle cut visibly', async () => {
  const record = new MemoryRecord()
  const rest = { commit: null, dirty: false, savedRef: null, exitCode: null }
  await record.writer.write({ type: 'result', outcome: 'failed', text: 'é'.repeat(200_000), ...rest })
  await record.writer.finish()
  expect(record.events).toHaveLength(1)
  expect(record.of('result')[0]?.text).toContain('characters left out')
})

test('half of a surrogate pair becomes U+FFFD', async () => {
  const record = new MemoryRecord()
  await record.writer.write(output('a\ud800b'))
  await record.writer.finish()
  expect(record.text('output')).toBe('a\ufffdb')
})

test('writers wait for the reader, so the queue stays small', async () => {
  const record = new MemoryRecord(undefined, { highWaterMark: 100_000 })
  let most = 0
  const flood = async (stream: 'stdout' | 'stderr') => {
    for (let i = 0; i < 300; i++) {
      await record.writer.write({ type: 'output', stream, text: 'x'.repeat(30_000) })
      most = Math.max(most, record.out.writableLength)
    }
  }
  await Promise.all([flood('stdout'), flood('stderr')])
  await record.writer.finish()
  expect(record.text('output')).toHaveLength(18_000_000)
  expect(most).toBeLessThan(200_000)
})

test('past the record limit the middle is dropped with a warning and the tail is kept', async () => {
  const record = new MemoryRecord(bounds)
  for (let i = 0; i < 500; i++) await record.writer.write(output(`line ${i} ${'.'.repeat(60)}\n`))
  await record.writer.write({ type: 'section_end', title: 'test', exitCode: 0, durationMs: 1 })
  await record.writer.finish()
  const text = record.text('output')
  expect(text).toContain('line 0 ')
  expect(text).toContain('line 499 ')
  expect(text).not.toContain('line 300 ')
  expect(record.bytes.length).toBeLessThan(bounds.recordBytes + bounds.tailBytes + 2000)
  expect(record.text('warning')).toMatch(/is full .* bytes of the record are left out here/s)
  const types = record.events.map((event: EventLine) => event.type)
  expect(types.at(-1)).toBe('section_end')
  const lastWarning = types.lastIndexOf('warning')
  expect(types.slice(lastWarning + 1, -1).every((type) => type === 'output')).toBe(true)
})

test('past the stop limit the command is told to stop', async () => {
  const record = new MemoryRecord(bounds)
  let written = 0
  while (!record.writer.overflow.aborted) {
    await record.writer.write(output('x'.repeat(1000)))
    written += 1000
  }
  await record.writer.finish()
  expect(written).toBeGreaterThan(90_000)
  expect(written).toBeLessThan(bounds.stopBytes)
  expect(record.bytes.length).toBeLessThan(bounds.recordBytes + bounds.tailBytes + 2000)
})

test('a missing reader ends no session', async () => {
  const record = new MemoryRecord(undefined, { highWaterMark: 10 })
  const waiting = record.writer.write(output('first'))
  record.out.destroy(new Error('EPIPE'))
  await waiting
  await record.writer.write(output('second'))
  await record.writer.finish()
})

test('nor does a reader that is gone without an error', async () => {
  const record = new MemoryRecord(undefined, { highWaterMark: 10, delayMs: 60_000 })
  const writer: EventWriter = new EventWriter(record.out, systemClock)
  const waiting = writer.write(output('first'))
  record.out.destroy()
  await waiting
  await writer.write(output('second'))
  await writer.finish()
})
