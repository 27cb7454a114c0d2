import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OutputSink } from '@beadloom/core/link/output-follower.ts'
import { HEAD_BYTES, putHead } from '@beadloom/core/supervisor/output-record.ts'
import type { SandboxLink } from '../../link/sandbox-link.ts'
import { systemClock } from '../../process/clock.ts'
import { OutputCopy } from './output-copy.ts'
import { SpoolOutput } from './spool-output.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'spool-output-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const never = new AbortController().signal

function record(text: string): Buffer {
  const bytes = Buffer.alloc(HEAD_BYTES + text.length)
  putHead(bytes, 0, { kind: 'stdout', at: 1, length: text.length })
  bytes.write(text, HEAD_BYTES)
  return bytes
}

/** A link whose other end is the test: it plays each `follow`, and sees the acknowledgements. */
function playedLink() {
  const follows: { from: number; sink: OutputSink }[] = []
  const acknowledged: number[] = []
  const link = {
    isClosed: false,
    isTaken: true,
    until: async () => true,
    follow: (_: string, from: number, sink: OutputSink) => {
      follows.push({ from, sink })
      return { acknowledge: (offset: number) => void acknowledged.push(offset), stop: () => {} }
    },
  }
  const next = async (count: number) => {
    while (follows.length < count) await nextTurn()
    return follows[count - 1]!
  }
  return { link: link as unknown as SandboxLink, next, acknowledged }
}

function outputOf(link: SandboxLink, copy: OutputCopy) {
  const errors: unknown[] = []
  const output = new SpoolOutput({
    session: 's',
    link,
    copy,
    over: never,
    forgotten: never,
    dead: async () => null,
    clock: systemClock,
    report: (error) => void errors.push(error),
  })
  const read = (async () => {
    let text = ''
    for await (const { bytes } of output) text += bytes.toString()
    return text
  })()
  return { read, errors }
}

const piece = (all: Buffer, from: number, to: number) =>
  ({ type: 'bytes', from, bytes: all.subarray(from, to) }) as const

test('half a record that a broken link delivers comes again by the next link and is no damage', async () => {
  const all = Buffer.concat([record('first'), record('second'), record('third')])
  const half = record('first').length + HEAD_BYTES + 3
  const { link, next, acknowledged } = playedLink()
  const { read, errors } = outputOf(link, new OutputCopy(join(root, 's'), systemClock))
  const one = await next(1)
  await one.sink.write(piece(all, 0, half))
  one.sink.closed('lost')
  const two = await next(2)
  expect(two.from).toBe(record('first').length)
  await two.sink.write(piece(all, two.from, all.length))
  two.sink.closed(null)
  expect(await read).toBe('firstsecondthird')
  expect(errors).toEqual([])
  while (acknowledged.at(-1) !== all.length) await nextTurn()
  const [copy] = readdirSync(join(root, 's'))
  expect(readFileSync(join(root, 's', copy!)).equals(all)).toBe(true)
})

test('data that comes while the disk writes goes together into the next write, and only written data is acknowledged', async () => {
  const copy = new OutputCopy(join(root, 's'), systemClock)
  const gates: (() => void)[] = []
  const writes: number[] = []
  const write = copy.write.bind(copy)
  copy.write = async (printed, stop) => {
    writes.push(printed.length)
    await new Promise<void>((open) => void gates.push(open))
    await write(printed, stop)
  }
  const all = Buffer.concat([1, 2, 3, 4].map((n) => record(`${n}`)))
  const size = all.length / 4
  const { link, next, acknowledged } = playedLink()
  const { read } = outputOf(link, copy)
  const { sink } = await next(1)
  for (let n = 0; n < 4; n++) await sink.write(piece(all, n * size, (n + 1) * size))
  sink.closed(null)
  expect({ writes, acknowledged }).toEqual({ writes: [1], acknowledged: [] })
  gates[0]!()
  while (gates.length < 2) await nextTurn()
  expect({ writes, acknowledged }).toEqual({ writes: [1, 3], acknowledged: [size] })
  gates[1]!()
  expect(await read).toBe('1234')
  while (acknowledged.length < 2) await nextTurn()
  expect(acknowledged).toEqual([size, all.length])
})

test('a disk that is much slower than the sandbox makes it wait', async () => {
  const copy = new OutputCopy(join(root, 's'), systemClock)
  let open = () => {}
  const gate = new Promise<void>((resolve) => void (open = resolve))
  const write = copy.write.bind(copy)
  copy.write = (printed, stop) => gate.then(() => write(printed, stop))
  const large = record('x'.repeat(16 * 1024))
  const { link, next } = playedLink()
  const { read } = outputOf(link, copy)
  const { sink } = await next(1)
  let taken = 0
  const flood = (async () => {
    for (; taken < 200; taken++) await sink.write({ type: 'bytes', from: taken * large.length, bytes: large })
    sink.closed(null)
  })()
  for (let turn = 0; turn < 1000; turn++) await nextTurn()
  expect(taken * large.length).toBeLessThan(1.1 * 1024 * 1024)
  open()
  await flood
  expect(await read).toHaveLength(200 * 16 * 1024)
})
