// @suite policy-long
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { beadloom, CommandLine, startedServer } from '../support/command-line.ts'
import { PseudoTerminal } from '../support/pseudo-terminal.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { TerminalWorld } from '../support/terminal-world.ts'

/*
 * The commands that show progress, for a person at a terminal, a pipe and a program: real processes, a real server that
 * also restarts, and a pseudo-terminal if one is needed.
 */
let world: TerminalWorld
beforeAll(async () => {
  world = await TerminalWorld.start({ engine: 'process' })
})
afterAll(() => world.close())

const bl: TerminalWorld['bl'] = (...args) => world.bl(...args)
const json: TerminalWorld['json'] = (...args) => world.json(...args)
const valuesOf = (text: string): Record<string, unknown>[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)

const addProject = (id: string, agent: string, test: string, title: string): Promise<string> =>
  world.addProject(id, shellProject({ agent, test }), [{ id: `${id}-1`, title }])

const FOREVER = 'cat > /dev/null; echo started; sleep 600\n'
/** Needs a second attempt. Its lines end as on Windows. */
const TWICE = `cat > /dev/null; printf 'a greeting\\r\\n' >> greeting.txt\n${commitAndPush('tw-1', 'Greet')}`
const TWO_LINES = 'echo checking; test "$(wc -l < greeting.txt)" -ge 2\n'
// oxlint-disable-next-line no-control-regex
const ESCAPE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

describe('beads', () => {
  test('are filed, shown, closed and reopened', async () => {
    await addProject('shelf', FOREVER, 'true\n', 'Wait')
    const filed = await json<BeadView>('beads', 'create', 'Sort', '-p', 'shelf', '--priority', '1', '--label', 'ci')
    expect(filed).toMatchObject({ title: 'Sort', priority: 1, type: 'task', labels: ['ci'], status: 'open' })
    expect((await bl('beads', 'show', filed.id)).stdout).toMatch(
      new RegExp(`^${filed.id} {2}Sort\nopen · P1 · task · ready · #ci\nproject shelf, `),
    )
    expect(await bl('beads', 'close', filed.id)).toMatchObject({ code: 0, stdout: `Closed ${filed.id}: Sort\n` })
    expect(await bl('beads', 'close', filed.id)).toMatchObject({ code: 1, stdout: '' })
    expect(await json<BeadView>('beads', 'reopen', filed.id)).toMatchObject({ status: 'open' })
    expect(await bl('beads', 'create', 'Sort', '--priority', 'high')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'beadloom: --priority high: must be 0 (critical) to 4 (backlog)\n',
    })
    const next = await json<BeadView>('beads', 'create', 'Next', '-p', 'shelf', '--depends-on', filed.id)
    expect(next).toMatchObject({ ready: false, dependencies: [{ id: filed.id, type: 'blocks' }] })
    const tracked = join(world.folder, 'trees', 'shelf', '.beads', 'issues.jsonl')
    await vi.waitFor(() => expect(readFileSync(tracked, 'utf8')).toContain(`"depends_on_id":"${filed.id}"`), 60_000)
    expect(await bl('beads', 'create', 'Never', '-p', 'shelf', '--depends-on', 'no-1')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'beadloom: the project shelf has no bead "no-1"; a bead can only depend on beads of its own project\n',
    })
    const description = join(world.folder, 'why.md')
    writeFileSync(description, '# Why\n\u001b[2Jbecause\n')
    const other = await json<BeadView>('beads', 'create', 'Other', '-p', 'shelf', '--file', description)
    const shown = (await bl('beads', 'show', other.id)).stdout
    expect(shown).toContain('Description\n  # Why\n  because\n')
    expect(shown).not.toMatch(ESCAPE)
  })
})

describe('attach', () => {
  test('shows attempts, sections and the results of the checks, and ends as the execution does', async () => {
    await addProject('tw', TWICE, TWO_LINES, 'Greet twice')
    const { id } = await json<ExecutionView>('run', 'tw-1')
    const [people, program, watching] = [
      bl('attach', 'tw-1'),
      bl('attach', id, '--json'),
      new CommandLine(['watch', '-p', 'tw', '--json', '--data', world.data]),
    ]
    const { code, stdout } = await people
    expect(code).toBe(0)
    expect(stdout).not.toMatch(ESCAPE)
    const lines = stdout.split('\n')
    const order = [
      /^tw-1 {2}Greet twice$/,
      /^━━ attempt 1 of 3, agent ━+ \d\d:\d\d:\d\d ━━$/,
      /^▸ agent$/,
      /^✓ agent, /,
      /^━━ attempt 1 of 3, checks /,
      /^▸ test$/,
      /^\$ sh test.sh$/,
      /^checking$/,
      /^✕ test, exit 1, /,
      /^✕ attempt 1, test: /,
      /^━━ attempt 2 of 3, agent /,
      /^✓ attempt 2, test: test passed/,
      /^✓ tw-1 COMPLETED: /,
    ]
    let at = 0
    for (const what of order) {
      const found = lines.slice(at).findIndex((line) => what.test(line))
      expect({ what, found: found >= 0 }).toEqual({ what, found: true })
      at += found + 1
    }

    const values = valuesOf((await program).stdout)
    expect(values.at(-1)).toMatchObject({ type: 'execution', id, state: 'COMPLETED', attempt: 2 })
    expect(
      values.filter(({ type }) => type === 'verification').map(({ attempt, passed }) => [attempt, passed]),
    ).toEqual([
      [1, false],
      [1, false],
      [2, true],
    ])

    await watching.says(/"state":"COMPLETED"/)
    watching.child.kill('SIGINT')
    expect((await watching.ended).code).toBe(130)
    const states = valuesOf(watching.stdout).filter(({ type }) => type === 'execution')
    expect(states.at(-1)).toMatchObject({ execution: id, project: 'tw', bead: 'tw-1', state: 'COMPLETED', attempt: 2 })
  })

  test('on a terminal has colours and the width of the window, and Ctrl-C leaves the execution alone', async () => {
    await addProject('slow', FOREVER, 'true\n', 'Take long')
    const { id } = await json<ExecutionView>('run', 'slow-1')
    const screen = new PseudoTerminal(['attach', 'slow-1', '--data', world.data], { columns: 64, rows: 20 })
    await screen.shows(/started/)
    expect(screen.output).toContain('\u001b[1mslow-1  Take long\u001b[22m')
    expect(screen.output).toMatch(/━━ attempt 1 of 3, agent ━{20,}/)
    screen.press('\u0003')
    expect((await screen.ended).code).toBe(130)
    expect(screen.output).toContain(`${id} continues. Follow it again: beadloom attach ${id}`)
    expect((await json<ServerStatus>('status')).running).toEqual([id])
  })
})

describe('watch', () => {
  test('draws the board on a terminal, restores it after q, and harms nothing', async () => {
    const screen = new PseudoTerminal(['watch', '--data', world.data], { columns: 90, rows: 20 })
    await screen.shows(/RUNNING 1/)
    await screen.shows(/◐ slow-1/)
    expect(screen.output).toContain('\u001b[?1049h')
    expect(screen.output).toContain('■□□ 1 of 3 slots')
    screen.press('q')
    expect((await screen.ended).code).toBe(0)
    expect(screen.output.trimEnd().endsWith('\u001b[?25h\u001b[?1049l')).toBe(true)
    // The screen is cleared on entering and for its first frame; after that, only single lines are drawn.
    expect(screen.output.split('\u001b[2J')).toHaveLength(3)
    expect((await json<ServerStatus>('status')).running).toHaveLength(1)
  })

  test('has no colours when nobody wants them, and ends with 130 on Ctrl-C', async () => {
    const screen = new PseudoTerminal(['watch', '--data', world.data], {
      columns: 90,
      rows: 20,
      env: { NO_COLOR: '1' },
    })
    await screen.shows(/◐ slow-1/)
    // oxlint-disable-next-line no-control-regex
    expect(screen.output).not.toMatch(/\u001b\[\d*m/)
    screen.press('\u0003')
    expect((await screen.ended).code).toBe(130)
  })

  test('and attach reconnect to a restarted server, and lose and repeat nothing', async () => {
    const watching = new CommandLine(['watch', '--data', world.data])
    const attached = new CommandLine(['attach', 'slow-1', '--data', world.data])
    await watching.says(/◐ slow-1 {2}slow {2}RUNNING/)
    await attached.says(/started/)
    await world.stopServer()
    await Promise.all([watching, attached].map((one) => one.says(/lost the connection to the server/)))
    await world.startServer()
    await watching.says(/reconnected/)
    await bl('cancel', 'slow-1')
    const { code, stdout } = await attached.ended
    expect(code).toBe(13)
    expect(stdout.match(/^› started$|^started$/gm)).toHaveLength(1)
    expect(stdout).toContain('⊘ slow-1 CANCELLED')
    await watching.says(/⊘ slow-1 {2}slow {2}CANCELLED/)
    watching.child.kill('SIGINT')
    const ended = await watching.ended
    expect(ended.code).toBe(130)
    expect(ended.stdout).not.toMatch(ESCAPE)
  })

  test('of an unknown project, or without a server, says so', async () => {
    expect(await bl('watch', '-p', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no project "nothing"'),
    })
    expect(await beadloom(['watch', '--data', join(world.folder, 'nobody')])).toMatchObject({ code: 3, stdout: '' })
  })
})

describe('diff', () => {
  test('is a patch that git accepts, and a table with --stat', async () => {
    const { code, stdout, stderr } = await bl('diff', 'tw-1')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('+++ b/greeting.txt\n@@ -0,0 +1,2 @@\n+a greeting\r\n+a greeting\r\n')
    const patch = join(world.folder, 'work.patch')
    writeFileSync(patch, stdout)
    const tree = join(world.folder, 'trees', 'tw')
    git(tree, 'apply', '--check', patch)
    expect((await bl('diff', 'tw-1', '--stat')).stdout).toBe('A greeting.txt | 2 ++\n1 file changed, +2 −0\n')
    expect(await json('diff', 'tw-1')).toMatchObject({ files: [{ path: 'greeting.txt', added: 2, patch: stdout }] })
    expect(await bl('diff', 'tw-1', 'elsewhere')).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('changed none of these'),
    })
  })

  test('goes through a pager only on a terminal, and only if PAGER is set', async () => {
    const diff = (env: NodeJS.ProcessEnv) =>
      new PseudoTerminal(['diff', 'tw-1', '--data', world.data], { columns: 80, rows: 24, env }).ended
    const [plain, paged] = await Promise.all([diff({ PAGER: '' }), diff({ PAGER: 'sed s/^/paged:/' })])
    expect(plain.stdout).toContain('\u001b[32m+a greeting\u001b[39m')
    expect(paged.stdout).toContain('paged:\u001b[32m+a greeting')
    const piped = await beadloom(['diff', 'tw-1', '--data', world.data], { env: { PAGER: 'sed s/^/paged:/' } })
    expect(piped.stdout).not.toContain('paged')
  })
})

describe('backup', () => {
  test('is a database that a server starts with, taken while another one works and after it', async () => {
    const file = join(world.folder, 'copies', 'one.db')
    const made = await json<{ file: string; executions: number; others: { path: string }[] }>('backup', file)
    expect(made).toMatchObject({ file, projects: 3, verified: true })
    expect(made.executions).toBe(2)
    expect(made.others.map(({ path }) => path)).toEqual([join(world.data, 'hub'), join(world.data, 'logs')])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(await bl('backup', file)).toMatchObject({ code: 1, stderr: expect.stringContaining('already exists') })

    // The server was restarted above, with a database that had no backup yet.
    const status = await json<ServerStatus>('status')
    expect(status.backups).toMatchObject({ kept: 1, problem: null })
    const [own] = readdirSync(join(world.data, 'backups'))
    expect(own).toMatch(/^auto-\d{8}T\d{6}Z\.db$/)
    expect(statSync(join(world.data, 'backups', own ?? '')).mode & 0o777).toBe(0o600)
    expect((await bl('status')).stdout).toMatch(/^Backups +1 copy, newest /m)

    const restored = join(world.folder, 'restored')
    mkdirSync(restored, { mode: 0o700 })
    copyFileSync(file, join(restored, 'beadloom.db'))
    execFileSync('cp', ['-a', join(world.data, 'hub'), join(world.data, 'logs'), restored])
    expect(await beadloom(['backup', '--data', restored])).toMatchObject({ code: 0 })
    const { line } = await startedServer(restored)
    const { stdout } = await beadloom(['logs', 'tw-1', '--data', restored])
    expect(stdout).toBe((await bl('logs', 'tw-1')).stdout)
    line.child.kill('SIGTERM')
    await line.ended
    expect(await beadloom(['backup', '--data', join(world.folder, 'nobody')])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no database'),
    })
  })
})
