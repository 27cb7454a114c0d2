import { expect, test } from 'vitest'
import { giveBackMemory } from './give-back-memory.ts'

/** `busy`: whether the server is busy, look by look. Returns how often memory had been given back after each. */
async function givenBack(busy: boolean[]): Promise<number[]> {
  const stop = new AbortController()
  const given: number[] = []
  let looks = 0
  let times = 0
  const sleep = async () => {
    if (looks > 0) given.push(times)
    if (looks === busy.length) stop.abort()
  }
  await giveBackMemory(() => !busy[looks++], { sleep }, stop.signal, {
    collect: () => times++,
    sweep: () => {},
    bytes: () => 0,
  })
  return given
}

/**
 * `looks`: the heap of a server that is never quiet, in MiB, before and after a sweep. Returns the looks with a sweep.
 */
async function swept(looks: [before: number, after: number][]): Promise<number[]> {
  const stop = new AbortController()
  const sweeps: number[] = []
  let look = -1
  const sleep = async () => {
    look += 1
    if (look === looks.length) stop.abort()
  }
  const bytes = () => (looks[look]?.[sweeps.includes(look) ? 1 : 0] ?? 0) * 1024 ** 2
  await giveBackMemory(() => false, { sleep }, stop.signal, {
    collect: () => {},
    sweep: () => sweeps.push(look),
    bytes,
  })
  return sweeps
}

test('memory is returned once for each quiet time', async () => {
  expect(await givenBack([false, false, false, true, true, false, false])).toEqual([1, 1, 1, 1, 1, 2, 2])
})

test('nothing is collected while something runs', async () => {
  expect(await givenBack([true, true, true])).toEqual([0, 0, 0])
})

test('on a server that is never quiet the heap is swept after the start, and whenever it has grown', async () => {
  const looks: [number, number][] = [
    [60, 55],
    [54, 0],
    [69, 0],
    [70, 66],
    [65, 0],
  ]
  expect(await swept(looks)).toEqual([0, 3])
})

test('a sweep is followed by others as long as they free much', async () => {
  const looks: [number, number][] = [
    [130, 130],
    [115, 115],
    [104, 104],
    [100, 0],
    [100, 0],
  ]
  expect(await swept(looks)).toEqual([0, 1, 2])
})
