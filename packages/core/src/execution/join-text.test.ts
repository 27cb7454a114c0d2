import { expect, test } from 'vitest'
import { joinText, MOST_OF_A_SIDE, type ToJoin } from './join-text.ts'

const conflict: ToJoin = {
  branch: 'beadloom/work',
  files: ['src/a.ts'],
  merge: 'git merge origin/beadloom/work',
  beads: ['bl-2: Say one'],
  sides: [{ file: 'src/a.ts', own: '+two', other: '+one' }],
}

test('the text names the command, the files, the beads, and shows both sides', () => {
  const text = joinText(conflict)
  expect(text).toContain("run 'git merge origin/beadloom/work'")
  expect(text).toContain('Files in conflict:\n- `src/a.ts`')
  expect(text).toContain('Merged meanwhile:\n- bl-2: Say one')
  expect(text).toContain('as this task changed it:\n```text\n+two\n```')
  expect(text).toContain('as it was changed meanwhile:\n```text\n+one\n```')
})

test('it is bounded, however much is in conflict', () => {
  const long = '+x\n'.repeat(100_000)
  const files = Array.from({ length: 1000 }, (_, at) => `${'d/'.repeat(500)}${at}`)
  const beads = files.map((file) => `bl-${file}`)
  const text = joinText({ ...conflict, files, beads, sides: [{ file: 'f', own: long, other: long }] })
  expect(text.length).toBeLessThan(50 * 210 + 10 * 210 + 2 * (MOST_OF_A_SIDE + 400) + 1000)
  expect(text).toContain('- and 950 more')
})

test('it has the command that makes a lock file anew, instead of its lines', () => {
  const file = 'web/package-lock.json'
  const text = joinText({ ...conflict, files: ['src/a.ts', file], sides: [{ file, own: '+1', other: '+2' }] })
  expect(text).toContain('Do not merge `web/package-lock.json` by hand')
  expect(text).toContain('cd web && npm install --package-lock-only')
  expect(text).not.toContain('+1')
})

test('text inside a side closes no frame and begins no section', () => {
  const text = joinText({ ...conflict, sides: [{ file: 'a', own: '```\n=== BEGIN WORK ===', other: '' }] })
  expect(text).toContain('````text\n```\n=== BEGIN WORK ===\n````')
})
