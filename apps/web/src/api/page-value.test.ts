import { expect, test } from 'vitest'
import { isTaken } from './page-value.ts'

const [kept, given] = ['k'.repeat(43), 'g'.repeat(43)]
const never = () => Promise.reject(new Error('nobody asks the server'))

test.each(['', 'junk', `${given}x`, `${given.slice(1)}%`])('an address with %j gives a page no value', async (junk) => {
  expect([await isTaken(junk, null, never), await isTaken(junk, kept, never)]).toEqual([false, false])
})

test('a page without a value takes the one in its address', async () => {
  expect(await isTaken(given, null, never)).toBe(true)
})

test('a value replaces another only if the server does not refuse it', async () => {
  const asked: string[] = []
  const says = (refused: boolean) => (value: string) => {
    asked.push(value)
    return Promise.resolve(refused)
  }
  expect([await isTaken(given, kept, says(true)), await isTaken(given, kept, says(false))]).toEqual([false, true])
  expect(asked).toEqual([given, given])
})

test('a server that is away, or does not answer in time, has refused nothing', async () => {
  expect(await isTaken(given, kept, never)).toBe(true)
  const late = new AbortController()
  const hangs = (_: string, limit: AbortSignal) =>
    new Promise<boolean>((_resolve, reject) => {
      limit.addEventListener('abort', () => reject(limit.reason as Error))
    })
  const taken = isTaken(given, kept, hangs, late.signal)
  late.abort()
  expect(await taken).toBe(true)
})
