import { readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { applySgr, foldSgr, plainStyle, sgrOf } from '@beadloom/core/text/sgr.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { BLOCK_LINES } from '../ports/logs.ts'
import type { OutputFrame } from '../ports/sandbox.ts'
import { unrecorded } from '../ports/store/sessions.ts'
import { LineIndex } from './files/line-index.ts'
import { logPaths } from './files/log-paths.ts'
import { Desk, dice, out, session } from './testing.ts'

/* The style with which each block of a log begins. */

const ESC = '\x1b'
let desk: Desk
beforeEach(() => {
  desk = new Desk()
})
afterEach(() => desk.remove())

const file = () => logPaths(desk.folder, session).styles
const styles = (blocks: number) =>
  Promise.all(Array.from({ length: blocks }, (_, block) => desk.parts.logs.styleAt(session, block)))

/** The style at the beginning of each block, found by reading the whole text. */
const folded = (text: string): string[] => {
  const lines = text.split('\n')
  return Array.from({ length: Math.floor((lines.length - 1) / BLOCK_LINES) + 1 }, (_, block) =>
    sgrOf(foldSgr(plainStyle, lines.slice(0, block * BLOCK_LINES).join('\n'))),
  )
}

const sequences = [
  '31',
  '1;32',
  '0',
  '',
  '39',
  '22',
  '38;5;208',
  '48;2;1;2;3',
  '38:2::9:8:7',
  '4:3',
  '7',
  '>4;2',
  '1 ',
  `${'0'.repeat(30)}31`,
  `${'0'.repeat(30)}32`,
]
/** Lines with colours here and there, whole or broken; some are never reset. */
function coloured(lines: number, roll: (below: number) => number): string {
  const say = [
    () => `${ESC}[${sequences[roll(sequences.length)]}m`,
    () => `${ESC}[${roll(110)};${roll(256)}m`,
    () => [`${ESC}[3`, ESC, `${ESC}]0;[31m`, '[31m', `\x08${ESC}[2K`, `${ESC}[${'1;'.repeat(40)}m`][roll(6)],
  ]
  return Array.from({ length: lines }, (_, n) =>
    roll(40) === 0 ? `${n}${say[roll(3)]?.()}é${say[roll(3)]?.()}\n` : `${n} plain\n`,
  ).join('')
}

const cut = (text: string, roll: (below: number) => number): OutputFrame[] => {
  const bytes = Buffer.from(text)
  const frames: OutputFrame[] = []
  for (let at = 0; at < bytes.length;) {
    const end = at + 1 + roll(5000)
    frames.push(out(bytes.subarray(at, end)))
    at = end
  }
  return frames
}

test('is what all lines before it leave, however the output came', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    desk.remove()
    desk = new Desk()
    const roll = dice(seed)
    const text = coloured(512 * 6 + roll(512), roll)
    await desk.record(cut(text, roll))
    expect(desk.text).toBe(text)
    const want = folded(text)
    expect(want.filter((style) => style !== '')).not.toEqual([])
    expect(await styles(want.length)).toEqual(want)
  }
})

test('continues across a restart', async () => {
  const roll = dice(42)
  const text = coloured(512 * 5, roll)
  const frames = cut(text, roll)
  for (const part of [0.3, 0.31, 0.8]) {
    const read = frames.slice(0, Math.floor(frames.length * part))
    await expect(desk.record(read, undefined, AbortSignal.abort())).rejects.toThrow('let go')
    const next = desk.killed()
    desk.remove()
    desk = next
    await desk.parts.recoverLogs()
  }
  await desk.record(frames)
  expect(await styles(6)).toEqual(folded(text))
})

test('is unknown for a missing block', async () => {
  await desk.record([out('one\n')])
  expect(await styles(2)).toEqual(['', null])
})

test('for an older log is found on request, and noted', async () => {
  const text = coloured(512 * 8, dice(8))
  await desk.record([out(text)])
  const noted = readFileSync(file())
  rmSync(file())
  const want = folded(text)
  expect(await desk.parts.logs.styleAt(session, 3)).toBe(want[3])
  expect(await styles(want.length)).toEqual(want)
  expect(readFileSync(file()).subarray(noted.length / 9)).toEqual(noted.subarray(noted.length / 9))
})

test('is never looked for twice in the same part of a log', async () => {
  const text = coloured(512 * 8, dice(8))
  const want = folded(text)
  await desk.record([out(text)])
  rmSync(file())
  await desk.parts.logs.styleAt(session, 5)
  const { log } = logPaths(desk.folder, session)
  const index = readFileSync(logPaths(desk.folder, session).index)
  const known = Number(index.readBigUInt64LE(5 * 8))
  const rest = readFileSync(log).subarray(known)
  writeFileSync(log, Buffer.concat([Buffer.alloc(known, 'x'), rest])) // reading from the start would give wrong styles
  expect(await styles(9)).toEqual(want)
})

test.each<[string, (path: string) => void]>([
  ['zeros', (path) => writeFileSync(path, Buffer.alloc(statSync(path).size))],
  ['cut', (path) => truncateSync(path, 33)],
  ['something else', (path) => writeFileSync(path, 'x'.repeat(500))],
])('is made again from the log if the notes are %s', async (_, damage) => {
  const text = coloured(512 * 6, dice(6))
  await desk.record([out(text)])
  damage(file())
  expect(await styles(7)).toEqual(folded(text))
  damage(file())
  desk.again().recorder.note(session, 'one more line')
  await desk.parts.idle()
  expect(await styles(7)).toEqual(folded(text))
})

test('is no longer that of lines which a power cut has taken', async () => {
  const text = `${ESC}[31m${'red\n'.repeat(1200)}`
  const plain = `${'plain\n'.repeat(600)}`
  await desk.record([out(plain), out(text)])
  desk.store.checkpoints.set(session, { ...unrecorded, logBytes: plain.length, logLines: 600, stdout: plain.length })
  await desk.parts.recoverLogs()
  await desk.record([out(plain + 'and so on\n'.repeat(1200))])
  expect(await styles(4)).toEqual(['', '', '', ''])
})

test('is folded from bytes as from text, sequence by sequence', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const text = coloured(300, dice(seed)).repeat(2)
    const index = new LineIndex(0, 0, applySgr(plainStyle, '7;35'))
    index.append(Buffer.from(text))
    expect(index.style).toEqual(foldSgr(applySgr(plainStyle, '7;35'), text))
  }
})

test('follows a program that paints with every colour there is', () => {
  const index = new LineIndex()
  for (let n = 0; n < 20_000; n++)
    index.append(Buffer.from(`${ESC}[38;2;${n & 255};${(n >> 8) & 255};7m${ESC}[48;5;${n & 255}m▀\n`))
  expect(sgrOf(index.style)).toBe('38;2;31;78;7;48;5;31')
})
