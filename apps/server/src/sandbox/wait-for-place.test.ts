import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EngineError, type Opened } from '../ports/engine.ts'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { whenRoom } from './wait-for-place.ts'

const opened = { clamped: [] } as unknown as Opened
const refused = (words: string) => new EngineError('no-room', words)

/** An engine that gives these answers, one after the other, and the messages meanwhile. */
function engine(...answers: (Error | Opened)[]) {
  const clock = new HandClock()
  const told: (string | null)[] = []
  const left = new AbortController()
  const open = async () => {
    const next = answers.shift() ?? opened
    if (next instanceof Error) throw next
    return next
  }
  const patience = { clock, signal: left.signal, onWait: (why: string | null) => void told.push(why) }
  return { clock, told, left, open, patience }
}

test('a quota without room is waited for, each reason is reported once, and then the end of the wait', async () => {
  const { clock, told, open, patience } = engine(refused('pods 1 of 1'), refused('pods 1 of 1'), refused('cpu'), opened)
  let got: Opened | null = null
  void whenRoom(patience, open).then((one) => (got = one))
  while (got === null) {
    await setImmediate()
    clock.advance(5_000)
  }
  expect(got).toBe(opened)
  expect(told).toEqual(['pods 1 of 1', 'cpu', null])
})

test('other errors are not waited for, and a caller that has left does not wait', async () => {
  const other = engine(new EngineError('refused', 'forbidden'))
  await expect(whenRoom(other.patience, other.open)).rejects.toThrow('forbidden')
  expect(other.told).toEqual([])
  const { clock, left, told, open, patience } = engine(refused('full'), refused('full'))
  const waiting = whenRoom(patience, open)
  const ended = expect(waiting).rejects.toThrow('full')
  await clock.advance(1_000)
  left.abort()
  await ended
  expect(told).toEqual(['full', null])
})

test('without patience it is an error at once', async () => {
  const { open } = engine(refused('full'))
  await expect(whenRoom(null, open)).rejects.toMatchObject({ kind: 'no-room' })
})
