import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { Git } from './git.ts'
import type { GitCall } from './git-call.ts'

let folder: string
let clock: HandClock
let git: Git
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beadloom-group-'))
  clock = new HandClock()
  git = new Git({ binary: 'git', home: folder, searchPath: '/usr/local/bin:/usr/bin:/bin', cwd: folder, clock })
  execFileSync(
    'mkfifo',
    ['up', 'left', 'never'].map((name) => join(folder, name)),
  )
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const TIMEOUT_MS = 60_000
/** Neither this git nor its children end by SIGTERM. Once up, it tells its process group and waits for ever. */
const STUBBORN = '!f() { trap "" TERM; ps -o pgid= -p $$ > up; cat never; }; f'

const collected = (call: GitCall): Promise<unknown> => git.run(call)
async function streamed(call: GitCall): Promise<unknown> {
  const { stdin, stdout, ended } = git.start(call)
  stdin.end()
  stdout.resume()
  return ended
}

describe.each([
  ['collected', collected],
  ['streamed', streamed],
])('a git that ignores SIGTERM, its output %s,', (_, play) => {
  const begin = async (signal?: AbortSignal) => {
    const args = ['-c', `alias.stay=${STUBBORN}`, 'stay']
    const ended = play({ args, signal, timeoutMs: TIMEOUT_MS }).catch((error: unknown) => error)
    const group = Number(await readFile(join(folder, 'up'), 'utf8')) // a fifo is read when somebody writes it
    return { ended, group }
  }
  /** Zombies do not count. */
  const alive = (group: number) =>
    execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/ +/))
      .some(([pgid, state = 'Z']) => Number(pgid) === group && !state.startsWith('Z'))
  /** A process lets go of its output a moment before it is dead. */
  const gone = async (group: number) => {
    while (alive(group)) await setImmediate()
  }

  test('is killed with all its children, five seconds after its call was aborted', async () => {
    const stop = new AbortController()
    const { ended, group } = await begin(stop.signal)
    stop.abort(new Error('cancelled'))
    clock.advance(4_999)
    expect(alive(group)).toBe(true)
    clock.advance(1)
    await ended
    await gone(group)
  })

  test('is given up if even SIGKILL does not reach it, and the error names the process and the disk', async () => {
    // Like a process that waits for a frozen disk, it ignores our signals: it has left the group, and holds git's output.
    const leaves = 'setsid sh -c "echo > left; exec cat never" & cat left'
    const deaf = `!f() { ${leaves}; ps -o pgid= -p $$ > up; wait; }; f`
    const stop = new AbortController()
    const gitDir = join(folder, 'hub.git')
    const args = ['-c', `alias.stay=${deaf}`, 'stay']
    const ended = play({ gitDir, args, signal: stop.signal, timeoutMs: TIMEOUT_MS }).catch((error: unknown) => error)
    const group = Number(await readFile(join(folder, 'up'), 'utf8'))
    stop.abort(new Error('cancelled'))
    await gone(group)
    let isOver = false
    void ended.then(() => (isOver = true))
    // On a busy machine the wait after SIGKILL begins later than SIGKILL.
    for (; !isOver; await setImmediate()) clock.advance(5_000)
    expect(await ended).toMatchObject({
      kind: 'hangs',
      message: expect.stringMatching(
        new RegExp(`^git -c \\(process \\d+\\) cannot be ended, not even by SIGKILL: the disk that holds ${gitDir} `),
      ),
    })
    await writeFile(join(folder, 'never'), '') // lets it go
  })

  test('is killed with all its children, five seconds after its time is up', async () => {
    const { ended, group } = await begin()
    clock.advance(TIMEOUT_MS)
    while (clock.sleepers === 0) await setImmediate() // SIGTERM went out, and its five seconds count
    clock.advance(5_000)
    expect(await ended).toMatchObject(play === collected ? { kind: 'timed-out' } : { why: 'timed-out' })
    await gone(group)
  })
})
