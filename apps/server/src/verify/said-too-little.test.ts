import type { ToolTests } from '@beadloom/core/digest/tests-run.ts'
import { verdictReadings } from '@beadloom/core/verdict/verdict-readings.ts'
import { expect, test } from 'vitest'
import type { LiveExecution } from '../execution/live-execution.ts'
import { emptyFiles } from './said-too-little.ts'

/** Reads a commit's files: `files` by their paths, null for one that is too long; counts how many are read at once. */
function reading(files: Readonly<Record<string, string | null>>) {
  const read: number[] = []
  const deps = {
    hub: {
      paths: async () => Object.keys(files),
      readFiles: async (_project: string, _commit: string, paths: readonly string[]) => {
        read.push(paths.length)
        return new Map(paths.flatMap((path) => (typeof files[path] === 'string' ? [[path, files[path]]] : [])))
      },
    },
    aside: { verdict: async (_: 'declare', texts: readonly string[]) => verdictReadings.declare(texts) },
  }
  const live = { deps, project: { id: 'p' } } as unknown as LiveExecution
  const named = (names: readonly string[]) => {
    const units = names.map((name): [string, number] => [name, 1])
    const tests: ToolTests[] = [
      { tool: 'node-test', failures: 0, ran: names.length, passed: names.length, units, unrun: [], stopped: false },
    ]
    return emptyFiles(live, { commit: 'c', command: 'node --test', tests } as never)
  }
  return { read, named }
}

const declares = "test('adds', () => {\n  assert.equal(add(1, 1), 2)\n})\n"
const many = (count: number, text: (at: number) => string | null) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}/a${at}.test.mjs`, text(at)]))

test('a file that runs as a test of its own and has tests is reported, however many others there are before it', async () => {
  const files = many(300, (at) => (at === 299 ? declares : "import './other.mjs'\n"))
  const { read, named } = reading(files)
  expect(await named(Object.keys(files))).toEqual(['the tests of 299/a299.test.mjs did not run'])
  expect(Math.max(...read)).toBeLessThanOrEqual(100)
})

test('a file that is too long to be read may have tests', async () => {
  const { named } = reading({ 'a.test.mjs': null, 'b.test.mjs': 'log()\n' })
  expect(await named(['a.test.mjs', 'b.test.mjs'])).toEqual(['the tests of a.test.mjs did not run'])
})

test('files beyond the reading limit are reported as such', async () => {
  const files = many(1001, () => 'log()\n')
  const { read, named } = reading(files)
  expect(await named(Object.keys(files))).toEqual([expect.stringContaining('more than 1000 files')])
  expect(read).toEqual([])
})

test('names that may each mean fifty files are bounded by those files', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 100 }, (_, name) => name).flatMap((name) =>
      Array.from({ length: 50 }, (_, at): [string, string] => [`${at}/a${name}.test.mjs`, declares]),
    ),
  )
  const { read, named } = reading(files)
  expect(await named(Array.from({ length: 100 }, (_, name) => `a${name}.test.mjs`))).toHaveLength(1)
  expect(read).toEqual([])
})
