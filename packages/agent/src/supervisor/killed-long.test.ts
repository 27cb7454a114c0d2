// @suite unit-long
import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { Sandbox, whyNoNamespace } from './testing/sandbox.ts'

const hash = (bytes: string | Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** The numbers from 1 to `count`, as `seq` prints them. */
const lines = (count: number): string => Array.from({ length: count }, (_, index) => `${index + 1}\n`).join('')

describe.skipIf(whyNoNamespace() !== null)('when somebody dies', () => {
  test('a supervisor that its session kills is started again, ends the session, and serves all its output', async () => {
    await using sandbox = await Sandbox.open()
    // Its answer may die with the supervisor.
    await sandbox
      .start('s-1', 'seq 100000; kill -KILL $PPID; seq 100001 100010; setsid sleep 1000 & sleep 1000')
      .catch(() => {})
    const state = await sandbox.ready(2)
    expect(state).toMatchObject({
      starts: 2,
      clean: true,
      sessions: [
        { state: 'ended', end: { how: 'unknown', code: null, detail: expect.stringMatching(/supervisor was killed/) } },
      ],
    })
    expect(sandbox.words).toMatch(/The supervisor ended with exit code 137/)
    const output = await sandbox.read('s-1')
    expect(output.gaps).toEqual([])
    expect(output.stdout.toString().startsWith(lines(100_000))).toBe(true)
    expect(output.end?.how).toBe('unknown')
    // Process 1, the supervisor, and this session alone.
    expect((await sandbox.run('s-2', 'ls -d /proc/[0-9]* | wc -l')).stdout.toString().trim()).toMatch(/^[2-5]$/)
  })

  test('a session that is read half before its supervisor dies, and half afterwards, is read exactly once', async () => {
    await using sandbox = await Sandbox.open()
    await sandbox.start('s-1', 'seq 200000; exec sleep 1000')
    let durable = 0
    const first = await sandbox.read('s-1', 0, (_, offset) => (durable = offset) > 300_000)
    expect(first.end).toBeNull()
    await sandbox.order('session-stop', { session: 's-1', graceMs: 0 })
    await sandbox.ready()
    await sandbox.kill()
    await using next = await Sandbox.open({ folder: sandbox.folder })
    const second = await next.read('s-1', durable)
    expect(second.gaps).toEqual([])
    // On a busy machine it is stopped before it has printed everything.
    const read = Buffer.concat([first.stdout, second.stdout])
    expect(read.length).toBeGreaterThan(300_000)
    expect(hash(read)).toBe(hash(lines(200_000).slice(0, read.length)))
  })

  test('a SIGKILL of everything loses no written output', async () => {
    await using sandbox = await Sandbox.open()
    await sandbox.start('s-1', 'seq 300000; echo told >&2; touch "$DONE"; exec sleep 1000', {
      env: { PATH: process.env['PATH'] ?? '', DONE: join(sandbox.folder, '..', 'done') },
    })
    await expect.poll(() => statSync(join(sandbox.folder, '..', 'done'), { throwIfNoEntry: false })).toBeTruthy()
    await sandbox.kill()
    expect(hash(readFileSync(join(sandbox.folder, 's-1', 'stdout')))).toBe(hash(lines(300_000)))
    await using next = await Sandbox.open({ folder: sandbox.folder })
    const { sessions } = await next.state()
    expect(sessions).toMatchObject([{ state: 'ended', end: { how: 'unknown' } }])
    const output = await next.read('s-1')
    expect(hash(output.stdout)).toBe(hash(lines(300_000)))
    expect(output.stderr.toString()).toBe('told\n')
  })

  test('signals to all processes, except SIGKILL, leave the supervisor as it is', async () => {
    await using sandbox = await Sandbox.open()
    const { stdout } = await sandbox.run(
      's-1',
      `trap '' HUP INT QUIT TERM USR1 USR2 ALRM; for s in HUP INT QUIT TERM USR1 USR2 ALRM VTALRM PROF XCPU IO STKFLT; do kill -s $s $PPID; done; pkill node; killall -q node; echo still here`,
    )
    expect(stdout.toString()).toBe('still here\n')
    expect((await sandbox.state()).starts).toBe(1)
    const debuggers = `grep -c ' 0100007F:240D ' /proc/net/tcp` // 127.0.0.1:9229
    expect((await sandbox.run('s-2', debuggers)).stdout.toString()).toBe('0\n')
  })

  test('process 1 cannot be killed or stopped from inside', async () => {
    await using sandbox = await Sandbox.open()
    await sandbox.run('s-1', 'for s in KILL STOP HUP INT USR1 USR2 SEGV QUIT PIPE; do kill -s $s 1; done')
    expect((await sandbox.run('s-2', 'grep ^State /proc/1/status')).stdout.toString()).toMatch(/S \(sleeping\)/)
    expect((await sandbox.state()).starts).toBe(1)
  })

  test('a stop of the container ends the session in order, and then itself', async () => {
    await using sandbox = await Sandbox.open()
    await sandbox.start('s-1', `trap 'echo saved; exit 0' TERM; echo up; while :; do sleep 0.05; done`)
    await sandbox.read('s-1', 0, ({ order }) => order.includes('stdout'))
    expect(await sandbox.stopContainer()).toBe(143)
    await using next = await Sandbox.open({ folder: sandbox.folder })
    const output = await next.read('s-1')
    expect(output.end).toMatchObject({ how: 'stopped', code: 0 })
    expect(output.stdout.toString()).toMatch(/saved\n$/)
  })

  test.each([
    ['empties its files', 'chmod 600 $AT/std*; echo two; : > $AT/stdout; : > $AT/stderr'],
    ['makes them huge', 'chmod 600 $AT/stdout; truncate -s 20G $AT/stdout'],
    ['writes nonsense over the order', 'yes > $AT/order.0 & sleep 0.05; kill $!'],
    ['removes all of it', 'rm -rf $AT; echo two'],
    ['puts a file in its place', 'rm -rf $AT; : > $AT'],
    ['puts a link in its place', 'rm -rf $AT; ln -s /etc $AT'],
    ['says how it ended itself', `echo '{"state":"ended"}' > $AT/session.json; mkdir $AT/session.json.new`],
  ])('a session that %s harms nobody but itself', async (_, line) => {
    await using sandbox = await Sandbox.open()
    const env = { PATH: process.env['PATH'] ?? '', AT: join(sandbox.folder, 's-1') }
    await sandbox.start('s-1', `echo one; ${line}`, { env })
    await expect
      .poll(async () => (await sandbox.state()).sessions)
      .toMatchObject([{ state: 'ended', end: { code: 0 } }])
    const { starts } = await sandbox.state()
    await sandbox.order('session-forget', { session: 's-1' })
    expect((await sandbox.run('s-2', 'echo next')).stdout.toString()).toBe('next\n')
    expect({ starts, now: (await sandbox.state()).starts }).toEqual({ starts: 1, now: 1 })
  })
})
