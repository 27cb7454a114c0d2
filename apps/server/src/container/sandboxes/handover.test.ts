import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Handover } from './handover.ts'

/** Reads to the end. */
async function all<Piece>(handover: Handover<Piece>): Promise<Piece[]> {
  const pieces: Piece[] = []
  for await (const piece of handover) pieces.push(piece)
  return pieces
}

test('pieces arrive in order, from one call to the next', async () => {
  const handover = new Handover<number>()
  const read = all(handover)
  await handover.give([1, 2, 3])
  await handover.give([])
  await handover.give([4])
  handover.end()
  expect(await read).toEqual([1, 2, 3, 4])
})

test('a giver waits until the last piece was taken', async () => {
  const handover = new Handover<number>()
  let isTaken = false
  const given = handover.give([1, 2]).then(() => (isTaken = true))
  const reader = handover[Symbol.asyncIterator]()
  for (const value of [1, 2]) {
    expect(await reader.next()).toEqual({ done: false, value })
    await nextTurn()
    expect(isTaken).toBe(false)
  }
  const more = reader.next() // the second one is done with
  await given
  handover.end()
  expect(await more).toEqual({ done: true, value: undefined })
})

test('pieces given before the end can still be read, and their giver does not wait for that', async () => {
  const handover = new Handover<number>()
  const given = handover.give([1, 2])
  handover.end()
  await given
  expect(await all(handover)).toEqual([1, 2])
})

test('pieces that nobody has taken at the close are dropped', async () => {
  const handover = new Handover<number>()
  const reader = handover[Symbol.asyncIterator]()
  const given = handover.give([1, 2, 3])
  expect((await reader.next()).value).toBe(1)
  handover.close()
  await given
  expect(await reader.next()).toEqual({ done: true, value: undefined })
})

test('a great many small pieces may come at once', async () => {
  const handover = new Handover<number>()
  const read = all(handover)
  await handover.give(Array.from({ length: 300_000 }, (_, at) => at))
  handover.end()
  const came = await read
  expect([came.length, came.at(-1)]).toEqual([300_000, 299_999])
})
