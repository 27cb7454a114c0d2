// @suite unit-long
import { pathToFileURL } from 'node:url'
import { verdictReadings } from '@beadloom/core/verdict/verdict-readings.ts'
import { afterEach, expect, test } from 'vitest'
import type { Aside } from '../ports/aside.ts'
import { systemClock } from '../process/clock.ts'
import { sourceFile } from '../process/own-files.ts'
import { createAside } from './create-aside.ts'
import { SMALL_BYTES } from './bounds.ts'

const opened: (Aside & { close: () => Promise<void> })[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

function opening(...given: Parameters<typeof createAside>): Aside {
  const made = createAside(...given)
  opened.push(made)
  return made
}

const aside = (): Aside => opening({ clock: systemClock })

/** Opens a reader with little time, for which some words are expensive. */
const strict = (): Aside =>
  opening({
    clock: systemClock,
    file: pathToFileURL(sourceFile('aside', 'testing', 'stuck-worker.ts')),
    bounds: { msPerMiB: 1_000, floorMs: 300, mostMs: 1_000 },
  })

const ranOf = (names: readonly string[]) => [
  {
    tool: 'vitest',
    failures: 0,
    ran: names.length,
    passed: names.length,
    units: names.map((name): [string, number] => [name, 1]),
    unrun: [],
    stopped: false,
  },
]
const titled = Array.from({ length: 500 }, (_, at) => `src/a.test.ts > adds ${at}`)

test('the readings for a verdict are the same aside as at once, and so are their sets', async () => {
  const threads = aside()
  const [before, now] = [ranOf(titled), ranOf(titled.slice(200))]
  const missing = await threads.verdict('missing', before, now)
  expect(missing?.names).not.toEqual([])
  expect(missing).toEqual(verdictReadings.missing(before, now))
  const lost = Array.from({ length: 300 }, (_, at) => `-  test('${at}', () => expect(f(${at})).toBe(${at}))`)
  const files = [{ path: 'a.test.ts', status: 'M', patch: `@@ -1 +1 @@\n${lost.join('\n')}\n`, cut: false }]
  const touched = await threads.verdict('touched', files)
  expect(touched).toEqual(verdictReadings.touched(files))
  const about = { touched: touched ?? [], paths: ['src/a.test.ts'], folder: '', base: before, now }
  const { names, unnamed } = missing!
  expect(await threads.verdict('unexplained', { names, unnamed }, about)).toEqual(
    verdictReadings.unexplained({ names, unnamed }, about),
  )
})

test('the search for tests that come back unchanged runs aside if a change has very many files', async () => {
  const all = Array.from({ length: 2000 }, (_, at) => ({ path: `test/${at}.test.ts`, oldPath: null, status: 'M' }))
  const wish = { all, task: 'Remove test/7.test.ts', allowed: ['test/8.test.ts: 1 test fewer'], red: null, tables: [] }
  const found = await aside().verdict('originals', wish)
  expect(found).toEqual(verdictReadings.originals(wish))
  expect(found?.files?.paths.slice(0, 9)).toEqual([0, 1, 2, 3, 4, 5, 6, 9, 10].map((at) => `test/${at}.test.ts`))
})

test('a verdict has no result for a text that takes too much work to read', async () => {
  const threads = strict()
  expect(await threads.verdict('declare', ['for ever'.padEnd(SMALL_BYTES)])).toBeNull()
  expect(await threads.verdict('declare', ["test('a', () => {})"])).toEqual([true])
})
