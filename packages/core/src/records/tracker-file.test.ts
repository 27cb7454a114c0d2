import { describe, expect, test } from 'vitest'
import { differOnlyInTracker, TRACKER_FILE } from './tracker-file.ts'

const file = (path: string, oldPath: string | null = null) => ({ path, oldPath })

describe('two commits differ in nothing but the tracker', () => {
  test.each([
    ['when nothing differs', [], true],
    ['when its file does', [file(TRACKER_FILE)], true],
    ['but not when another file does too', [file(TRACKER_FILE), file('src/a.ts')], false],
    ['but not in another file of its folder, which a test may read', [file('.beads/config.yaml')], false],
    ['but not in a file of that name elsewhere', [file('sub/.beads/issues.jsonl')], false],
    ['but not when it became another file', [file('data.jsonl', TRACKER_FILE)], false],
    ['but not when another file became it', [file(TRACKER_FILE, 'data.jsonl')], false],
  ])('%s', (_, files, expected) => {
    expect(differOnlyInTracker(files)).toBe(expected)
  })
})
