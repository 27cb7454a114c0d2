import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadCard, Check, ExecutionView, ProjectView, ServerStatus } from '@beadloom/core/api.ts'
import { beadloom, CommandLine, startedServer, type Up } from '../support/command-line.ts'
import { git, issues, makeRepository, type BeadLine, type Files } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { UnsteadyProxy } from '../support/unsteady-proxy.ts'

/*
 * The command line as a person and a script meet it: `bin/beadloom.mjs` as child processes, against a server that is
 * one too, on real Docker, with shell scripts as agents.
 */
let folder: string
let data: string
let up: Up
let server: CommandLine

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bl-cli-'))
  data = join(folder, 'data')
  const started = await startedServer(data)
  server = started.line
  up = started.up
})
afterAll(async () => {
  server.child.kill('SIGTERM')
  await server.ended
  rmSync(folder, { recursive: true, force: true })
})

const bl = (...args: string[]) => beadloom([...args, '--data', data])
const json = async <T>(...args: string[]): Promise<T> => {
  const { code, stdout, stderr } = await bl(...args, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

/** A working tree on this machine, added as a project. */
async function addProject(id: string, files: Files, beads: BeadLine[]): Promise<string> {
  const tree = makeRepository(join(folder, 'trees', id), { '.beads/issues.jsonl': issues(...beads), ...files })
  expect(await bl('project', 'add', tree, '--id', id)).toMatchObject({ code: 0 })
  return tree
}

const good = (id: string) =>
  shellProject({ agent: `cat > /dev/null; echo hello > greeting.txt\n${commitAndPush(id, 'Greet')}` })
const forever = shellProject({ agent: 'cat > /dev/null; echo started; sleep 600\n' })

describe('every command', () => {
  test('explains itself with examples', async () => {
    const commands = [
      'start',
      'doctor',
      'status',
      'project add',
      'project list',
      'project remove',
      'beads',
      'run',
      'logs',
      'cancel',
      'pause',
      'resume',
      'sync',
    ]
    const helps = await Promise.all(commands.map((command) => beadloom([...command.split(' '), '--help'])))
    for (const [at, { code, stdout, stderr }] of helps.entries()) {
      expect({ command: commands[at], code, stderr }).toEqual({ command: commands[at], code: 0, stderr: '' })
      expect(stdout).toContain('Examples:\n')
      expect(stdout).toContain('--json')
    }
    const { stdout } = await beadloom(['--help'])
    expect(stdout).toContain('Exit codes:')
  })

  test('ends with 2 when its words are off, and with 3 without a server', async () => {
    expect(await bl('beads', '--colour')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--colour'),
    })
    const wrong = await bl('run', 'bl-1', '--retry-count', '11', '--retry-delay', '2h')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr.split('\n')).toEqual(
      expect.arrayContaining(['beadloom: --retry-count 11: At most 10.', '--retry-delay 2h: At most 1 minute.']),
    )
    expect(await bl('dance')).toMatchObject({ code: 2, stdout: '' })
    const elsewhere = join(folder, 'nobody')
    for (const command of [
      ['status'],
      ['beads'],
      ['run', 'bl-1', '--wait'],
      ['logs', '-f', 'ex-0000000000'],
      ['project', 'list'],
    ]) {
      const { code, stdout, stderr } = await beadloom([...command, '--data', elsewhere, '--json'])
      expect({ command, code, stdout }).toEqual({ command, code: 3, stdout: '' })
      expect(stderr).toBe(
        `beadloom: no Beadloom server uses ${elsewhere}. Start one with "beadloom start" (or "npm start" in the checkout), or name another data folder with --data.\n`,
      )
    }
  })
})

describe('a person at the terminal', () => {
  test('adds a project, sees its beads, runs one, and finds it done', async () => {
    const tree = await addProject('greeter', good('bl-1'), [
      { id: 'bl-1', title: 'Greet' },
      { id: 'bl-2', title: 'Part', dependencies: [{ issue_id: 'bl-2', depends_on_id: 'bl-1', type: 'blocks' }] },
    ])
    expect((await bl('project', 'list')).stdout).toMatch(/greeter +1 +2 +0 +manual/)
    expect((await bl('beads', '-p', 'greeter')).stdout).toMatch(/bl-2 +P2 +open +Part +waits for bl-1/)
    expect(await bl('run', 'bl-1', '-p', 'greeter', '--wait')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('✓ attempt 1, test: test passed'),
    })
    const cards = await json<BeadCard[]>('beads', '-p', 'greeter')
    expect(cards.find(({ id }) => id === 'bl-1')).toMatchObject({ status: 'done' })
    expect(git(tree, 'show', 'beadloom/work:greeting.txt')).toBe('hello')
    // It is done; the message says what to do.
    expect(await bl('run', 'bl-1', '-p', 'greeter')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('reopen it first'),
    })
  })

  test('learns from the exit code of `run --wait` how it ended (R4-037, R4-081)', async () => {
    await addProject('stuck', shellProject({ agent: 'cat > /dev/null; echo "BLOCKED: no licence"\n' }), [
      { id: 'st-1', title: 'Stick' },
    ])
    await addProject('broken', shellProject({ agent: 'cat > /dev/null; exit 3\n' }), [{ id: 'br-1', title: 'Break' }])
    const config = { limits: { executionTimeoutSeconds: 4 } }
    await addProject('late', shellProject({ agent: 'sleep 600\n', config }), [{ id: 'la-1', title: 'Hurry' }])
    const [blocked, failed, late] = await Promise.all(
      [['st-1'], ['br-1', '--json'], ['la-1']].map((args) => bl('run', ...args, '--wait')),
    )
    expect(late?.code).toBe(12)
    expect(blocked).toMatchObject({
      code: 11,
      stdout: expect.stringContaining('⏸ st-1 BLOCKED: The agent stopped: no licence'),
    })
    expect(failed?.code).toBe(10)
    expect(JSON.parse(failed?.stdout ?? '')).toMatchObject({ bead: 'br-1', state: 'FAILED' })
    expect(failed?.stderr).toBe('')
  })

  test('is asked to choose where several projects have the bead, and need not where its folder says it', async () => {
    await addProject('east', good('same-1'), [{ id: 'same-1', title: 'Greet' }])
    const west = await addProject('west', good('same-1'), [{ id: 'same-1', title: 'Greet' }])
    const { code, stdout, stderr } = await bl('run', 'same-1')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(
      'several projects could be meant; name one, as in "beadloom run same-1 --project east". There are east, west.',
    )
    const here = await beadloom(['beads', '--data', data, '--json'], { cwd: west })
    expect(JSON.parse(here.stdout)).toMatchObject([{ project: 'west', id: 'same-1' }])
    expect(await bl('run', 'none-1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no project has a bead "none-1"'),
    })
  })

  test('pauses, resumes, syncs and removes a project', async () => {
    await addProject('shelf', good('sh-1'), [{ id: 'sh-1', title: 'Greet' }])
    expect(await json<ProjectView>('pause', 'shelf')).toMatchObject({ paused: true })
    expect(await json<ProjectView>('resume', 'shelf')).toMatchObject({ paused: false })
    expect(await json<ProjectView>('sync', 'shelf')).toMatchObject({ id: 'shelf', beadCounts: { open: 1 } })
    expect(await json('project', 'remove', 'shelf')).toEqual({ removed: 'shelf' })
    expect(await bl('sync', 'shelf')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no project "shelf"'),
    })
    expect(await bl('project', 'add', join(folder, 'nowhere'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nowhere'),
    })
  })

  test('sees slots, queue and what runs, and cancels by the name of the bead', async () => {
    await addProject('slow', forever, [{ id: 'sl-1', title: 'Take long' }])
    const { id } = await json<ExecutionView>('run', 'sl-1')
    const following = new CommandLine(['logs', '-f', 'sl-1', '--data', data])
    await following.says(/^› started$|^started$/m)
    const status = await json<ServerStatus & { dashboard: string }>('status')
    expect(status).toMatchObject({ slots: { total: 3 }, running: [id], dashboard: up.dashboard })
    expect((await bl('status')).stdout).toMatch(new RegExp(`◐ ${id}  slow  sl-1  attempt 1 of 3`))

    // Ctrl-C ends the watching, not the work.
    following.child.kill('SIGINT')
    const ended = await following.ended
    expect(ended.code).toBe(130)
    expect(ended.stderr).toContain(`${id} goes on. Follow it again: beadloom logs -f ${id}`)
    expect((await json<ServerStatus>('status')).running).toEqual([id])

    const waiting = bl('logs', '-f', id)
    expect(await bl('cancel', 'sl-1')).toMatchObject({ code: 0, stdout: expect.stringContaining(`Cancelling ${id}`) })
    expect((await waiting).stderr).toContain('⊘ sl-1 CANCELLED')
    expect(await bl('cancel', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('has ended already') })
  })

  test('has everything looked at by `doctor`', async () => {
    const checks = await json<Check[]>('doctor')
    expect(checks.map(({ name, ok }) => [name, ok])).toEqual(
      ['node', 'build', 'docker', 'git', 'tracker', 'data', 'model', 'port'].map((name) => [name, true]),
    )
    const { code, stdout } = await beadloom(['doctor', '--data', join(folder, 'none')], {
      env: { DOCKER_HOST: 'tcp://127.0.0.1:1', BEADLOOM_PORT: new URL(up.url).port },
    })
    expect(code).toBe(1)
    expect(stdout).toMatch(/✕ docker .*\n +→ /)
    expect(stdout).toMatch(/✕ port .*in use.*\n +→ choose another one with --port/)
  })
})

describe('logs', () => {
  const ESCAPES = String.raw`\033[31mred\033[0m \033]0;owned\007title \033[2Jwiped \302\2332Jc1`
  const loud = shellProject({
    agent: `cat > /dev/null
printf '${ESCAPES}\\n'
i=0; while [ $i -lt 10000 ]; do echo "line $i of what the agent has to say about it"; i=$((i+1)); done
test -f first && echo hello > greeting.txt; touch first
${commitAndPush('lo-1', 'Talk')}`,
    test: 'i=0; while [ $i -lt 500 ]; do echo "check $i"; i=$((i+1)); done; test -f greeting.txt\n',
  })

  test('are followed over lost connections and several sessions, each line once; a pipe gets no colours (R4-087)', async () => {
    await addProject('loud', loud, [{ id: 'lo-1', title: 'Talk' }])
    const proxy = await UnsteadyProxy.before(new URL(up.url), 150_000)
    const behind = join(folder, 'behind-proxy')
    mkdirSync(behind)
    writeFileSync(join(behind, 'token'), readFileSync(join(data, 'token')))
    writeFileSync(join(behind, 'server.json'), JSON.stringify({ url: proxy.url, pid: process.pid }))
    const { id } = await json<ExecutionView>('run', 'lo-1')
    const { code, stdout, stderr } = await beadloom(['logs', '-f', id, '--data', behind])
    proxy.close()
    expect(code).toBe(0)
    expect(proxy.lost).toBeGreaterThan(4)
    expect(stderr).toContain('✓ lo-1 COMPLETED')
    expect(stdout).toBe((await bl('logs', id)).stdout)

    const { execution, logs } = await json<{ execution: ExecutionView; logs: { kind: string; text: string }[] }>(
      'logs',
      'lo-1',
    )
    expect(execution).toMatchObject({ id, state: 'COMPLETED', attempt: 2 })
    expect(logs.map(({ kind }) => kind).filter((kind) => kind !== 'setup')).toEqual([
      'work',
      'verify',
      'verify', // what failed is checked once more on the same commit
      'work',
      'verify',
    ])
    const sorted = (text: string, what: RegExp) => (text.match(what) ?? []).length
    expect(sorted(stdout, /line \d+ of what/g)).toBe(20_000)
    expect(sorted(stdout, /check \d+$/gm)).toBe(1500)

    // oxlint-disable-next-line no-control-regex
    expect(stdout).not.toMatch(/[\u001b\u0080-\u009f]/)
    expect(stdout).toContain('red title wiped 2Jc1')
    const coloured = await beadloom(['logs', id, '--data', data], { env: { FORCE_COLOR: '1' } })
    expect(coloured.stdout).toContain('\u001b[31mred\u001b[0m title wiped 2Jc1')
  })

  test('can be cut by `head` without a word', async () => {
    const run = promisify(execFile)
    const bin = join(import.meta.dirname, '..', '..', 'apps/server/bin/beadloom.mjs')
    const { stdout, stderr } = await run('bash', [
      '-c',
      `set -o pipefail; "${process.execPath}" "${bin}" logs lo-1 --data "${data}" | head -n 2`,
    ])
    expect(stdout.split('\n')).toHaveLength(3)
    expect(stderr).toBe('')
  })

  test('of what never ran say so', async () => {
    await addProject('idle', good('id-1'), [{ id: 'id-1', title: 'Wait' }])
    expect(await bl('logs', 'id-1')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'beadloom: the bead id-1 has not run yet. Run it: beadloom run id-1\n',
    })
    expect(await bl('logs', '-f', 'ex-0000000000')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'beadloom: there is no execution "ex-0000000000"\n',
    })
  })
})

describe("a token file that is not the server's", () => {
  test('is named', async () => {
    const other = join(folder, 'other')
    mkdirSync(other)
    writeFileSync(join(other, 'server.json'), JSON.stringify({ url: up.url, pid: up.pid }))
    for (const token of ['A'.repeat(43), 'not a token', '']) {
      writeFileSync(join(other, 'token'), token)
      const { code, stderr } = await beadloom(['status', '--data', other])
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `beadloom: the server at ${up.url} does not accept the token in ${join(other, 'token')}: the file was changed after the server started. Start the server again.\n`,
      })
    }
  })
})
