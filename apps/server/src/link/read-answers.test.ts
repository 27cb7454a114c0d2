import { PassThrough } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { SupervisorState } from '@beadloom/core/supervisor/session-control.ts'
import { readAnswer, readStates } from './read-answers.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const KIB = 1024
const lineOf = (starts: number): string => `${JSON.stringify({ starts, clean: true, sessions: [] })}\n`

/** Reads the states in a text that comes in pieces of so many characters. */
async function toldOf(text: string, piece = text.length): Promise<{ starts: number[]; isClosed: boolean }> {
  const stream = new PassThrough()
  const states: SupervisorState[] = []
  readStates(stream, (state) => states.push(state))
  for (let at = 0; at < text.length; at += piece) stream.push(text.slice(at, at + piece))
  await new Promise(setImmediate)
  return { starts: states.map(({ starts }) => starts), isClosed: stream.destroyed }
}

describe('the states of a supervisor', () => {
  test.each([1, 2, 7, 40])('are read line by line, in pieces of %i bytes', async (piece) => {
    expect(await toldOf(lineOf(1) + lineOf(2) + lineOf(3), piece)).toEqual({ starts: [1, 2, 3], isClosed: false })
  })

  test('that come at once are replaced by the last one, which says everything', async () => {
    expect(await toldOf(lineOf(1) + lineOf(2) + lineOf(3))).toEqual({ starts: [3], isClosed: false })
  })

  test.each(['no JSON\n', '{}\n', '{"starts":"many"}\n', '\n\n\n'])('are not %j, which is skipped', async (line) => {
    expect(await toldOf(line + lineOf(1), 5)).toEqual({ starts: [1], isClosed: false })
  })

  test('with more values than a supervisor has are skipped', async () => {
    const many = (count: number) => `{"starts":7,"clean":true,"sessions":[],"more":[${'0,'.repeat(count)}0]}\n`
    expect(await toldOf(many(1_000))).toEqual({ starts: [7], isClosed: false })
    expect(await toldOf(many(6_000) + lineOf(1), 999)).toEqual({ starts: [1], isClosed: false })
  })

  test('without an end are cut off', async () => {
    expect(await toldOf('x'.repeat(256 * KIB))).toEqual({ starts: [], isClosed: false })
    expect(await toldOf('x'.repeat(256 * KIB + 1))).toEqual({ starts: [], isClosed: true })
    expect(await toldOf(lineOf(1) + 'x'.repeat(256 * KIB + 1), 100)).toEqual({ starts: [1], isClosed: true })
  })

  longTest('without an end, a byte at a time, cost what their bytes cost', async () => {
    // When each byte had the whole line read again, one of these took half a minute.
    for (let again = 0; again < 8; again++)
      expect(await toldOf('x'.repeat(256 * KIB + 1), 1)).toEqual({ starts: [], isClosed: true })
  })
})

describe('an answer', () => {
  const never = new AbortController().signal

  test('is everything up to the end', async () => {
    const stream = new PassThrough()
    const answer = readAnswer(stream, never)
    for (const text of ['{"forgotten"', ':true}']) stream.write(text)
    stream.end()
    expect(await answer).toBe('{"forgotten":true}')
  })

  test('that breaks off, is too long, or is not waited for any more is missing', async () => {
    const cut = new PassThrough()
    const ofCut = readAnswer(cut, never)
    cut.write('{')
    cut.destroy(new Error('the link was lost'))
    expect(await ofCut).toBe(null)

    const long = new PassThrough()
    const ofLong = readAnswer(long, never)
    long.write(Buffer.alloc(256 * KIB + 1, 'x'))
    expect(await ofLong).toBe(null)
    expect(long.destroyed).toBe(true)

    const silent = new PassThrough()
    const giveUp = new AbortController()
    const ofSilent = readAnswer(silent, giveUp.signal)
    giveUp.abort()
    expect(await ofSilent).toBe(null)
    expect(silent.destroyed).toBe(true)
  })
})
