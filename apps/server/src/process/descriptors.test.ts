import { expect, test } from 'vitest'
import { comfortableFiles, connectionBounds, openFileLimit } from './descriptors.ts'

test('a server that may open many files holds as many connections as anybody needs, and no more', () => {
  expect(connectionBounds(20_000, 3)).toEqual({ perContainer: 32, clients: 512, strangers: 256 })
  expect(connectionBounds(Infinity, 32)).toEqual({ perContainer: 32, clients: 512, strangers: 256 })
})

test('with few files all connections together leave room for the server itself', () => {
  for (const slots of [1, 3, 8, 32])
    for (const files of [comfortableFiles(slots), 4096, 65_536].filter((one) => one >= comfortableFiles(slots))) {
      const { perContainer, clients, strangers } = connectionBounds(files, slots)
      expect(files - clients - perContainer * 2 * slots).toBeGreaterThanOrEqual(64 + 48 * slots)
      expect(strangers).toBeLessThan(clients)
      expect(perContainer).toBeGreaterThanOrEqual(8)
    }
})

test('with next to no files there are still some connections for a person and for each agent', () => {
  expect(connectionBounds(64, 3)).toEqual({ perContainer: 8, clients: 24, strangers: 16 })
})

test('the limit is read from the system, and is unlimited if nothing names it', () => {
  const line = 'Max processes             63541                63541                processes \n'
  const files = (soft: string) => () =>
    `${line}Max open files            ${soft.padEnd(20)} 524288               files     \n`
  expect(openFileLimit(files('1024'))).toBe(1024)
  expect(openFileLimit(files('unlimited'))).toBe(Infinity)
  expect(openFileLimit(() => line)).toBe(Infinity)
  expect(
    openFileLimit(() => {
      throw new Error('ENOENT')
    }),
  ).toBe(Infinity)
  expect(openFileLimit()).toBeGreaterThan(0)
})
