// @suite unit-long
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Sandbox, whyNoNamespace } from './testing/sandbox.ts'

const env = { PATH: process.env['PATH'] ?? '' }
const orderOf = (command: string) => ({ argv: ['sh', '-c', command], env, cwd: '/' })
/** Prints what it read at its gate. A process that was started with its session has no gate. */
const WAITS = 'if test -n "$BEADLOOM_GATE"; then read may <&3; echo "let in: $may"; else echo new; fi'
/** Counts the processes that were started with a gate. No pipe: a forked shell still has our environment. */
const COUNT = 'unset BEADLOOM_GATE; set -- $(grep -slz BEADLOOM_GATE= /proc/[0-9]*/environ); echo $#'

describe.skipIf(whyNoNamespace() !== null)('a process that was started ahead', () => {
  let sandbox: Sandbox
  beforeEach(async () => {
    sandbox = await Sandbox.open()
  })
  afterEach(() => sandbox?.[Symbol.asyncDispose]())
  const ahead = (command: string) => sandbox.order('session-ahead', {}, orderOf(command))

  test('waits, is no session, and becomes the next one that is ordered in the same words', async () => {
    expect(await ahead(WAITS)).toEqual({ ahead: true })
    expect(await ahead(WAITS)).toEqual({ ahead: true })
    expect((await sandbox.state()).sessions).toEqual([])
    const { stdout, end } = await sandbox.run('s-1', WAITS, { env })
    expect(stdout.toString()).toBe('let in: 1\n')
    expect(end).toMatchObject({ how: 'exited', code: 0, leftBehind: 0 })
    expect((await sandbox.run('s-2', WAITS, { env })).stdout.toString()).toBe('new\n')
  })

  test('is told its order at its gate, up to the last byte', async () => {
    // Exactly one process: with another one alive, it would not be taken.
    const tells = 'if test -n "$BEADLOOM_GATE"; then exec md5sum <&3; else echo asks; fi'
    const told = JSON.stringify({ prompt: 'ü\n'.repeat(60_000) })
    expect(await ahead(tells)).toEqual({ ahead: true })
    const { stdout } = await sandbox.run('s-1', tells, { env, sessionOrder: told })
    expect(stdout.toString()).toBe(`${createHash('md5').update(`1${told}`).digest('hex')}  -\n`)
    expect((await sandbox.run('s-2', tells, { env, sessionOrder: told })).stdout.toString()).toBe('asks\n')
  })

  test('is ended by an order in other words, which finds nobody else alive', async () => {
    expect(await ahead(`${WAITS}; ${COUNT}`)).toEqual({ ahead: true })
    expect((await sandbox.run('s-1', `${WAITS}; ${COUNT}`, { env })).stdout.toString()).toBe('let in: 1\n1\n')
    expect(await ahead(WAITS)).toEqual({ ahead: true })
    expect((await sandbox.run('s-2', COUNT, { env })).stdout.toString()).toBe('0\n')
  })

  test('is refused while a session runs, and leaves that alone', async () => {
    await sandbox.start('s-1', 'read line < /proc/self/fd/0; sleep 1000')
    expect(await ahead(WAITS)).toMatchObject({ refused: 'busy' })
    expect(await sandbox.state()).toMatchObject({ sessions: [{ session: 's-1', state: 'running' }] })
  })

  test('that cannot be started is refused with the reason', async () => {
    const order = { ...orderOf(''), argv: ['no-such-program'] }
    expect(await sandbox.order('session-ahead', {}, order)).toEqual({
      refused: 'unwritable',
      detail: 'there is no program no-such-program',
    })
    expect((await sandbox.run('s-1', 'echo fine')).stdout.toString()).toBe('fine\n')
  })

  test('that finds no free descriptor is refused, leaves none open, and the supervisor lives', async () => {
    // One for the order itself, four for its output, two for its gate, and a few that a start needs for a moment.
    const answers: object[] = []
    for (let more = 2; more <= 12; more++) {
      sandbox.limitFiles(more)
      answers.push(await ahead(WAITS))
      if ('ahead' in answers.at(-1)!) break
    }
    expect(answers.length).toBeGreaterThan(4)
    expect(answers.at(-1)).toEqual({ ahead: true })
    expect(answers.slice(0, -1)).toEqual(
      answers.slice(0, -1).map(() => expect.objectContaining({ refused: 'unwritable' })),
    )
    sandbox.limitFiles(100)
    expect((await sandbox.state()).starts).toBe(1)
    expect((await sandbox.run('s-1', WAITS, { env })).stdout.toString()).toBe('let in: 1\n')
  })

  test('ends with its supervisor, and the next one knows nothing of it', async () => {
    expect(await ahead(WAITS)).toEqual({ ahead: true })
    sandbox.killSupervisor()
    await sandbox.ready(2)
    expect(existsSync(join(sandbox.folder, '.ahead'))).toBe(false)
    expect((await sandbox.run('s-1', `${WAITS}; ${COUNT}`, { env })).stdout.toString()).toBe('new\n0\n')
  })
})
