// @suite unit-long
import { existsSync, utimesSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
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

/** A git whose short sleeps pass at once; `looked` hears of each, and `aged` makes a lock so old. */
function withHands(looked: (times: number) => unknown = () => {}) {
  const clock = new HandClock(LOOK_MS)
  let times = 0
  const sleep = async (ms: number, signal?: AbortSignal) => {
    if (ms <= LOOK_MS) await looked((times += 1))
    return clock.sleep(ms, signal)
  }
  const counted = { now: () => clock.now(), monotonic: () => clock.monotonic(), sleep }
  const own = new Git({
    binary: 'git',
    home: folder,
    searchPath: '/usr/local/bin:/usr/bin:/bin',
    cwd: folder,
    clock: counted,
  })
  const aged = async (age: number) => {
    const at = (clock.now() - age) / 1000
    utimesSync(await lock(`${ref}.lock`), at, at)
  }
  return {
    clock,
    aged,
    own,
    move: (signal?: AbortSignal) => own.run({ gitDir, args: ['update-ref', ref, commit], signal }),
  }
}
const LOOK_MS = 200

test('a lock of the server before, which may still have a git, is waited for: no work fails', async () => {
  const { clock, aged, move: moveIt } = withHands()
  const began = clock.now()
  await aged(20_000)
  await moveIt()
  expect(clock.now() - began, 'removed once no such git can hold it').toBeGreaterThanOrEqual(40_000)
  expect(await git.text({ gitDir, args: ['rev-parse', ref] })).toBe(commit)
})

test('a lock that its git gives back is not waited for longer', async () => {
  const { clock, aged, move: moveIt } = withHands((times) => times === 3 && rm(join(gitDir, `${ref}.lock`)))
  const began = clock.now()
  await aged(0)
  await moveIt()
  expect(clock.now() - began).toBe(3 * LOOK_MS)
})

test('a lock that a running git of this server may hold is never removed, and a wait for it ends', async () => {
  const { aged, own, move: moveIt } = withHands()
  const working = own.start({ gitDir, args: ['hash-object', '-w', '--stdin'] })
  await aged(0)
  await expect(moveIt()).rejects.toThrow(/File exists/)
  expect(existsSync(join(gitDir, `${ref}.lock`))).toBe(true)
  working.kill()
  await working.ended
  await moveIt()
})

test('a wait for a lock can be aborted', async () => {
  const stop = new AbortController()
  const { aged, move: moveIt } = withHands(() => stop.abort(new Error('cancelled')))
  await aged(0)
  await expect(moveIt(stop.signal)).rejects.toThrow('cancelled')
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
  expect(await git.locks.gone({ gitDir }, `fatal: Unable to create '${outside}': File exists.`, 0)).toBe(false)
  expect(existsSync(outside)).toBe(true)
})

test('a lock from before the wall clock was set back blocks nobody', async () => {
  const at = await lock(`${ref}.lock`)
  const ahead = Date.now() / 1000 + 3_600
  utimesSync(at, ahead, ahead)
  await move()
  expect(existsSync(at)).toBe(false)
})
