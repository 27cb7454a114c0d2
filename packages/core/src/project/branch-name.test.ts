import { expect, test } from 'vitest'
import { branchNameProblem, shadows } from './branch-name.ts'

test.each(['main', 'beadloom/work', 'feature/ä-ö', 'a.b', 'x@y', 'release-1.0', '@x', 'a{b}', 'heads', 'lock', 'a"b'])(
  'git accepts %j',
  (name) => expect(branchNameProblem(name)).toBeNull(),
)

test.each([
  ['', 'must not be empty'],
  ['-x', 'must not begin with "-": git would take it for an option'],
  ['@', 'must not be "@" or contain "@{", which mean something else to git'],
  ['a@{1}', 'must not be "@" or contain "@{", which mean something else to git'],
  ['HEAD', 'must not be "HEAD", which means something else to git'],
  ['my branch', 'must not contain a space: git refuses it in the name of a branch'],
  ['a\tb', 'must not contain control characters: git refuses it in the name of a branch'],
  ['a\ud800', 'must not contain half of a character: git refuses it in the name of a branch'],
  ['a:b', 'must not contain ":": git refuses it in the name of a branch'],
  ['/a', 'must not begin or end with "/" or contain "//"'],
  ['a//b', 'must not begin or end with "/" or contain "//"'],
  ['a/.b', 'must not have a part that begins with "."'],
  ['a.lock/b', 'must not have a part that ends with ".lock"'],
  ['a..b', 'must not contain ".." or end with "."'],
  ['refs/heads/main', 'must be the name of a branch, without "refs/heads/"'],
  ['x'.repeat(241), 'must not have a part of more than 240 bytes'],
  [Array(10).fill('ä'.repeat(50)).join('/'), 'must not have more than 900 bytes'],
])('%j %s', (name, problem) => expect(branchNameProblem(name)).toBe(problem))

test('branches that are the same, or one of which is a folder of the other, cannot exist together', () => {
  expect(shadows('main', 'main')).toBe(true)
  expect(shadows('work', 'work/x')).toBe(true)
  expect(shadows('work/x', 'work')).toBe(true)
  expect(shadows('work', 'workshop')).toBe(false)
})
