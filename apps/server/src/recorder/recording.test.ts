import { isUtf8 } from 'node:buffer'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { EventBody } from '@beadloom/core/log/event-line.ts'
import type { OutputFrame } from '../ports/sandbox.ts'
import { Desk, cutAt, err, lines, out, session } from './testing.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

let desk: Desk
beforeEach(() => {
  desk = new Desk()
})
afterEach(() => desk.remove())

const transcript: EventBody[] = [
  { type: 'section', title: 'checkout' },
  { type: 'section_end', title: 'checkout', exitCode: 0, durationMs: 120 },
  { type: 'step', step: 1, maxSteps: 10 },
  { type: 'message', text: 'I look at the tests.\nThen I fix 🧵 them.' },
  { type: 'tool_call', call: 'c1', tool: 'bash', arguments: '{"command":"npm\\ntest"}' },
  { type: 'output', stream: 'stdout', text: 'ok 1\nok' },
  { type: 'output', stream: 'stderr', text: 'a warning\n' },
  { type: 'output', stream: 'stdout', text: ' 2\nno newline at the end' },
  { type: 'tool_result', call: 'c1', tool: 'bash', ok: true, text: '2 passed\n', durationMs: 1840 },
  { type: 'usage', model: 'm', input: 10, output: 2 },
  { type: 'warning', text: 'the clock is late' },
  { type: 'section', title: 'test', command: 'npm test &&\nnpm run lint' },
  { type: 'section_end', title: 'test', exitCode: 1, durationMs: 20 },
  {
    type: 'result',
    outcome: 'failed',
    text: 'one test fails',
    commit: 'c0ffee',
    dirty: false,
    savedRef: null,
    exitCode: 1,
  },
]
const transcriptLog = `§ checkout
§ checkout: exit 0, 120 ms
· step 1 of 10
› I look at the tests.
› Then I fix 🧵 them.
⚙ bash({"command":"npm\\ntest"})
ok 1
a warning
ok 2
no newline at the end
✓ bash, 1.8 s
  2 passed
! the clock is late
§ test
$ npm test &&
$ npm run lint
§ test: exit 1, 20 ms
= failed
= one test fails
`

describe('a session’s output', () => {
  test('becomes a log for people (docs/log-format.md)', async () => {
    const recorded = await desk.record([out(lines(1, ...transcript))])
    expect(desk.text).toBe(transcriptLog)
    expect(recorded).toMatchObject({
      lines: 19,
      bytes: Buffer.byteLength(transcriptLog),
      droppedBytes: 0,
      result: { outcome: 'failed', commit: 'c0ffee' },
      messages: ['I look at the tests.\nThen I fix 🧵 them.'],
      tail: 'ok 1\na warning\nok 2\nno newline at the end\n',
    })
  })

  test('becomes rows for programs, each with the line where it happened, output excepted', async () => {
    await desk.record([out(lines(1, ...transcript))])
    expect(desk.store.events.map(({ type, line }) => [type, line])).toEqual([
      ['section', 0],
      ['section_end', 1],
      ['step', 2],
      ['message', 3],
      ['tool_call', 5],
      ['tool_result', 10],
      ['usage', 12],
      ['warning', 12],
      ['section', 13],
      ['section_end', 16],
      ['result', 17],
    ])
    expect(desk.store.checkpoint(session)).toEqual({
      n: transcript.length,
      logBytes: Buffer.byteLength(transcriptLog),
      logLines: 19,
      complete: true,
      stdout: Buffer.byteLength(lines(1, ...transcript)),
      stderr: 0,
      tail: 0,
    })
  })

  test('shows where an agent handed over to a fresh context, and keeps its token counts', async () => {
    const usage = { model: 'm', input: 10, output: 2, cumulativeTokens: 12, remainingBudget: null, contextTokens: 12 }
    const handover = { contextTokens: 9100, windowTokens: 10_000, text: 'Done: a.\nLeft: b.' }
    await desk.record([out(lines(1, { type: 'usage', ...usage }, { type: 'handover', ...handover }))])
    expect(desk.text).toBe(
      '! the context is 91% full: the agent continues in a fresh one with this handover\n  Done: a.\n  Left: b.\n',
    )
    expect(desk.store.events.map(({ type, data }) => [type, data])).toEqual([
      ['usage', usage],
      ['handover', handover],
    ])
  })

  test("shows a sub-agent's actions behind its name, and does not mix them with the agent’s own words", async () => {
    const child = { type: 'sub_agent', sub: 2, agent: 'test-agent' } as const
    const recorded = await desk.record([
      out(
        lines(
          1,
          { ...child, what: 'begin', text: 'Test it.\nAll of it.' },
          { ...child, what: 'step', text: '1 of 10' },
          { ...child, what: 'message', text: 'BLOCKED: no tests' },
          { ...child, what: 'tool_call', text: 'bash({"command":"ls"})' },
          { ...child, what: 'tool_result', text: '✓ bash, 3 ms\na.ts' },
          { ...child, what: 'usage', text: 'm: 1 in, 1 out; 2 so far' },
          { ...child, what: 'end', text: 'completed' },
        ),
      ),
    ])
    expect(desk.text.split('\n')).toEqual([
      '⑂ test-agent#2 § Test it.',
      '⑂ test-agent#2 § All of it.',
      '⑂ test-agent#2 · step 1 of 10',
      '⑂ test-agent#2 › BLOCKED: no tests',
      '⑂ test-agent#2 ⚙ bash({"command":"ls"})',
      '⑂ test-agent#2 ✓ bash, 3 ms',
      '⑂ test-agent#2   a.ts',
      '⑂ test-agent#2 = completed',
      '',
    ])
    expect(recorded.messages).toEqual([])
    expect(desk.store.events[2]?.data).toEqual({
      sub: 2,
      agent: 'test-agent',
      what: 'message',
      text: 'BLOCKED: no tests',
    })
  })

  test("keeps the agent's own lines in a file of their own, and out of the log", async () => {
    const body = { type: 'raw', text: '{"type":"turn.started"}\n' } as const
    await desk.record([out(lines(1, body, { type: 'message', text: 'hello' }, body))])
    expect(desk.agentText).toBe(body.text.repeat(2))
    expect(desk.text).toBe('› hello\n')
    expect(await desk.parts.logs.agentSize(session)).toBe(body.text.length * 2)
    expect((await desk.parts.logs.agentBytes(session, 1, 6)).toString()).toBe('"type"')
  })

  test('has no such file if no agent printed lines of its own', async () => {
    await desk.record([out(lines(1, { type: 'message', text: 'hello' }))])
    expect(await desk.parts.logs.agentSize(session)).toBeNull()
  })

  test('gives the same log wherever the engine cut it', async () => {
    const events: EventBody[] = [
      { type: 'message', text: '🧵' },
      { type: 'output', stream: 'stdout', text: 'ok' },
      { type: 'step', step: 1, maxSteps: 2 },
    ]
    const bytes = Buffer.from(`é\n${lines(1, ...events)}raw {"n": \n{"n":`)
    const cutLog = async (at: number) => {
      const own = new Desk()
      await own.record(cutAt(bytes, at))
      const { text, heard } = own
      own.remove()
      return { text, heard: heard.length, at }
    }
    const want = 'é\n› 🧵\nok\n· step 1 of 2\nraw {"n": \n{"n":\n'
    const everywhere = await Promise.all(Array.from({ length: bytes.length + 1 }, (_, at) => cutLog(at)))
    for (const { text, heard, at } of everywhere) expect({ text, heard, at }).toEqual({ text: want, heard: 3, at })
  })

  test('gives the same log when it comes byte by byte', async () => {
    const bytes = Buffer.from(lines(1, ...transcript))
    await desk.record([...bytes].map((byte) => out(Buffer.from([byte]))))
    expect(desk.text).toBe(transcriptLog)
    expect(desk.activity).toBe(bytes.length)
  })

  test('is kept byte for byte if it is no event line, two streams line by line', async () => {
    await desk.record([out('one\ntw'), err('un\nde'), out('o\n\x1b[31mthree'), err('ux\r\n'), out('\x1b[0m\0\n')])
    expect(desk.text).toBe('one\nun\ntwo\ndeux\r\n\x1b[31mthree\x1b[0m\0\n')
  })

  test('becomes valid UTF-8 and nothing else if it is binary', async () => {
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, index) => (index * 7919) % 256))
    const frames = Array.from({ length: 100 }, (_, index) => err(bytes.subarray(index * 1000, index * 1000 + 1000)))
    await desk.record(frames)
    expect(isUtf8(desk.log)).toBe(true)
    expect(desk.text).toBe(`${bytes.toString('utf8')}\n`)
  })

  longTest('arrives in linear time as one 50 MB line, split where it is too long', async () => {
    const chunk = Buffer.alloc(50_000, 97)
    await desk.record(Array.from({ length: 1000 }, () => out(chunk)))
    const got = desk.text.split('\n')
    expect(got).toHaveLength(Math.ceil(50_000_000 / 1024 ** 2) + 1)
    expect(got[0]).toBe(`${'a'.repeat(1024 ** 2)} …↩`)
    expect(desk.text.replaceAll(' …↩\n', '').length).toBe(50_000_001)
  })

  longTest('keeps of 200 MB the beginning and the end, and says what is missing', async () => {
    desk.remove()
    desk = new Desk({ logBytes: 100_000, tailBytes: 1000 })
    const line = (number: number) => `${String(number).padStart(9, '0')} ${'x'.repeat(89)}\n`
    const chunk = 1000
    async function* flood(): AsyncIterable<OutputFrame> {
      for (let number = 0; number < 2_000_000; number += chunk)
        yield out(Array.from({ length: chunk }, (_, index) => line(number + index)).join(''))
    }
    const recorded = await desk.record(flood())
    const got = desk.text.split('\n')
    expect(got.slice(0, 1000).every((text, index) => `${text}\n` === line(index))).toBe(true)
    expect(got[1000]).toMatch(/^! this log has reached 100000 bytes/)
    expect(got[1001]).toBe(`! ${recorded.droppedBytes} bytes were left out here`)
    expect(got.slice(1002)).toEqual([
      ...Array.from({ length: 10 }, (_, index) => line(1_999_990 + index).trimEnd()),
      '',
    ])
    expect(recorded.droppedBytes).toBe(200_000_000 - 100_000 - 1000)
    expect(recorded.lines).toBe(got.length - 1)
  })
})

describe('an event line is a claim', () => {
  const body: EventBody = { type: 'message', text: 'hello' }

  test('and if it is not due, it is output: repeated, from the future, or without a number', async () => {
    const forged = [lines(1, body), lines(9, body), `{"n":"2","at":1,"type":"message","text":"x"}\n`].join('')
    await desk.record([out(lines(1, body)), out(forged), out(lines(2, body))])
    expect(desk.heard.map(({ n }) => n)).toEqual([1, 2])
    expect(desk.text).toBe(`› hello\n${forged}› hello\n`)
  })

  test('and on stderr it is output', async () => {
    await desk.record([err(lines(1, body))])
    expect(desk.heard).toEqual([])
    expect(desk.text).toBe(lines(1, body))
  })

  test('and above 64 KiB it is output, at exactly that it is not', async () => {
    const empty = Buffer.byteLength(lines(1, { type: 'message', text: '' })) - 1
    const fits = lines(1, { type: 'message', text: 'x'.repeat(64 * 1024 - empty) })
    const tooLong = lines(2, { type: 'message', text: 'x'.repeat(64 * 1024 - empty + 1) })
    await desk.record([out(fits), out(tooLong)])
    expect(desk.heard.map(({ n }) => n)).toEqual([1])
    expect(desk.text.endsWith(tooLong)).toBe(true)
  })

  test('and the last one counts even without its newline', async () => {
    await desk.record([out(lines(1, body).trimEnd())])
    expect(desk.heard).toHaveLength(1)
    expect(desk.text).toBe('› hello\n')
  })

  test('and a flood of them stops filling the rows, visibly, but not the log', async () => {
    desk.remove()
    desk = new Desk({ events: 10 })
    await desk.record([out(lines(1, ...Array.from({ length: 50 }, () => body)))])
    expect(desk.store.events.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 10 }, () => 'message'),
      'warning',
    ])
    expect(desk.text.match(/^› hello$/gm)).toHaveLength(50)
    expect(desk.text).toMatch(/^! this session has written 10 events/m)
  })

  test('and a few long ones stop filling the rows as many short ones do', async () => {
    desk.remove()
    desk = new Desk({ eventBytes: 8 * 1024 })
    const text = 'x'.repeat(1000)
    await desk.record([out(lines(1, ...Array.from({ length: 50 }, () => ({ type: 'message', text }) as const)))])
    expect(desk.store.events).toHaveLength(10)
    expect(desk.store.events.at(-1)?.type).toBe('warning')
    expect(desk.text.match(/^› x+$/gm)).toHaveLength(50)
    expect(desk.text).toMatch(/^! this session has written 8 KiB of events: later ones are in the log only$/m)
  })

  test('and its contents are bounded in its row', async () => {
    const long = 'é'.repeat(20_000)
    await desk.record([
      out(lines(1, { type: 'tool_call', call: 'c', tool: 'bash', arguments: long })),
      out(lines(2, { type: 'tool_result', call: 'c', tool: 'bash', ok: false, text: long, durationMs: 1 })),
    ])
    expect(desk.store.events.map(({ data }) => JSON.stringify(data).length < 4500)).toEqual([true, true])
    expect(desk.text).toContain(`  ${long}\n`)
  })

  test('and the last 256 KiB of agent text are kept for the runner', async () => {
    const text = 'x'.repeat(60_000)
    const { messages } = await desk.record([
      out(lines(1, ...Array.from({ length: 10 }, () => ({ type: 'message', text }) as const))),
    ])
    expect(messages).toHaveLength(4)
  })
})

test('a listener that reads slower than a session prints is waited for before more is read', async () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => (open = resolve))
  const read: number[] = []
  async function* frames() {
    for (const n of [1, 2, 3]) {
      read.push(n)
      yield out(lines(n, { type: 'warning', text: `${n}` }))
    }
  }
  let full = false
  desk.room = () => (full ? null : ((full = true), opened))
  const recorded = desk.record(frames())
  await expect.poll(() => desk.heard.length).toBe(1)
  expect(read).toEqual([1])
  open()
  await recorded
  expect(desk.heard).toHaveLength(3)
})
