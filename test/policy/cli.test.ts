import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { Check, ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { beadloom, CommandLine } from '../support/command-line.ts'
import { longDescribe, longTest } from '@beadloom/core/testing/long-test.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { TerminalWorld } from '../support/terminal-world.ts'

/* The command line, for a person and a script: `bin/beadloom.mjs` as child processes, with shell scripts as agents. */
let world: TerminalWorld
beforeAll(async () => {
  world = await TerminalWorld.start({ engine: 'process' })
})
afterAll(() => world.close())

const bl: TerminalWorld['bl'] = (...args) => world.bl(...args)
const json: TerminalWorld['json'] = (...args) => world.json(...args)
const addProject: TerminalWorld['addProject'] = (...args) => world.addProject(...args)

const askServer = (path: string, body: object) =>
  fetch(new URL(path, world.up.url), {
    method: 'POST',
    headers: {
      authorization: `Bearer ${new URL(world.up.dashboard).searchParams.get('token') ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  })

const good = (id: string) =>
  shellProject({ agent: `cat > /dev/null; echo hello > greeting.txt\n${commitAndPush(id, 'Greet')}` })
const tests = 'test("adds", () => {\n  expect(add(1, 1)).toBe(2)\n})\n'
const forever = shellProject({ agent: 'cat > /dev/null; echo started; sleep 600\n' })

longDescribe('every command', () => {
  longTest('explains itself with examples', async () => {
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

  longTest('ends with 2 for wrong words, and with 3 without a server', async () => {
    expect(await bl('beads', '--colour')).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('--colour'),
    })
    const wrong = await bl('run', 'bl-1', '--retry-count', '11', '--retry-delay', '2h')
    expect(wrong).toMatchObject({ code: 2, stdout: '' })
    expect(wrong.stderr.split('\n')).toEqual(
      expect.arrayContaining(['beadloom: --retry-count 11: At most 10.', '--retry-delay 2h: At most 1 min.']),
    )
    expect(await bl('dance')).toMatchObject({ code: 2, stdout: '' })
    const elsewhere = join(world.folder, 'nobody')
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
        `beadloom: no Beadloom server is running on ${elsewhere}. Start one with "beadloom start" (or "npm start" in a checkout), or name another data folder with --data.\n`,
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
    // The bead is done; the message says what to do.
    expect(await bl('run', 'bl-1', '-p', 'greeter')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('reopen it first'),
    })
  })

  longTest('learns from the exit code of `run --wait` how it ended', async () => {
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

  longTest('is asked to choose if several projects have the bead, unless the folder says it', async () => {
    await addProject('east', good('same-1'), [{ id: 'same-1', title: 'Greet' }])
    const west = await addProject('west', good('same-1'), [{ id: 'same-1', title: 'Greet' }])
    const { code, stdout, stderr } = await bl('run', 'same-1')
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(
      'there are several projects, so name the one you mean, as in "beadloom run same-1 --project east". Projects: east, west.',
    )
    const here = await beadloom(['beads', '--data', world.data, '--json'], { cwd: west })
    expect(JSON.parse(here.stdout)).toMatchObject([{ project: 'west', id: 'same-1' }])
    expect(await bl('run', 'none-1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no project has a bead "none-1"'),
    })
  })

  longTest('lists the beads of a saved view of the board, and is told which views there are', async () => {
    await addProject('viewed', good('vw-1'), [
      { id: 'vw-1', title: 'Greet', priority: 3 },
      { id: 'vw-2', title: 'Part', priority: 0 },
    ])
    expect((await bl('beads', '-p', 'viewed', '--view', 'mine')).stderr).toContain(
      'nor any other. Save one on the board',
    )
    for (const view of [
      { name: 'By age', search: 'sort=age&view=list' },
      { name: 'Urgent', search: 'priority=0', forAll: true },
    ])
      expect((await askServer('/api/projects/viewed/views', view)).status).toBe(201)
    expect((await json<BeadCard[]>('beads', '-p', 'viewed', '--view', 'URGENT')).map(({ id }) => id)).toEqual(['vw-2'])
    expect(await json('beads', '-p', 'viewed', '--view', 'Urgent', '--status', 'done')).toEqual([])
    expect((await bl('beads', '-p', 'viewed', '--view', 'urgent')).stdout).toMatch(/^BEAD.*\nvw-2 +P0 +open +Part/)
    expect(await json<BeadCard[]>('beads', '-p', 'viewed', '--view', 'by age')).toHaveLength(2)
    expect(await bl('beads', '-p', 'viewed', '--view', 'Urgnt')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'beadloom: there is no saved view "Urgnt" in viewed. Did you mean "Urgent"? There are: "By age", "Urgent" (all projects).\n',
    })
  })

  longTest('pauses, resumes, syncs and removes a project', async () => {
    await addProject('shelf', good('sh-1'), [{ id: 'sh-1', title: 'Greet' }])
    expect(await json<ProjectView>('pause', 'shelf')).toMatchObject({ paused: true })
    expect(await json<ProjectView>('resume', 'shelf')).toMatchObject({ paused: false })
    expect(await json<ProjectView>('sync', 'shelf')).toMatchObject({ id: 'shelf', beadCounts: { open: 1 } })
    expect(await json('project', 'remove', 'shelf')).toEqual({ removed: 'shelf' })
    expect(await bl('sync', 'shelf')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no project "shelf"'),
    })
    expect(await bl('project', 'add', join(world.folder, 'nowhere'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nowhere'),
    })
  })

  longTest('syncs all projects at once, and is told the known ones after an unknown name', async () => {
    await addProject('first', good('fi-1'), [{ id: 'fi-1', title: 'Greet' }])
    await addProject('second', good('se-1'), [{ id: 'se-1', title: 'Greet' }])
    const synced = await json<ProjectView[]>('sync')
    expect(synced.map(({ id }) => id)).toEqual(expect.arrayContaining(['first', 'second']))
    expect(await bl('sync')).toMatchObject({ code: 0, stdout: expect.stringMatching(/first.*second/s) })
    const { code, stderr } = await bl('sync', 'third')
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `beadloom: there is no project "third". Projects: ${synced.map(({ id }) => id).join(', ')}.\n`,
    })
  })

  longTest('reads why it waits from the first line, with run --wait and with attach', async () => {
    await addProject('waiting', good('wa-1'), [{ id: 'wa-1', title: 'Greet' }])
    await bl('pause', 'waiting')
    const running = new CommandLine(['run', 'wa-1', '--wait', '--data', world.data])
    await running.says(/paused/)
    const attached = new CommandLine(['attach', 'wa-1', '--data', world.data])
    await attached.says(/paused/)
    await bl('resume', 'waiting')
    const [one, other] = await Promise.all([running.ended, attached.ended])
    expect([one.code, other.code]).toEqual([0, 0])
    expect(one.stderr).toMatch(/^Queued ex-\w{10}\.\n… queued: .*paused/)
    expect(other.stdout).toMatch(/^wa-1 {2}Greet\n… queued: .*paused/)
  })

  longTest('is told how to allow weaker tests, with run --wait and with attach', async () => {
    const agent = `cat > /dev/null; git rm -q math.test.js; ${commitAndPush('al-1', 'Greet')}`
    const files = { ...shellProject({ agent, config: { verification: { maxAttempts: 1 } } }), 'math.test.js': tests }
    await addProject('allowing', files, [{ id: 'al-1', title: 'Greet' }])
    const ran = await bl('run', 'al-1', '--wait')
    expect(ran.code).toBe(10)
    const attached = await bl('attach', 'al-1')
    for (const text of [ran.stderr, attached.stdout])
      expect(text).toContain('→ if the tests may be weaker: beadloom allow al-1 --why "…"\n')
  })

  longTest('notes that the database was mended, and nothing counts as failed', async () => {
    rmSync(join(world.data, 'beadloom.db-wal'))
    await askServer('/api/executions/ex-0000000000/cancel', {}) // every change looks at the files first
    expect((await bl('status')).stdout.replace(/\s+/g, ' ')).toMatch(/ Note .*: beadloom\.db-wal.* was removed .*\. /)
    const checks = await json<Check[]>('doctor')
    expect(checks.find(({ name }) => name === 'database')).toMatchObject({
      ok: true,
      text: expect.stringContaining('nothing was lost'),
    })
    expect((await fetch(new URL('/readyz', world.up.url))).status).toBe(200)
  })

  longTest('sees slots, queue and running beads, and cancels by the name of the bead', async () => {
    await addProject('slow', forever, [{ id: 'sl-1', title: 'Take long' }])
    const { id } = await json<ExecutionView>('run', 'sl-1')
    const following = new CommandLine(['logs', '-f', 'sl-1', '--data', world.data])
    await following.says(/^› started$|^started$/m)
    const status = await json<ServerStatus & { dashboard: string }>('status')
    expect(status).toMatchObject({ slots: { total: 3 }, running: [id], dashboard: world.up.dashboard })
    expect((await bl('status')).stdout).toMatch(new RegExp(`◐ ${id}  slow  sl-1  attempt 1 of 3`))

    // Ctrl-C ends the watching, not the work.
    following.child.kill('SIGINT')
    const ended = await following.ended
    expect(ended.code).toBe(130)
    expect(ended.stderr).toContain(`${id} continues. Follow it again: beadloom logs -f ${id}`)
    expect((await json<ServerStatus>('status')).running).toEqual([id])

    const waiting = bl('logs', '-f', id)
    expect(await bl('cancel', 'sl-1')).toMatchObject({ code: 0, stdout: expect.stringContaining(`Cancelling ${id}`) })
    expect((await waiting).stderr).toContain('⊘ sl-1 CANCELLED')
    expect(await bl('cancel', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('has already ended') })
  })
})
