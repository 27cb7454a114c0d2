import { appendFileSync, mkdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { LogMarks } from '@beadloom/core/log/log-marks.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { OutputFrame } from '../ports/sandbox.ts'
import type { RecorderBounds } from './bounds.ts'
import { RECORD_BYTES, writeRecord } from './files/line-mark.ts'
import { logPaths } from './files/log-paths.ts'
import { Desk, dice, err, lines, out, session } from './testing.ts'

/* Tells when a log's lines were printed, and which of them on standard error. */

const BEGIN = Date.UTC(2026, 5, 1)
let desk: Desk
const desks: Desk[] = []
beforeEach(() => start())
afterEach(() => desks.splice(0).forEach((one) => one.remove()))

function start(bounds?: Partial<RecorderBounds>): Desk {
  desk = new Desk(bounds)
  desks.push(desk)
  return desk
}

const at = (frame: OutputFrame, ms: number): OutputFrame => ({ ...frame, at: BEGIN + ms })
const file = () => logPaths(desk.folder, session).marks
const told = async (from = 0, to = 2 ** 40) => LogMarks.parse(await desk.parts.logs.marks(session, from, to))

/** The mark of each line: its time in milliseconds since the beginning, and `!` for standard error. */
async function eachLine(from = 0, to = 2 ** 40): Promise<string[]> {
  const marks = await told(from, to)
  const says = Array.from({ length: marks.to - marks.from }, () => '-')
  for (const [index, [line, time]] of marks.times.entries()) {
    const next = marks.times[index + 1]?.[0] ?? marks.to
    says.fill(`${time - BEGIN}`, line - marks.from, next - marks.from)
  }
  for (const [first, last] of marks.stderr) for (let line = first; line <= last; line++) says[line - marks.from] += '!'
  return says
}

/** Frames of one line each, whose text says what its mark should be. */
const tellingFrames = (count: number, roll: (below: number) => number): OutputFrame[] =>
  Array.from({ length: count }, (_, n) =>
    roll(3) === 0 ? at(err(`${n * 1000}!\n`), n * 1000) : at(out(`${n * 1000}\n`), n * 1000),
  )

/** Starts the server after one that read these frames and let go, or was killed with marks that were not committed. */
async function after(frames: OutputFrame[], how: 'let go' | 'killed'): Promise<void> {
  await expect(desk.record(frames, undefined, AbortSignal.abort())).rejects.toThrow('let go')
  desk = desk.killed()
  desks.push(desk)
  if (how === 'killed') {
    const uncommitted = Buffer.alloc(60 * RECORD_BYTES)
    const line = desk.parts.logs.state(session)?.lines ?? 0
    for (let n = 0; n < 60; n++) writeRecord(uncommitted, n * RECORD_BYTES, { line: line + n * 3, at: 1, stderr: true })
    appendFileSync(file(), Buffer.concat([uncommitted, Buffer.from('half a')]))
  }
  await desk.parts.recoverLogs()
}

test('a line has the time at which its end came, and its stream', async () => {
  await desk.record([
    at(out('one\ntw'), 0),
    at(err('un\nde'), 1000),
    at(out('o\n'), 2000),
    at(err('ux\ntrois\n'), 3000),
    at(out('three'), 4000),
  ])
  expect(desk.text).toBe('one\nun\ntwo\ndeux\ntrois\nthree\n')
  expect(await eachLine()).toEqual(['0', '1000!', '2000', '3000!', '3000!', '4000'])
  expect(await told()).toMatchObject({ from: 0, to: 6, stderr: [[1, 1], [3, 4]] }) // prettier-ignore
})

test("a command's standard error is distinguished from the agent's words", async () => {
  await desk.record([
    at(out(lines(1, { type: 'message', text: 'I try\nit' })), 0),
    at(out(lines(2, { type: 'output', stream: 'stderr', text: 'no such file\n' })), 500),
    at(out(lines(3, { type: 'output', stream: 'stdout', text: 'ok\n' })), 600),
  ])
  expect(await eachLine()).toEqual(['0', '0', '500!', '600'])
})

test('lines that come at nearly the same time share it; an unknown time is that of the reading', async () => {
  await desk.record([at(out('a\n'), 0), at(out('b\n'), 99), at(out('c\n'), 100), at(out('d\n'), 0), out('e\n')])
  expect(await eachLine()).toEqual(['0', '0', '100', '0', `${1234 - BEGIN}`])
})

test('any part of a log has the same marks as the whole', async () => {
  const roll = dice(7)
  await desk.record(tellingFrames(1500, roll))
  const whole = desk.text.trimEnd().split('\n')
  expect(await eachLine()).toEqual(whole)
  for (let n = 0; n < 60; n++) {
    const [from, to] = [roll(1600), roll(1600)]
    const marks = await told(from, to)
    expect(await eachLine(from, to)).toEqual(whole.slice(from, Math.max(from, to)))
    if (from < Math.min(to, 1500)) expect(marks.times[0]?.[0]).toBe(from)
  }
})

test('a growing log has marks for its existing lines', async () => {
  const gate = Promise.withResolvers<void>()
  async function* frames() {
    yield at(out('0\n'), 0)
    yield at(err('1000!\n'), 1000)
    await gate.promise
  }
  const recorded = desk.record(frames())
  await expect.poll(() => eachLine()).toEqual(['0', '1000!'])
  gate.resolve()
  await recorded
})

test('across restarts each line keeps the time at which it was printed, whenever it was read', async () => {
  for (let seed = 1; seed <= 20; seed++) {
    const roll = dice(seed)
    start()
    const frames = tellingFrames(80, roll)
    const cuts = Array.from({ length: 1 + roll(3) }, () => roll(81)).toSorted((a, b) => a - b)
    for (const cut of cuts) await after(frames.slice(0, cut), roll(2) ? 'killed' : 'let go')
    await desk.record(frames)
    expect({ seed, cuts, marks: await eachLine() }).toEqual({ seed, cuts, marks: desk.text.trimEnd().split('\n') })
  }
})

test('the kept end of a full log has its own times, even after a restart', async () => {
  const frames = tellingFrames(2000, dice(3))
  start({ logBytes: 3000, tailBytes: 500 })
  await after(frames.slice(0, 1200), 'killed')
  await desk.record(frames)
  const text = desk.text.trimEnd().split('\n')
  const own = await eachLine()
  const printed = (line: string) => /^\d+!?$/.test(line)
  expect(own.filter((_, n) => printed(text[n] ?? ''))).toEqual(text.filter(printed))
  expect(text.at(-1)).toMatch(/^1999000/)
  expect(text.filter((line) => !printed(line))).toHaveLength(2)
})

test('a program that changes streams with every line fills no disk: then only times are noted, and seldom', async () => {
  start({ markBytes: 1200 })
  const frames = Array.from({ length: 5000 }, (_, n) => at(n % 2 ? err('\n') : out('\n'), n * 10))
  await desk.record(frames)
  expect(statSync(file()).size).toBeLessThanOrEqual(1200 + 6 * RECORD_BYTES)
  const own = await eachLine()
  expect(own.slice(0, 4)).toEqual(['0', '10!', '20', '30!'])
  expect(own.every((mark, n) => n * 10 - Number.parseInt(mark, 10) <= 10_000)).toBe(true)
  expect(own.at(-1)).not.toContain('!')
})

test('an older log has none, and its new lines do', async () => {
  await after([at(out('one\ntwo\n'), 0)], 'let go')
  rmSync(file())
  expect(await told()).toEqual({ from: 0, to: 2, times: [], stderr: [] })
  await desk.record([at(out('one\ntwo\nthree\n'), 5000)])
  expect(await eachLine()).toEqual(['-', '-', '5000'])
  expect(await eachLine(1)).toEqual(['-', '5000'])
})

test.each<[string, (path: string) => void]>([
  ['zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ['half of it', (path) => truncateSync(path, 31)],
  ['something else', (path) => writeFileSync(path, 'x'.repeat(500))],
  ['a folder', (path) => (rmSync(path), mkdirSync(path))],
])('a file of marks that is %s costs marks, never a line of the log', async (what, damage) => {
  const frames = tellingFrames(50, dice(9))
  await after(frames.slice(0, 30), 'let go')
  damage(file())
  await told()
  await desk.record(frames)
  const text = desk.text.trimEnd().split('\n')
  expect(text).toHaveLength(50)
  if (what === 'a folder') expect(desk.reported).not.toEqual([])
  else expect((await eachLine()).slice(30)).toEqual(text.slice(30))
})

test('randomly changed bytes are found out, or at least harm nobody', async () => {
  const frames = tellingFrames(400, dice(5))
  await desk.record(frames)
  const good = readFileSync(file())
  const roll = dice(11)
  let missing = 0
  for (let n = 0; n < 200; n++) {
    const bad = Buffer.from(good)
    const place = roll(bad.length)
    bad[place] = bad[place]! ^ (1 + roll(255))
    writeFileSync(file(), bad)
    const { times, stderr } = await told()
    expect(times).toEqual(times.toSorted(([a], [b]) => a - b))
    expect(stderr.every(([first, last]) => first <= last && last < 400)).toBe(true)
    if (times.length === 0) missing += 1
  }
  expect(missing).toBeGreaterThan(180)
})
