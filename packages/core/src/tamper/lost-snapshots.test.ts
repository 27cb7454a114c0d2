import { describe, expect, test } from 'vitest'
import { file } from '../testing/sample-patch.ts'
import type { ChangedFile } from './patch.ts'
import { findTampering } from './tamper.ts'

const entry = (name: string) => `-exports[\`${name} 1\`] = \`3\`;\n-`
const csv = file(
  'src/__snapshots__/export.test.ts.snap',
  `${entry('csv writes rows')}\n exports[\`pdf writes pages 1\`] = \`4\`;`,
)
const both = file('src/__snapshots__/export.test.ts.snap', `${entry('csv writes rows')}\n${entry('pdf writes pages')}`)
const whole = file('src/__snapshots__/cart.test.ts.snap', entry('cart adds'), 'D')
const code = file('src/export.ts', '-export const rows = 3\n+export const rows = 4')

const foundIn = (task: string, files: ChangedFile[], paths: string[] = []) =>
  findTampering({ files, all: files, paths, collectedBefore: null, collectedAfter: null, task })

describe('lost snapshots', () => {
  test.each<[string, ChangedFile[]]>([
    ['Remove the obsolete snapshots of the CSV writer\n\nDelete the snapshots of csv rows.', [csv, code]],
    ['Delete the snapshot "csv writes rows"', [csv, code]],
    ['Remove csv snapshots', [csv, code]],
    ['Delete `src/__snapshots__/cart.test.ts.snap`', [whole, code]],
    ['Remove the unused snapshots of src/cart.test.ts', [whole, code]],
    ['Remove obsolete snapshots', [both, whole]],
  ])('are fine if the bead asks for it: %j', (task, files) => {
    expect(foundIn(task, files)).toEqual([])
    expect(foundIn('Make the tests pass', files)).not.toEqual([])
  })

  test.each<[string, ChangedFile[]]>([
    ['Remove obsolete snapshots', [csv, code]],
    ['Remove the stale snapshots', [whole, code]],
    ['Remove csv snapshots', [both, code]],
    ['Do not remove snapshots', [csv]],
    ['Remove the snapshots of the pdf pages', [csv, code]],
    ['Remove the failing snapshot tests', [csv, code]],
  ])('are not fine if it asks for others, or for any beside other work: %j', (task, files) => {
    expect(foundIn(task, files)).toHaveLength(1)
  })

  test('are fine without words if their tests were not there before', () => {
    expect(foundIn('', [whole, code], ['src/export.ts', 'src/export.test.ts'])).toEqual([])
    expect(foundIn('', [whole, code], ['src/export.ts', 'src/cart.test.ts'])).toHaveLength(1)
    expect(foundIn('', [whole, code], ['src/export.ts', 'tests/cart.test.ts'])).toHaveLength(1)
    const python = file('tests/__snapshots__/test_cart.ambr', '-# name: test_total\n-  3', 'D')
    expect(foundIn('', [python], ['shop.py', 'tests/test_shop.py'])).toEqual([])
    expect(foundIn('', [python], ['shop.py', 'tests/test_cart.py'])).toHaveLength(1)
  })
})
