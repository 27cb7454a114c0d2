// @suite unit-long
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { branchNameProblem } from '@beadloom/core/project/branch-name.ts'

/* The function in core against git itself. */

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'beadloom-names-'))
  execFileSync('git', ['init', '--quiet', folder])
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function takenByGit(names: readonly string[]): string[] {
  return names.filter((name) => spawnSync('git', ['check-ref-format', '--branch', name], { cwd: folder }).status === 0)
}

const pieces = [
  'a',
  '.',
  '..',
  '/',
  '//',
  '-',
  '@',
  '@{',
  '{',
  '.lock',
  'HEAD',
  ' ',
  '~',
  '^',
  ':',
  '?',
  '*',
  '[',
  '\\',
]
const odd = [
  '\u0001',
  '\u001f',
  '\u007f',
  '\n',
  '\t',
  'ä',
  '€',
  '😀',
  '\u200b',
  '"',
  "'",
  '$x',
  '`x`',
  '%',
  '!',
  '#',
  ']',
]
const names = [
  ...pieces.flatMap((one) => [
    one,
    ...['a', '.', '/', '@', '.lock'].flatMap((other) => [`${one}${other}`, `${other}${one}`]),
  ]),
  ...pieces.map((piece) => `feature/${piece}/x`),
  ...odd.flatMap((piece) => [piece, `a${piece}b`]),
  'main',
  'beadloom/work',
  'x.lock.y',
  'a.lockb',
  'Head',
  'head',
  'fetch_head',
  '@a',
  'a@',
  'a/@',
  '@/a',
  'a/HEAD',
]

test(`core and git agree on ${names.length} names of branches`, () => {
  // "@" alone is another word for HEAD, which git resolves here and takes nowhere else.
  const asked = names.filter((name) => name !== '@')
  const ours = asked.filter((name) => branchNameProblem(name) === null)
  expect(ours).toEqual(takenByGit(asked))
})
