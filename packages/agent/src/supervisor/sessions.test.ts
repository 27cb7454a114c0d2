import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox, whyNoNamespace } from './testing/sandbox.ts'

/** Counts living processes, without zombies. */
const ALIVE = "grep -Ls '^State:.Z' /proc/[0-9]*/status | wc -l"

describe.skipIf(whyNoNamespace() !== null)('a session in a pid namespace', () => {
  // One for all of them: a session leaves nothing to the next one.
  let sandbox: Sandbox
  beforeAll(async () => {
    sandbox = await Sandbox.open()
  })
  afterAll(() => sandbox?.[Symbol.asyncDispose]())
  beforeEach(async () => {
    for (const { session } of (await sandbox.state()).sessions) {
      await sandbox.order('session-stop', { session, graceMs: 0 })
      await sandbox.order('session-forget', { session })
    }
  })

  test('sends its output and its exit code, standard output and standard error apart', async () => {
    const output = await sandbox.run('s-1', 'echo out; echo err >&2; exit 3')
    expect(output.stdout.toString()).toBe('out\n')
    expect(output.stderr.toString()).toBe('err\n')
    expect(output.end).toMatchObject({ how: 'exited', code: 3, signal: null, leftBehind: 0, detail: '' })
  })

  test('has the environment of the order, and an empty input', async () => {
    const order = { env: { A: 'b', PATH: process.env['PATH'] ?? '' }, cwd: '/usr' }
    const { stdout } = await sandbox.run('s-1', 'cat; env | grep -v -e PATH -e PWD -e SHLVL -e ^_; pwd', order)
    expect(stdout.toString()).toBe('A=b\n/usr\n')
  })

  test.each([
    ['a program that is not there', ['no-such-program'], {}, 127],
    ['a program that is not there, by its path', ['./no-such-program'], {}, 127],
    ['a program that may not be run', ['/etc/passwd'], {}, 126],
    ['a folder', ['/etc'], {}, 127],
    ['a folder that is not there', ['true'], { cwd: '/no/such/folder' }, 127],
    ['an argument that is too long for the kernel', ['true', 'x'.repeat(150_000)], {}, 126],
    ['a zero byte', ['true', 'a\0b'], {}, 126],
  ])('ends with %s and says why', async (_, argv, more, code) => {
    const { end } = await sandbox.run('s-1', argv, more)
    expect(end).toMatchObject({ how: 'not-started', code, signal: null, detail: expect.stringMatching(/./) })
    expect((await sandbox.run('s-2', 'echo next')).stdout.toString()).toBe('next\n')
  })

  test('tells a signal of its own from one of ours', async () => {
    const own = await sandbox.run('s-1', 'kill -KILL $$')
    expect(own.end).toMatchObject({ how: 'exited', code: null, signal: 'SIGKILL', killed: false })
    await sandbox.start('s-2', `trap '' TERM; echo up; while :; do sleep 0.1; done`)
    await sandbox.read('s-2', 0, ({ order }) => order.includes('stdout'))
    await sandbox.order('session-stop', { session: 's-2', graceMs: 50 })
    expect((await sandbox.read('s-2')).end).toMatchObject({ how: 'stopped', signal: 'SIGKILL', killed: true })
  })

  test('loses what it has started within a time, and neither itself nor what is older', async () => {
    const gate = join(sandbox.folder, '..', 'gate')
    const young = `trap "" TERM; echo young >&2; while :; do sleep 0.02; done`
    // The older one is older by more than an order takes to arrive on a busy machine.
    await sandbox.start(
      's-1',
      `sleep 1000 & old=$!; sleep 2; echo old; until [ -e ${gate} ]; do sleep 0.01; done
       sh -c '${young}' & wait $!; echo "ended $?"; kill -0 $old && echo stays; kill $old`,
    )
    await sandbox.read('s-1', 0, ({ order }) => order.includes('stdout'))
    const opened = performance.now()
    writeFileSync(gate, '')
    await sandbox.read('s-1', 0, ({ order }) => order.includes('stderr'))
    const youngerMs = Math.ceil(performance.now() - opened) + 1000
    const answer = await sandbox.order('session-interrupt', { session: 's-1', youngerMs })
    expect(answer).toMatchObject({ interrupted: expect.any(Number) })
    const { stdout, end } = await sandbox.read('s-1')
    expect(stdout.toString()).toMatch(/ended 137\nstays\n$/)
    expect(end).toMatchObject({ how: 'exited', code: 0 })
    expect(await sandbox.order('session-interrupt', { session: 's-1', youngerMs })).toMatchObject({
      refused: 'unknown',
    })
  })

  test('has time to end in order after a stop', async () => {
    await sandbox.start('s-1', `trap 'echo saved; exit 7' TERM; echo up; while :; do sleep 0.05; done`)
    await sandbox.read('s-1', 0, ({ order }) => order.includes('stdout'))
    const answer = await sandbox.order('session-stop', { session: 's-1', graceMs: 20_000 })
    expect(answer).toMatchObject({ session: { state: 'ended', end: { how: 'stopped', code: 7, killed: false } } })
    expect((await sandbox.read('s-1')).stdout.toString()).toMatch(/saved\n$/)
  })

  test('takes its leftovers with it: in the background, in a session of their own, forked away, deaf to signals', async () => {
    const { end } = await sandbox.run(
      's-1',
      `sleep 1000 & setsid sleep 1000 & (setsid sh -c 'sleep 1000 & sleep 1000' &) & setsid sh -c 'trap "" TERM HUP INT; env -i sleep 1000' & until [ $(grep -lxs sleep /proc/[0-9]*/comm | wc -l) -ge 5 ]; do :; done`,
    )
    expect(end?.leftBehind).toBeGreaterThanOrEqual(5)
    const { stdout } = await sandbox.run('s-2', ALIVE)
    expect(Number(stdout)).toBeLessThanOrEqual(5) // process 1, the supervisor, sh, grep, wc
  })

  test('ends even a process that forks faster than anybody can look', async () => {
    // Each starts the next one and ends.
    const env = { PATH: process.env['PATH'] ?? '', HOP: 'setsid sh -c "$HOP" & exit' }
    const { end } = await sandbox.run('s-1', 'setsid sh -c "$HOP" & for i in $(seq 50); do /bin/true; done', { env })
    expect(end?.how).toBe('exited')
    expect((await sandbox.run('s-2', ALIVE)).stdout.toString().trim()).toMatch(/^[2-5]$/)
  })

  test('does not pile up dead orphans while it lives', async () => {
    const { stdout } = await sandbox.run(
      's-1',
      `for i in $(seq 100); do (true & true &) ; done; until ! grep -q '^State:.Z' /proc/[0-9]*/status 2>/dev/null; do :; done; echo none`,
    )
    expect(stdout.toString()).toBe('none\n')
  })

  test('is alone, and a repeated order starts nothing', async () => {
    expect(await sandbox.start('s-1', 'echo once; sleep 1000')).toMatchObject({ session: { state: 'running' } })
    await sandbox.read('s-1', 0, ({ order }) => order.includes('stdout'))
    expect(await sandbox.start('s-1', 'echo twice')).toMatchObject({ session: { state: 'running', session: 's-1' } })
    expect(await sandbox.start('s-2', 'true')).toMatchObject({ refused: 'busy' })
    expect(await sandbox.order('session-forget', { session: 's-1' })).toMatchObject({ refused: 'running' })
    await sandbox.order('session-stop', { session: 's-1', graceMs: 1000 })
    expect(await sandbox.start('s-1', 'echo again')).toMatchObject({ session: { state: 'ended' } })
    expect(await sandbox.order('session-forget', { session: 's-1' })).toEqual({ forgotten: true })
    expect((await sandbox.state()).sessions).toEqual([])
  })

  test('is refused if its order cannot be read, naming the problem', async () => {
    expect(await sandbox.order('session-start', { session: '../x' }, {})).toMatchObject({ refused: 'bad-order' })
    expect(await sandbox.order('session-start', { session: 's' }, { argv: [], env: {}, cwd: 'x' })).toMatchObject({
      refused: 'bad-order',
      detail: expect.stringMatching(/argv.*cwd/),
    })
    expect(await sandbox.order('session-stop', { session: 'x', graceMs: 1 })).toMatchObject({ refused: 'unknown' })
  })

  test('keeps its record whole if a command opens its standard error by name', async () => {
    const { stdout, stderr } = await sandbox.run(
      's-1',
      'echo one; echo two > /dev/stdout; echo three; echo four > /dev/stderr',
    )
    expect(stdout.toString()).toBe('one\nthree\n')
    expect(stderr.toString()).toMatch(/\/dev\/stdout: Permission denied[\s\S]*\/dev\/stderr: Permission denied/)
  })

  test('loses its spool when a server has stored it, and its end is still known', async () => {
    await sandbox.run('s-1', 'echo stored')
    await expect.poll(() => readdirSync(join(sandbox.folder, 's-1'))).toEqual(['session.json'])
    const { sessions } = await sandbox.state()
    expect(sessions).toMatchObject([{ state: 'ended', session: 's-1', end: { code: 0 } }])
    const { spool } = sessions[0]!
    expect(await sandbox.read('s-1', spool.end)).toMatchObject({ order: [], gaps: [] })
    expect(await sandbox.read('s-1', 0)).toMatchObject({ gaps: [[0, spool.end]] })
  })
})
