import { chmodSync, readdirSync, readFileSync, renameSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { MOST_OF_A_RECORD, OutputReader } from '@beadloom/core/supervisor/output-record.ts'
import type { SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import { deadRecords } from '@beadloom/core/supervisor/dead-spool.ts'
import { orderName, parseOrderName } from '@beadloom/core/supervisor/spool-order.ts'
import { expect, test } from 'vitest'
import { afterKill, clock, newSpool, readAll, write } from '../testing/spool-kit.ts'

const end: SessionEnd = {
  how: 'exited',
  code: 0,
  signal: null,
  killed: false,
  memoryKills: null,
  leftBehind: 0,
  startedAt: 1,
  finishedAt: 2,
  detail: '',
}

test('output is served in the order in which it was seen', async () => {
  const spool = await newSpool()
  for (const [stream, text] of [
    ['stdout', 'a'],
    ['stderr', 'b'],
    ['stderr', 'c'],
    ['stdout', 'd'],
  ] as const) {
    write(spool, stream, text)
    spool.look()
  }
  write(spool, 'stderr', 'f')
  write(spool, 'stdout', 'e') // seen at once: standard output first
  expect(readAll(spool).records).toEqual(['stdout a', 'stderr b', 'stderr c', 'stdout d', 'stdout e', 'stderr f'])
  expect(readAll(spool).ended).toBe(false)
  spool.end(end)
  expect(readAll(spool)).toMatchObject({ ended: true })
})

test('the same bytes are at the same offset, whatever the size of the requests', async () => {
  const spool = await newSpool()
  write(spool, 'stdout', 'x'.repeat(40_000))
  spool.look()
  write(spool, 'stderr', 'y'.repeat(100))
  spool.end(end)
  const whole = readAll(spool).bytes
  expect(readAll(spool, 0, 7).bytes.equals(whole)).toBe(true)
  for (const offset of [1, 10, 11, 12, MOST_OF_A_RECORD + 10, MOST_OF_A_RECORD + 11, whole.length - 1]) {
    expect(readAll(spool, offset, 1000).bytes.equals(whole.subarray(offset)), `from ${offset}`).toBe(true)
  }
  expect(spool.read(whole.length, 100)).toMatchObject({ from: whole.length, ended: true })
})

test('pieces of 32 KiB hold whole records', async () => {
  const spool = await newSpool()
  write(spool, 'stdout', 'x'.repeat(200_000))
  for (let at = 0; ;) {
    const piece = spool.read(at, 32 * 1024)
    if (piece.bytes.length === 0) break
    const reader = new OutputReader(at)
    reader.take(piece.bytes)
    at += piece.bytes.length
    expect(reader.complete).toBe(at)
  }
})

test('the next supervisor serves the same bytes at the same offsets, and then unseen ones', async () => {
  const spool = await newSpool()
  write(spool, 'stderr', 'one')
  spool.look()
  write(spool, 'stdout', 'two')
  const seen = readAll(spool)
  write(spool, 'stderr', 'four')
  write(spool, 'stdout', 'x'.repeat(MOST_OF_A_RECORD) + 'three')
  const next = await afterKill(spool)
  expect(next.ended).toBe(false)
  next.end({ ...end, how: 'unknown' })
  const { records, bytes, ended } = readAll(next)
  expect(bytes.subarray(0, seen.at).equals(seen.bytes)).toBe(true)
  expect(records.map((one) => one.slice(0, 12))).toEqual([
    'stderr one',
    'stdout two',
    'stdout xxxxx',
    'stdout three',
    'stderr four',
    'note {"note"',
  ])
  expect(ended).toBe(true)
  const last = await afterKill(next)
  expect(last.ended).toBe(true)
  expect(readAll(last).bytes.equals(bytes)).toBe(true)
})

test('acknowledged and dropped output is a gap that ends at a record', async () => {
  const spool = await newSpool()
  for (const text of ['first', 'second', 'third']) {
    write(spool, 'stdout', text)
    spool.look()
  }
  const second = 2 * 11 + 'first'.length + 'second'.length
  spool.acknowledged(second - 1) // half a record is not dropped
  expect(readAll(spool, 0)).toMatchObject({ gaps: [[0, 16]], records: ['stdout second', 'stdout third'] })
  spool.acknowledged(second)
  spool.acknowledged(3) // from a server that is late
  expect(readAll(spool, 0)).toMatchObject({ gaps: [[0, second]], records: ['stdout third'] })
  spool.acknowledged(10_000_000)
  expect(spool.isStored).toBe(true)
  write(spool, 'stdout', 'fourth')
  expect(spool.isStored).toBe(false)
})

test('the files are emptied when all of it is stored, and the numbers continue', async () => {
  const spool = await newSpool()
  write(spool, 'stdout', 'before')
  write(spool, 'stderr', 'it')
  spool.look()
  expect(() => spool.cut()).toThrow()
  const { at } = readAll(spool)
  spool.acknowledged(at)
  spool.cut()
  expect(spool.size()).toBe(0)
  write(spool, 'stderr', 'after')
  expect(readAll(spool, at).records).toEqual(['stderr after'])
  const next = await afterKill(spool)
  expect(readAll(next, at).records).toEqual(['stderr after'])
  expect(readAll(next, 0).gaps).toEqual([[0, at]])
})

test.each(['nothing', 'the order', 'standard output too', 'everything'])(
  'a death while the files are emptied, when %s was empty, loses and repeats nothing',
  async (done) => {
    const spool = await newSpool()
    write(spool, 'stdout', 'before')
    write(spool, 'stderr', 'it')
    const { at } = readAll(spool)
    spool.acknowledged(at)
    renameSync(join(spool.folder, 'order.0'), join(spool.folder, `cutting.${at}`))
    const emptied = { nothing: [], 'the order': [`cutting.${at}`], 'standard output too': [`cutting.${at}`, 'stdout'] }
    const names = emptied[done as keyof typeof emptied] ?? [`cutting.${at}`, 'stdout', 'stderr']
    for (const name of names) {
      chmodSync(join(spool.folder, name), 0o600)
      truncateSync(join(spool.folder, name))
    }
    const next = await afterKill(spool)
    next.end(end)
    expect(readAll(next, at)).toMatchObject({ gaps: [], ended: true, records: [expect.stringMatching(/^note/)] })
    expect(readdirSync(next.folder).toSorted()).toEqual([`order.${at}`, 'stderr', 'stdout'])
  },
)

test('waiting readers are told of growth and of the end', async () => {
  const spool = await newSpool()
  let told = 0
  const unwatch = spool.watch(() => (told += 1))
  spool.look()
  expect(told).toBe(0)
  write(spool, 'stdout', 'x')
  spool.look()
  expect(told).toBe(1)
  unwatch()
  spool.end(end)
  expect(told).toBe(1)
})

test("a reader of a dead session's folder finds the records that a supervisor would serve", async () => {
  const spool = await newSpool()
  write(spool, 'stdout', 'dropped')
  spool.acknowledged(readAll(spool).at)
  expect(spool.isStored).toBe(true)
  spool.cut()
  for (const [stream, text] of [
    ['stderr', 'a'],
    ['stdout', 'b'],
  ] as const) {
    write(spool, stream, text)
    spool.note({ note: 'disk-full' })
  }
  write(spool, 'stderr', 'unseen')
  write(spool, 'stdout', 'x'.repeat(50_000))
  const names = readdirSync(spool.folder).flatMap((name) => parseOrderName(name) ?? [])
  const order = readFileSync(join(spool.folder, orderName(names[0]!.offset)))
  const files = {
    stdout: readFileSync(join(spool.folder, 'stdout')),
    stderr: readFileSync(join(spool.folder, 'stderr')),
  }
  const sizes = { stdout: files.stdout.length, stderr: files.stderr.length }
  const halves = [order.subarray(0, 20), order.subarray(20)]
  const dead = await allOf(deadRecords(halves, names[0]!.offset, sizes, clock.now()))
  const next = await afterKill(spool)
  const served = readAll(next, names[0]!.offset)
  expect(dead.map(({ start }) => start)).toEqual(startsOf(served.bytes, names[0]!.offset))
  const told = dead.map(({ kind, payload, position, length }) => {
    const bytes = kind === 'note' ? payload! : files[kind].subarray(position, position + length)
    return `${kind} ${Buffer.from(bytes)}`
  })
  expect(told).toEqual(served.records)
  const nothing = { stdout: 0, stderr: sizes.stderr }
  const cut = await allOf(deadRecords([order], names[0]!.offset, nothing, 1))
  expect(cut.map(({ kind }) => kind)).toEqual(['stderr', 'note', 'note', 'stderr'])
})

function startsOf(bytes: Buffer, from: number): number[] {
  const starts: number[] = []
  for (let at = 0; at < bytes.length; at += 11 + bytes.readUInt32BE(at + 7)) starts.push(from + at)
  return starts
}

async function allOf<T>(lots: AsyncIterable<T[]>): Promise<T[]> {
  const all: T[] = []
  for await (const lot of lots) all.push(...lot)
  return all
}
