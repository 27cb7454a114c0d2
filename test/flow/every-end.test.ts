import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadView, ExecutionView } from '@beadloom/core/api/api.ts'
import type { BeadStatus } from '@beadloom/core/bead/bead.ts'
import type { Execution } from '@beadloom/core/execution/execution.ts'
import type { FollowUpKind } from '@beadloom/core/bead/follow-up.ts'
import { linkFolderIn } from '@beadloom/server/src/process/link-folder.ts'
import { git, writeFiles } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * Every way an execution can end: what becomes of its bead, which bead follows, what the remote has, what the events
 * say, and that nothing is left. One row is one way (2.3).
 */

type Row = {
  name: string
  agent?: string
  test?: string
  config?: object
  body?: object
  end: Pick<Execution, 'state' | 'reason'>
  /** What it ended of, for people and for the bead that follows. */
  says?: RegExp
  bead: BeadStatus
  followUp: FollowUpKind | null
  human?: boolean
  /** What the project's remote has when all is over. */
  remote: 'nothing' | 'work'
  /** The execution's work can be found in the hub: on its branch or on a ref of its own. */
  kept?: 'branch' | 'ref' | 'nothing'
  during?: (execution: ExecutionView, remote: string) => Promise<void>
}

const BEAD = 'ee-1'
const publish = commitAndPush(BEAD, 'End somehow')
const once = { verification: { maxAttempts: 1 } }
const done = `cat > /dev/null; echo hello > greeting.txt; ${publish}`
const half = 'cat > /dev/null; echo half > half.txt; echo started'
const crash = "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60\n"
const scripted = { agent: 'openai', model: 'scripted', command: undefined }

const rows: Row[] = [
  {
    name: 'COMPLETED (R2-020, R2-090)',
    agent: done,
    end: { state: 'COMPLETED', reason: null },
    bead: 'done',
    followUp: null,
    remote: 'work',
  },
  {
    name: 'FAILED verification_exhausted: tests fail to the last attempt (R2-021, R4-032)',
    agent: done,
    test: 'echo "FAIL it"; exit 1\n',
    config: once,
    end: { state: 'FAILED', reason: 'verification_exhausted' },
    bead: 'in_progress',
    followUp: 'tests_failing',
    remote: 'nothing',
    kept: 'branch',
  },
  {
    name: 'FAILED verification_exhausted: nothing was done',
    agent: 'cat > /dev/null\n',
    config: once,
    end: { state: 'FAILED', reason: 'verification_exhausted' },
    bead: 'in_progress',
    followUp: 'tests_failing',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'FAILED no_progress: the same failure twice without a change',
    agent: `cat > /dev/null; [ -f greeting.txt ] || { ${done} }\n`,
    test: 'echo "FAIL it"; exit 1\n',
    end: { state: 'FAILED', reason: 'no_progress' },
    bead: 'in_progress',
    followUp: 'tests_failing',
    remote: 'nothing',
    kept: 'branch',
  },
  {
    name: 'FAILED tests_failed: there is no such test command',
    agent: done,
    config: { test: 'no-such-runner' },
    end: { state: 'FAILED', reason: 'tests_failed' },
    bead: 'in_progress',
    followUp: 'tests_failing',
    remote: 'nothing',
    kept: 'branch',
  },
  {
    name: 'FAILED push_conflict: others changed the same lines meanwhile (R2-022, R2-031)',
    agent: `cat > /dev/null; echo started; until [ -f /tmp/go ]; do sleep 0.1; done; echo mine > README.md; ${publish}`,
    end: { state: 'FAILED', reason: 'push_conflict' },
    bead: 'in_progress',
    followUp: 'merge_conflict',
    human: true,
    remote: 'nothing',
    kept: 'branch',
    during: async (execution, remote) => {
      await world.printed(execution.id, 'started')
      const clone = world.newFolder(`clone-${execution.id}`)
      git(clone, 'clone', '--quiet', remote, '.')
      writeFiles(clone, { 'README.md': 'theirs\n' })
      git(clone, 'commit', '--quiet', '--all', '--message', 'Theirs')
      git(clone, 'push', '--quiet', 'origin', 'HEAD:main', 'HEAD:beadloom/work')
      docker('exec', containersOf(execution.id), 'touch', '/tmp/go')
    },
  },
  {
    name: 'FAILED infra_error: the agent crashed',
    agent: `${half}; ${crash}`,
    end: { state: 'FAILED', reason: 'infra_error' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'FAILED infra_error: the setup failed',
    agent: done,
    config: { setup: 'echo no; exit 3' },
    end: { state: 'FAILED', reason: 'infra_error' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'FAILED agent_failed: the agent ended with an error (R4-028)',
    agent: `${half}; exit 3\n`,
    end: { state: 'FAILED', reason: 'agent_failed' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'FAILED agent_failed: the built-in agent repeats itself, and says so to who comes after it',
    config: { ...scripted, scenario: 'endless' },
    end: { state: 'FAILED', reason: 'agent_failed' },
    says: /the agent kept repeating itself after it was warned: 4 times the same call .*, read_file \{"path":"README\.md"\}\. Read its log/,
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'FAILED retries_exhausted: every run crashed (R1-034)',
    agent: `${half}; ${crash}`,
    body: { retryCount: 1, retryDelay: 1 },
    end: { state: 'FAILED', reason: 'retries_exhausted' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'FAILED turn_limit: the steps are used up (R4-067)',
    config: { ...scripted, scenario: 'endless', limits: { maxSteps: 2 } },
    end: { state: 'FAILED', reason: 'turn_limit' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'FAILED budget_exhausted: the tokens are used up',
    config: { ...scripted, scenario: 'endless', limits: { maxTokens: 10 } },
    end: { state: 'FAILED', reason: 'budget_exhausted' },
    bead: 'in_progress',
    followUp: 'execution_failed',
    remote: 'nothing',
    kept: 'nothing',
  },
  {
    name: 'BLOCKED (R2-023, R2-032)',
    agent: `${half}; echo "BLOCKED: no access to the database"\n`,
    end: { state: 'BLOCKED', reason: null },
    bead: 'blocked',
    followUp: 'blocked',
    human: true,
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'TIMEOUT by the clock (R2-024, C14)',
    agent: `${half}; sleep 100\n`,
    config: { limits: { executionTimeoutSeconds: 12 } }, // enough for a loaded machine to start the agent in
    end: { state: 'TIMEOUT', reason: 'wall_clock' },
    bead: 'timeout',
    followUp: 'timeout',
    human: true,
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'TIMEOUT by silence (R2-033)',
    agent: `${half}; sleep 100\n`,
    config: { limits: { inactivityTimeoutSeconds: 3 } },
    end: { state: 'TIMEOUT', reason: 'silence' },
    bead: 'timeout',
    followUp: 'timeout',
    human: true,
    remote: 'nothing',
    kept: 'ref',
  },
  {
    name: 'CANCELLED while it ran (R2-092)',
    agent: `${half}; sleep 100\n`,
    end: { state: 'CANCELLED', reason: null },
    bead: 'open',
    followUp: null,
    remote: 'nothing',
    kept: 'ref',
    during: async ({ id }) => {
      await world.printed(id, 'started')
      await world.api('POST', `/api/executions/${id}/cancel`)
    },
  },
]

let world: World
const scenarios = mkdtempSync(join(tmpdir(), 'bl-scenarios-'))
beforeAll(async () => {
  const turn = { say: 'I look again.', calls: [{ tool: 'read_file', arguments: { path: 'README.md' } }] }
  const turns = Array.from({ length: 20 }, () => turn)
  const endless = { name: 'endless', about: 'Never ends by itself.', beads: {}, otherwise: { turns } }
  writeFileSync(join(scenarios, 'endless.json'), JSON.stringify(endless))
  world = await World.start({ scenarios })
})
afterAll(async () => {
  await world.stop()
  rmSync(scenarios, { recursive: true })
})

const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim()
const containersOf = (id: string) => docker('ps', '-aq', '--filter', `label=beadloom.execution=${id}`)

/** What each row proves beside its own. */
const all =
  'the state, the bead, what follows, the sync, and nothing left (R2-058, R2-059, R2-060, R2-061, R2-062, R4-027)'

test.each(rows.map((row) => [`${row.name}: ${all}`, row] as const))('%s', async (_, row) => {
  const id = `end-${rows.indexOf(row)}`
  const files = shellProject({
    agent: row.agent ?? '',
    ...(row.test === undefined ? {} : { test: row.test }),
    ...(row.config === undefined ? {} : { config: row.config }),
  })
  const { remote } = await world.addProject(id, files, [{ id: BEAD, title: 'End somehow' }])
  const queued = await world.queue(id, BEAD, row.body ?? {})
  await row.during?.(queued, remote)
  const ended = await world.ended(queued.id)

  expect(ended).toMatchObject(row.end)
  expect(ended.detail).toMatch(row.says ?? /^\S.*[.!]/s)
  const bead = await world.get<BeadView>(`/api/projects/${id}/beads/${BEAD}`)
  expect(bead.status).toBe(row.bead)

  const filed = ended.followUps.map(({ kind }) => kind)
  expect(filed).toEqual(row.followUp === null ? [] : [row.followUp])
  for (const one of ended.followUps) {
    const view = await world.get<BeadView>(`/api/projects/${id}/beads/${one.bead}`)
    expect(view.description).toMatch(row.says ?? /./)
    expect(view.labels).toEqual(row.human ? ['beadloom', 'needs-human'] : ['beadloom'])
    expect(view.dependencies).toMatchObject([{ id: BEAD, type: 'discovered-from' }])
  }

  const branches = git(remote, 'for-each-ref', '--format=%(refname:short)').split('\n')
  expect(branches.includes(ended.branch)).toBe(row.remote === 'work')
  const hub = join(world.data, 'hub', `${id}.git`)
  const saved = git(hub, 'for-each-ref', '--format=%(refname)', `refs/beadloom/${ended.id}`)
  const ahead = ended.baseCommit
    ? git(hub, 'rev-list', '--count', `${ended.baseCommit}..refs/heads/${ended.branch}`)
    : '0'
  if (row.kept === 'ref') expect(saved).not.toBe('')
  if (row.kept === 'branch') expect(Number(ahead)).toBeGreaterThan(0)
  if (row.kept === 'nothing') expect([saved, Number(ahead)]).toEqual(['', 0])

  const events = await world.events(ended.id)
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  const states = events.filter(({ type }) => type === 'state').map(({ data }) => (data as { to: string }).to)
  expect(states).toEqual(['QUEUED', 'RUNNING', row.end.state])
  const steps = events.filter(({ type }) => type === 'pipeline').map(({ data }) => (data as { step: string }).step)
  expect(steps).toEqual(['status', 'bead', 'sync', 'cleanup'])
  expect(events.at(-1)?.type).toBe('pipeline')

  expect(containersOf(ended.id)).toBe('')
  const links = readdirSync(await linkFolderIn(world.data, world.server.store.instance))
  expect(links.filter((name) => name.startsWith(ended.id))).toEqual([])
  expect(ended.sessions.every(({ state }) => state === 'ended')).toBe(true)
})

test('CANCELLED before it began: nothing was moved, filed or made (R2-090)', async () => {
  await world.addProject('end-queued', shellProject({ agent: done, config: {} }), [{ id: BEAD, title: 'End somehow' }])
  await world.api('POST', '/api/projects/end-queued/pause')
  const { id } = await world.queue('end-queued', BEAD)
  await world.api('POST', `/api/executions/${id}/cancel`)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'CANCELLED', startedAt: null, sessions: [], followUps: [] })
  expect((await world.get<BeadView>(`/api/projects/end-queued/beads/${BEAD}`)).status).toBe('open')
})
