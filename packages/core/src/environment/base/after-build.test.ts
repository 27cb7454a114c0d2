import { expect, test } from 'vitest'
import { afterBuild, lacksBuild } from './after-build.ts'
import { judgeBase, type BaseCheck } from './proof.ts'

const check = (own: Partial<BaseCheck>): BaseCheck => ({
  name: 'test',
  type: 'test',
  command: 'make check',
  passed: false,
  exitCode: 1,
  durationMs: 10,
  tool: 'generic',
  failures: null,
  collected: null,
  summary: 'it failed',
  digest: '',
  findings: [],
  ...own,
})
const build = check({ name: 'build', type: 'build', command: 'make' })
const someRan = { tool: 'pytest', failures: 1, ran: 3, passed: 2, units: [], unrun: [], stopped: false }
const summaries = (checks: BaseCheck[]) => afterBuild(checks).map(({ summary }) => summary)

test('tests that did not run after a failed build say so', () => {
  expect(summaries([build, check({})])).toEqual(['it failed', 'no test ran, after build failed: it failed'])
})

test.each<[string, BaseCheck[]]>([
  ['before it', [check({}), build]],
  ['after one that passes', [{ ...build, passed: true }, check({})]],
  ['that ran all the same', [build, check({ tests: [someRan] })]],
  ['that pass', [build, check({ passed: true })]],
  ['of a linter', [build, check({ type: 'lint' })]],
])('nothing is added to those %s', (_, checks) => {
  expect(summaries(checks)).toEqual(checks.map(() => 'it failed'))
})

test('a program that the build would have made need not be installed', () => {
  const unbuilt = check({ exitCode: 127, digest: 'sh: 1: ./dist/run-tests: not found' })
  const foreign = check({ exitCode: 127, digest: 'sh: 1: ctest: not found' })
  expect(lacksBuild([build, unbuilt], unbuilt)).toBe(true)
  expect(lacksBuild([build, foreign], foreign)).toBe(false)
  expect(lacksBuild([unbuilt, build], unbuilt)).toBe(false)
  expect(judgeBase([build, unbuilt])).toMatchObject({ by: 'checks' })
  expect(judgeBase([build, foreign])).toMatchObject({ by: 'command' })
})
