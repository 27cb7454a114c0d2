// @suite unit-long

import { expect, test } from 'vitest'
import type { ToolTests, TestUnit } from '../digest/tests-run.ts'
import type { ChangedFile } from '../tamper/patch.ts'
import { unexplained } from './explained.ts'
import { missingTests } from './missing-tests.ts'
import { touchedFile } from './touched.ts'

/* Random changes like honest work, in the output of four runners; and the same with tests kept from running. */

function seeded(seed: number): (below: number) => number {
  let state = seed * 7919 + 17
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** Names of tests by file. */
type Suite = Map<string, string[]>

const sources = (names: readonly string[]): string[] =>
  names.flatMap((name) => [`it('${name}', () => {`, `  expect(make('${name}')).toBe(1)`, '})'])

function patchOf(path: string, before: readonly string[], after: readonly string[], oldPath?: string): ChangedFile {
  const lines = [...new Set([...before, ...after])].flatMap((name) => {
    const sign = before.includes(name) ? (after.includes(name) ? ' ' : '-') : '+'
    return sources([name]).map((line) => sign + line)
  })
  const status = oldPath !== undefined ? 'R' : before.length === 0 ? 'A' : after.length === 0 ? 'D' : 'M'
  const patch = `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,9 +1,9 @@\n${lines.join('\n')}\n`
  return { path, status, patch, cut: false, ...(oldPath !== undefined && { oldPath }) }
}

function madeByChance(seed: number): { before: Suite; after: Suite; files: ChangedFile[] } {
  const next = seeded(seed)
  const pick = <T>(list: readonly T[]): T => list[next(list.length)]!
  const before: Suite = new Map()
  for (let at = 0; at < 4; at++)
    before.set(
      `packages/${'ab'[at % 2]}/${at < 2 ? 'same' : `own${at}`}.test.ts`,
      Array.from({ length: 2 + next(4) }, (_, number) => `${'abcd'[at]}thing does ${'klmnopq'[number]}`),
    )
  const after: Suite = new Map([...before].map(([path, names]) => [path, [...names]]))
  const renamed = new Map<string, string>()
  for (let step = 0; step < 1 + next(3); step++) {
    const path = pick([...after.keys()])
    const names = after.get(path)!
    const kind = next(6)
    if (kind === 0 && names.length > 1) names.splice(next(names.length), 1)
    else if (kind === 1) names.push(`new ${seed} ${step}`)
    else if (kind === 2) names[next(names.length)] = `renamed ${seed} ${step}`
    else if (kind === 3 && names.length > 1) {
      const other = pick([...after.keys()])
      if (other !== path) after.get(other)!.push(names.splice(next(names.length), 1)[0]!)
    } else if (kind === 4 && after.size > 2) after.delete(path)
    else if (kind === 5 && before.has(path) && !renamed.has(path)) {
      const to = path.replace('.test.ts', `-${step}.test.ts`)
      after.set(to, names)
      after.delete(path)
      renamed.set(path, to)
    }
  }
  const files: ChangedFile[] = []
  for (const [path, names] of before) {
    const to = renamed.get(path)
    const moved = to !== undefined && after.has(to)
    const now = moved ? after.get(to)! : (after.get(path) ?? [])
    if (moved) files.push(patchOf(to, names, now, path))
    else if (names.join() !== now.join()) files.push(patchOf(path, names, now))
  }
  return { before, after, files }
}

/** The output of each runner. */
const told: Record<string, (suite: Suite) => ToolTests> = {
  'files with numbers': (suite) => run([...suite].map(([path, names]) => [path, names.length])),
  'files of packages': (suite) =>
    run([...suite].map(([path, names]) => [path.replace(/^(packages\/\w)\//, '$1: '), names.length])),
  names: (suite) => run([...suite.values()].flat().map((name) => [name, 1])),
  'files and names': (suite) =>
    run([...suite].flatMap(([path, names]) => names.map((name) => [`${path} > ${name}`, 1]))),
  'files alone': (suite) => ({
    ...run([...suite.keys()].map((path) => [path, 1])),
    ran: [...suite.values()].flat().length,
  }),
  'a number': (suite) => ({ ...run([]), ran: [...suite.values()].flat().length }),
}

function run(units: readonly TestUnit[]): ToolTests {
  const ran = units.reduce((sum, [, count]) => sum + count, 0)
  return { tool: 'vitest', failures: 0, ran, passed: ran, units, unrun: [], stopped: false }
}

function missing(
  form: (suite: Suite) => ToolTests,
  before: Suite,
  after: Suite,
  files: readonly ChangedFile[],
): number {
  const [base, now] = [[form(before)], [form(after)]]
  const { names, unnamed } = unexplained(missingTests(base, now), {
    touched: files.map(touchedFile),
    paths: [...before.keys()],
    folder: '',
    base,
    now,
  })
  return names.reduce((sum, { fewer }) => sum + fewer, unnamed)
}

const SEEDS = Array.from({ length: 300 }, (_, seed) => seed)

test.each(Object.entries(told))('honest changes leave nothing missing: %s', (_, form) => {
  const wrong = SEEDS.filter((seed) => {
    const { before, after, files } = madeByChance(seed)
    return missing(form, before, after, files) > 0
  })
  expect(wrong).toEqual([])
})

test.each(Object.entries(told).filter(([name]) => name !== 'a number'))(
  'a file that no longer runs beside them is missing: %s',
  (_, form) => {
    const unseen = SEEDS.filter((seed) => {
      const { before, after, files } = madeByChance(seed)
      const still = [...before.keys()].filter((path) => after.has(path) && !files.some((one) => one.path === path))
      const [silent] = still
      if (silent === undefined) return false
      const now = new Map(after)
      now.delete(silent)
      return missing(form, before, now, files) === 0
    })
    expect(unseen).toEqual([])
  },
)

test.each(['files with numbers', 'files of packages', 'names', 'files and names'])(
  'a single test that no longer runs beside them is missing: %s',
  (name) => {
    const form = told[name]!
    const unseen = SEEDS.filter((seed) => {
      const { before, after, files } = madeByChance(seed)
      const silent = [...before.keys()].find((path) => after.has(path) && !files.some((one) => one.path === path))
      if (silent === undefined) return false
      const now = new Map(after)
      now.set(silent, after.get(silent)!.slice(1))
      return missing(form, before, now, files) === 0
    })
    expect(unseen).toEqual([])
  },
)
