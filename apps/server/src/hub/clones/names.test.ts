import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkBranch, checkRef, treePath } from './names.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

/** Each name that git itself checks takes a process, so there are only a few. */
const gitAccepts = (name: string) =>
  spawnSync('git', ['check-ref-format', `refs/heads/${name}`], { stdio: 'ignore' }).status === 0

const accepted = (name: string) => {
  try {
    checkBranch(name)
    return true
  } catch {
    return false
  }
}

longTest('every accepted branch name is accepted by git too', () => {
  const part = fc.string({
    unit: fc.constantFrom(...'ab./-@{~^:?*[\\ \t"\'$ü#;&|<>!%,=+()}]`'),
    minLength: 1,
    maxLength: 8,
  })
  fc.assert(
    fc.property(part, (name) => !accepted(name) || gitAccepts(name)),
    { numRuns: 150, seed: 7 },
  )
})

test.each(['a', 'feature/x', 'beads-bl-1.2-fix_it', 'ü', 'a@b', 'a{b', 'x.lockx', '%s', 'a,b', '=', '+x', '!y'])(
  'git and the hub agree that %j is a branch name',
  (name) => {
    expect(gitAccepts(name)).toBe(true)
    expect(accepted(name)).toBe(true)
  },
)

test('a short ref is a branch, a full one stays unchanged', () => {
  expect(checkRef('x')).toBe('refs/heads/x')
  expect(checkRef('refs/beadloom/ex-aaaaaaaaaa/s')).toBe('refs/beadloom/ex-aaaaaaaaaa/s')
  expect(() => checkRef('refs/x')).toThrow(/not a ref name/)
  expect(() => checkRef('refs/heads/a..b')).toThrow(/not a ref name/)
})

test('a path that leaves the tree names nothing', () => {
  expect(treePath('./a/b/')).toBe('a/b')
  for (const path of ['', '/', '/etc/passwd', '../x', 'a/../b', 'a//b', 'a\0b']) expect(treePath(path)).toBeNull()
})
