import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Git } from '@beadloom/server/src/hub/git/git.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LoopDisk } from '../crash/soak/loop-disk.ts'

/* A real, frozen disk: a process that writes there waits in the kernel, where no signal reaches it. */
const missing = process.getuid?.() === 0 && existsSync('/sbin/fsfreeze') ? null : 'It wants root and fsfreeze.'
if (missing !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missing}`)
if (missing !== null) console.warn(`SKIPPED: a hub on a disk that stands still. ${missing}`)
let root: string
let disk: LoopDisk
let git: Git
let gitDir: string
const clock = new HandClock()

describe.skipIf(missing !== null)('a hub whose disk hangs', () => {
  beforeEach(async () => {
    root = mkdtempSync(join(tmpdir(), 'bl-frozen-'))
    disk = new LoopDisk(join(root, 'disk'), 8 * 1024 ** 2)
    git = new Git({ binary: 'git', home: root, searchPath: '/usr/local/bin:/usr/bin:/bin', cwd: root, clock })
    gitDir = join(disk.folder, 'clone.git')
    await git.run({ args: ['init', '--quiet', '--bare', gitDir] })
    disk.freeze()
  })
  afterEach(() => {
    disk.remove()
    rmSync(root, { recursive: true, force: true })
  })

  const collected = (signal: AbortSignal): Promise<unknown> =>
    git.run({ gitDir, args: ['hash-object', '-w', '--stdin'], input: 'x', signal })
  async function streamed(signal: AbortSignal): Promise<unknown> {
    const { stdin, stdout, ended } = git.start({ gitDir, args: ['hash-object', '-w', '--stdin'], signal })
    stdin.end('x')
    stdout.resume()
    return ended
  }

  const inTheKernel = () =>
    execFileSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' })
      .split('\n')
      .some((line) => line.startsWith('D') && line.includes(gitDir))

  test.each([
    ['collected', collected],
    ['streamed', streamed],
  ])('keeps no cancel waiting: a git whose output is %s is left to itself, and named', async (_, play) => {
    const stop = new AbortController()
    const ended = play(stop.signal).catch((error: unknown) => error)
    let isOver = false
    void ended.then(() => (isOver = true))
    await expect.poll(inTheKernel, { timeout: 10_000 }).toBe(true)
    stop.abort(new Error('cancelled'))
    for (let passed = 0; passed < 60 && !isOver; passed++) {
      clock.advance(1_000)
      await new Promise((resolve) => setTimeout(resolve, 20)) // gives the kernel its turn
    }
    expect(isOver).toBe(true)
    expect(await ended).toMatchObject({
      kind: 'hangs',
      message: expect.stringMatching(
        /git hash-object \(process \d+\) cannot be ended.* holds .*clone\.git does not answer/,
      ),
    })
  })
})
