import { expect, test } from 'vitest'
import { loadWhenThere } from './load-when-there.ts'

const failing = (times: number) => {
  let tries = 0
  return () => (tries++ < times ? Promise.reject(new Error('not loaded')) : Promise.resolve(`loaded at try ${tries}`))
}
const pause = () => Promise.resolve()

test('a part of the page is waited for while the server is away', async () => {
  const away = { answers: () => Promise.resolve(false), pause }
  expect(await loadWhenThere(failing(3), away)).toBe('loaded at try 4')
})

test('a part that a server which answers does not have is an error', async () => {
  const there = { answers: () => Promise.resolve(true), pause }
  await expect(loadWhenThere(failing(1), there)).rejects.toThrow('not loaded')
  expect(await loadWhenThere(failing(0), there)).toBe('loaded at try 1')
})
