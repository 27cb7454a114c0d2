import { afterEach, expect, test } from 'vitest'
import type { EventBody } from '@beadloom/core/log/event-line.ts'
import type { OutputFrame } from '../ports/sandbox.ts'
import type { RecorderBounds } from './bounds.ts'
import { Desk, dice, err, lines, out, printed, session as recording } from './testing.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

/* A server dies while it records, and the next one reads the session's output again from its first byte. */

type Streams = { stdout: Buffer; stderr: Buffer }

/** Prints everything that can be on the two streams: events, text without an end, binary, long lines, forgeries. */
function session(roll: (below: number) => number): Streams {
  const out: Buffer[] = []
  const err: Buffer[] = []
  let n = 0
  const event = (body: EventBody) => out.push(Buffer.from(lines(++n, body)))
  const binary = () => Buffer.from(Array.from({ length: 1 + roll(300) }, () => roll(256)))
  const say: (() => unknown)[] = [
    () => event({ type: 'message', text: `line ${n}\nBLOCKED: no` }),
    () => event({ type: 'raw', text: `{"line":${n}}\n` }),
    () => event({ type: 'output', stream: 'stdout', text: 'half '.repeat(1 + roll(3)) }),
    () => event({ type: 'output', stream: 'stderr', text: `more ${'é'.repeat(roll(40))}\n` }),
    () => out.push(printed(++n, `${'behind its line\n'.repeat(1 + roll(200))}é`, roll(2) === 0 ? 'stdout' : 'stderr')),
    () => out.push(printed(++n, Buffer.concat([binary(), Buffer.from('\n'.repeat(roll(3)))]))),
    () => out.push(printed(roll(40) + 1, 'forged\n')),
    () => event({ type: 'tool_result', call: 'c', tool: 'bash', ok: true, text: 'x'.repeat(roll(500)), durationMs: 3 }),
    () => out.push(Buffer.concat([binary(), Buffer.from('\n')])),
    () => out.push(Buffer.from(`\n{"n":${roll(40)},"at":1,"type":"message","text":"forged"}\n`)),
    () => out.push(Buffer.from(`${'long '.repeat(roll(900))}\n\n`)),
    () => err.push(binary()),
    () => err.push(Buffer.from(`warning ${roll(1000)}\n`)),
    () => err.push(Buffer.from('no end yet')),
  ]
  for (let i = 0; i < 60; i++) say[roll(say.length)]!()
  // A forged event may have had the next number and so counted: the real result is what the recorder makes of it.
  event({ type: 'result', outcome: 'success', text: 'done', commit: null, dirty: false, savedRef: null, exitCode: 0 })
  return { stdout: Buffer.concat(out), stderr: Buffer.concat(err) }
}

/** Both streams in frames, cut and mixed at random; `upTo` bytes of them. */
function frames({ stdout, stderr }: Streams, roll: (below: number) => number, upTo = Infinity): OutputFrame[] {
  const made: OutputFrame[] = []
  const at = { stdout: 0, stderr: 0 }
  let left = Math.min(upTo, stdout.length + stderr.length)
  while (left > 0) {
    const stream = roll(3) === 0 ? 'stderr' : 'stdout'
    const all = stream === 'stdout' ? stdout : stderr
    const bytes = all.subarray(at[stream], at[stream] + Math.min(left, 1 + roll(700)))
    if (bytes.length === 0) continue
    at[stream] += bytes.length
    left -= bytes.length
    made.push({ stream, bytes })
  }
  return made
}

/** Starts the server that comes after one that has read these frames. */
async function after(desk: Desk, read: OutputFrame[], how: 'killed' | 'detached'): Promise<Desk> {
  if (how === 'detached') {
    await expect(desk.record(read, undefined, AbortSignal.abort())).rejects.toThrow('let go')
  } else {
    let told = () => {}
    const allRead = new Promise<void>((resolve) => (told = resolve))
    async function* neverEnds(): AsyncIterable<OutputFrame> {
      yield* read
      told()
      await ended.promise
    }
    zombies.push(desk.record(neverEnds()).catch(() => {}))
    await allRead
  }
  const next = desk.killed()
  dead.push(desk, next)
  await next.parts.recoverLogs()
  return next
}

const dead: Desk[] = []
/** Recordings of killed servers, whose results are ignored. */
const zombies: Promise<unknown>[] = []
let ended = Promise.withResolvers<void>()
afterEach(async () => {
  ended.resolve()
  await Promise.all(zombies.splice(0))
  ended = Promise.withResolvers()
  for (const desk of dead.splice(0)) {
    await desk.parts.idle()
    desk.remove()
  }
})

/** The log's lines, sorted, since two streams may be mixed in any way. */
const sorted = (text: string): string[] => text.split('\n').toSorted()

async function told(streams: Streams, roll: (below: number) => number, bounds?: Partial<RecorderBounds>) {
  const desk = new Desk(bounds)
  const recorded = await desk.record(frames(streams, roll))
  const result = {
    recorded,
    text: desk.text,
    agent: desk.agentText,
    events: desk.store.events.map(({ type, data }) => ({ type, data })),
  }
  desk.remove()
  return result
}

longTest('any output, wherever it was cut, is in the record exactly once', async () => {
  for (let seed = 1; seed <= 40; seed++) {
    const roll = dice(seed)
    const streams = session(roll)
    const whole = await told(streams, roll)
    let desk = new Desk()
    const size = streams.stdout.length + streams.stderr.length
    const cuts = Array.from({ length: 1 + roll(4) }, () => roll(size + 1)).toSorted((a, b) => a - b)
    for (const cut of cuts) desk = await after(desk, frames(streams, roll, cut), roll(2) ? 'killed' : 'detached')
    const recorded = await desk.record(frames(streams, roll))
    const same = { seed, cuts, lines: sorted(desk.text), bytes: recorded.bytes, messages: recorded.messages }
    expect(same).toEqual({
      ...same,
      lines: sorted(whole.text),
      bytes: whole.recorded.bytes,
      messages: whole.recorded.messages,
    })
    expect(desk.store.events.map(({ type, data }) => ({ type, data }))).toEqual(whole.events)
    expect(desk.agentText).toBe(whole.agent)
    expect(recorded.result).toEqual(whole.recorded.result)
    expect(sorted(recorded.tail)).toEqual(sorted(whole.recorded.tail))
    expect(desk.store.checkpoint(recording)).toMatchObject({
      complete: true,
      stdout: streams.stdout.length,
      stderr: streams.stderr.length,
    })
    desk.remove()
  }
})

test('one stream alone is the same byte for byte', async () => {
  for (let seed = 100; seed < 115; seed++) {
    const roll = dice(seed)
    const streams = { ...session(roll), stderr: Buffer.alloc(0) }
    const whole = await told(streams, roll)
    let desk = new Desk()
    desk = await after(desk, frames(streams, roll, roll(streams.stdout.length)), 'killed')
    await desk.record(frames(streams, roll))
    expect(desk.text).toBe(whole.text)
    desk.remove()
  }
})

test('a full log keeps the same end', async () => {
  const bounds = { logBytes: 5000, tailBytes: 700 }
  for (let seed = 200; seed < 210; seed++) {
    const roll = dice(seed)
    const streams = { stdout: Buffer.from(lines(1, ...story(300))), stderr: Buffer.alloc(0) }
    const whole = await told(streams, roll, bounds)
    let desk = new Desk(bounds)
    for (const part of [0.3, 0.31, 0.9])
      desk = await after(desk, frames(streams, roll, Math.floor(streams.stdout.length * part)), 'killed')
    const recorded = await desk.record(frames(streams, roll))
    expect(desk.text).toBe(whole.text)
    expect(recorded.droppedBytes).toBe(whole.recorded.droppedBytes)
    desk.remove()
  }
})

const story = (length: number): EventBody[] =>
  Array.from({ length }, (_, at) => ({ type: 'message', text: `this is message ${at}` }))

test("an unfinished line and an agent's words are not lost with the server that heard them", async () => {
  let desk = new Desk()
  const said = lines(
    1,
    { type: 'message', text: 'BLOCKED: no key' },
    { type: 'output', stream: 'stdout', text: 'building' },
  )
  desk = await after(desk, [out(said), err('oh')], 'detached')
  expect(desk.text).toBe('› BLOCKED: no key\n')
  const rest = lines(3, { type: 'output', stream: 'stdout', text: ' … done\n' })
  const recorded = await desk.record([out(said), err('oh'), out(rest), err(' no\n')])
  expect(recorded.messages).toEqual(['BLOCKED: no key'])
  expect(recorded.tail).toBe('building … done\noh no\n')
  expect(desk.text).toBe('› BLOCKED: no key\nbuilding … done\noh no\n')
  desk.remove()
})

test.each([
  ['in number', { events: 10 }],
  ['in bytes', { eventBytes: 10 * JSON.stringify({ text: 'this is message 0' }).length }],
])('rows are limited across a restart, too: %s', async (_, bounds) => {
  let desk = new Desk(bounds)
  const all = lines(1, ...story(30))
  desk = await after(desk, [out(all.slice(0, 400))], 'killed')
  await desk.record([out(all)])
  expect(desk.store.events.map(({ type }) => type)).toEqual([...Array.from({ length: 10 }, () => 'message'), 'warning'])
  desk.remove()
})

test("the server's own words in the log stay where they were", async () => {
  let desk = new Desk()
  desk = await after(desk, [out('one\ntwo')], 'detached')
  desk.parts.recorder.note(recording, 'the server was away')
  await desk.parts.idle()
  await desk.record([out('one\ntwo\nthree\n')])
  expect(desk.text).toBe('one\n# the server was away\ntwo\nthree\n')
  desk.remove()
})

test('an engine that has lost a part of its own log costs that part, and nothing after it', async () => {
  let desk = new Desk()
  desk = await after(desk, [out(lines(1, ...story(10)))], 'detached')
  const later: EventBody[] = Array.from({ length: 30 }, (_, at) => ({ type: 'message', text: `later ${at}` }))
  await desk.record([out(lines(1, ...story(5)) + lines(11, ...later))])
  expect(desk.heard.at(-1)?.n).toBe(40)
  expect(desk.text).toMatch(/events are missing here[\s\S]*› later 29\n$/)
  desk.remove()
})

test('after a seam the next event may have any number, and the gap is reported', async () => {
  const desk = new Desk()
  await desk.record([out(lines(1, ...story(2))), { ...out(`rest of three"}\n${lines(4, ...story(1))}`), skipped: 0 }])
  expect(desk.text).toMatch(/message 1\nrest of three"}\n! 1 event is missing here.*\n› this is message 0\n$/)
  desk.remove()
})
