// @suite unit-long
import { existsSync, utimesSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { Git } from './git.ts'

/* A real git that was killed leaves a lock: a file that no process holds. */
let folder: string
let git: Git
let gitDir: string
let commit: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beadloom-locks-'))
  git = new Git({
    binary: 'git',
    home: folder,
    searchPath: '/usr/local/bin:/usr/bin:/bin',
    cwd: folder,
    clock: systemClock,
  })
  gitDir = join(folder, 'clone.git')
  await git.run({ args: ['init', '--quiet', '--bare', gitDir] })
  const tree = await git.text({ gitDir, args: ['mktree'] })
  const who = ['user.name=a', 'user.email=a@example.org']
  commit = await git.text({ gitDir, args: ['commit-tree', tree, '-m', 'one'], config: who })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const ref = 'refs/heads/work'
const move = () => git.run({ gitDir, args: ['update-ref', ref, commit] })
async function lock(path: string): Promise<string> {
  const at = join(gitDir, path)
  await mkdir(join(at, '..'), { recursive: true })
  await writeFile(at, '')
  return at
}

/** A git that writes until it is killed, and a lock from that time. */
async function killedWith(path: string): Promise<string> {
  const working = git.start({ gitDir, args: ['hash-object', '-w', '--stdin'] })
  const at = await lock(path)
  working.kill()
  await working.ended
  return at
}

test.each([`${ref}.lock`, 'packed-refs.lock'])('%s that a killed git left blocks nobody', async (path) => {
  await move()
  const at = await killedWith(path)
  await git.run({ gitDir, args: ['update-ref', '-d', ref] })
  expect(existsSync(at)).toBe(false)
  await move()
})

test('a lock of a git that may still run is left alone: one of ours, and one of the server before', async () => {
  const held = await lock(`${ref}.lock`)
  const before = Date.now() / 1000 - 30
  utimesSync(held, before, before)
  await expect(move(), 'of the server before, which may still have a git').rejects.toThrow(/File exists/)
  const now = Date.now() / 1000
  utimesSync(held, now, now)
  await expect(move(), 'of such a git, which goes on after this server began').rejects.toThrow(/File exists/)

  await rm(held)
  const working = git.start({ gitDir, args: ['hash-object', '-w', '--stdin'] })
  await lock(`${ref}.lock`)
  await expect(move(), 'perhaps held by the git that runs').rejects.toThrow(/File exists/)
  working.kill()
  await working.ended
  await move()
})

test('a git that only reads, however long, holds no lock, and a file outside the clone is never removed', async () => {
  const reading = git.start({ gitDir, args: ['cat-file', '--batch'] })
  await killedWith(`${ref}.lock`)
  await move()
  reading.stdin.end()
  reading.stdout.resume()
  await reading.ended
  const outside = join(folder, 'other.lock')
  await writeFile(outside, '')
  expect(await git.locks.dropNamed(gitDir, `fatal: Unable to create '${outside}': File exists.`)).toBe(false)
  expect(existsSync(outside)).toBe(true)
})

test('a lock from before the wall clock was set back blocks nobody', async () => {
  const at = await lock(`${ref}.lock`)
  const ahead = Date.now() / 1000 + 3_600
  utimesSync(at, ahead, ahead)
  await move()
  expect(existsSync(at)).toBe(false)
})
