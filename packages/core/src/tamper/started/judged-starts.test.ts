import { expect, test } from 'vitest'
import { testsOfChange } from '../tests-of-change.ts'
import { both, check, run } from '../../testing/sample-starts.ts'

/* The guard's findings about started files, beside those about tests. */

const judged = (
  [path, before, after]: [string, string, string],
  { task = '', isUnnamed = true }: { task?: string; isUnnamed?: boolean } = {},
) =>
  testsOfChange({
    files: [],
    commands: [`sh run ${path}`, path.endsWith('.py') ? `python3 ${path}` : `sh ${path}`],
    collectedBefore: null,
    collectedAfter: null,
    task,
    started: { ...both({ [path]: before }, { [path]: after }), isUnnamed },
  })

test('a script that can fail in fewer places makes the tests weaker', () => {
  expect(judged(['checks/run.sh', run, 'echo all fine\n']).weaker).toEqual([
    'checks/run.sh, which a check starts, lost 2 assertions: [ "$(sh prog.sh x)" = 43 ]',
  ])
})

test('another value is told if no runner names a test', () => {
  const change: [string, string, string] = ['checks/run.sh', run, run.replace('44', '45')]
  expect(judged(change)).toMatchObject({ weaker: [], otherValues: 'files that a check starts changed: checks/run.sh' })
  expect(judged(change, { isUnnamed: false }).otherValues).toBeNull()
})

test('tests that a runner names are judged by their own rules', () => {
  const change: [string, string, string] = ['test_check.py', check, check.replace(/assert.*4\n/, '')]
  expect(judged(change).weaker).toHaveLength(1)
  expect(judged(change, { isUnnamed: false }).weaker).toEqual([])
  expect(judged(change, { task: 'Remove the tests of halves' }).weaker).toEqual([])
})

test('a file that cannot be read any more is refused', () => {
  const started = { ...both({ 'run.sh': run }, {}), unread: ['run.sh'], isUnnamed: true }
  const { weaker } = testsOfChange({
    files: [],
    commands: ['sh run.sh'],
    collectedBefore: null,
    collectedAfter: null,
    started,
  })
  expect(weaker).toEqual(['run.sh, which a check starts, could not be read'])
})
