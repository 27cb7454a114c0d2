import { expect, test } from 'vitest'
import { giveBackMemory } from './give-back-memory.ts'

/** Whether the server had something to do, look by look; how often memory had been given back after each. */
async function givenBack(busy: boolean[]): Promise<number[]> {
  const stop = new AbortController()
  const given: number[] = []
  let looks = 0
  let times = 0
  const sleep = async () => {
    if (looks > 0) given.push(times)
    if (looks === busy.length) stop.abort()
  }
  await giveBackMemory(
    () => !busy[looks++],
    { sleep },
    stop.signal,
    () => times++,
  )
  return given
}

test('memory is given back once for each time of quiet', async () => {
  expect(await givenBack([false, false, false, true, true, false, false])).toEqual([1, 1, 1, 1, 1, 2, 2])
})

test('nothing is collected while something runs', async () => {
  expect(await givenBack([true, true, true])).toEqual([0, 0, 0])
})
