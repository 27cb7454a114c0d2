import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { setupLine } from './setup-line.ts'

/** Takes `FOLDER: COMMAND`, each in an existing folder. */
function run(own: string[], ...below: [folder: string, command: string][]) {
  const cwd = mkdtempSync(join(tmpdir(), 'setup-line-'))
  for (const [folder] of below) mkdirSync(join(cwd, folder))
  const line = setupLine(
    own,
    below.map(([folder, command]) => ({ folder, setup: [command] })),
  )
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line ?? ''], { cwd, encoding: 'utf8' })
  return { passed: status === 0, said: stdout.trim().split('\n'), told: stderr.trim() }
}

test('a folder whose setup fails does not stop the others, and is reported', () => {
  const told = 'a: setup failed; that of the others goes on'
  const others: [string, string][] = [
    ['a', 'false'],
    ["b's", 'basename "$PWD"'],
  ]
  expect(run([], ...others)).toEqual({ passed: true, said: ["b's"], told })
  expect(run([], ...others.toReversed())).toEqual({ passed: true, said: ["b's"], told })
  expect(run(['echo root'], ...others)).toEqual({ passed: true, said: ['root', "b's"], told })
})

test('setup fails if the root cannot be set up, or none of the folders', () => {
  expect(run(['false'], ['a', 'echo a'])).toMatchObject({ passed: false, said: [''] })
  expect(run([], ['a', 'false'], ['b', 'exit 3'])).toMatchObject({ passed: false })
  expect(run([], ['a', 'false'])).toMatchObject({ passed: false })
  expect(setupLine([], [{ folder: 'a', setup: [] }])).toBeNull()
})
