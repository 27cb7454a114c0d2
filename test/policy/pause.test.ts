import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { beadloom } from '../support/command-line.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* A person pauses an execution and resumes it: nothing is stopped, and its next call to a model waits. */
const start = worldsOfATest()
let scenarios = ''
beforeEach(() => {
  scenarios = mkdtempSync(join(tmpdir(), 'bl-pause-'))
  const turns = [
    { say: 'I work.', calls: [{ tool: 'bash', arguments: { command: `${untilLetGo}; echo done > done.txt` } }] },
    { say: 'I commit.', calls: [{ tool: 'bash', arguments: { command: 'git add -A; git commit -qm done' } }] },
    { say: 'It is done.' },
  ]
  const scenario = { name: 'gated', about: 'Work that waits for a file.', beads: {}, otherwise: { turns } }
  writeFileSync(join(scenarios, 'gated.json'), JSON.stringify(scenario))
})
afterEach(() => rmSync(scenarios, { recursive: true, force: true }))

const untilLetGo = 'until [ -e /tmp/go ]; do sleep 0.1; done'

const project = (config: object = {}) =>
  shellProject({
    agent: '',
    config: { agent: 'openai', model: 'scripted', scenario: 'gated', command: undefined, ...config },
  })
const beads = [
  { id: 'd-1', title: 'First' },
  { id: 'd-2', title: 'Second' },
]
/** Its agent's first command runs. */
const atWork = (world: World, id: string) =>
  world.until(async () => (await world.events(id)).some(({ type }) => type === 'tool_call'))
const letGo = async (world: World, id: string) => {
  for (const container of await world.containers.of(id)) await world.containers.write(container, '/tmp/go')
}
type Answer = ExecutionView & { error?: { code: string; message: string } }
const pause = (world: World, id: string, body: object = {}) =>
  world.api<Answer>('POST', `/api/executions/${id}/pause`, body)
const resume = (world: World, id: string) => world.api<Answer>('POST', `/api/executions/${id}/resume`)

/** Queues the bead, and pauses it while its agent's first command runs; it waits once that command has ended. */
async function paused(world: World, id: string, body: object = {}, begun = atWork(world, id)): Promise<void> {
  await begun
  expect(await pause(world, id, body)).toMatchObject({
    status: 202,
    body: { paused: { held: false, by: '' }, waits: null },
  })
  await letGo(world, id)
  await held(world, id)
}
const held = (world: World, id: string) => world.until(async () => (await world.execution(id)).waits?.kind === 'pause')
const told = async (world: World, id: string) =>
  (await world.events(id)).map(({ type }) => type).filter((type) => type === 'paused' || type === 'resumed')
const callsOf = async (world: World, id: string) =>
  (await world.events(id)).filter(({ type }) => type === 'usage').length

test('a paused execution waits at its next call, lends its slot, and continues where it was', async () => {
  const world = await start({ scenarios, flags: { slots: '1' } })
  await world.addProject('p', project(), beads)
  const { id } = await world.queue('p', 'd-1')
  expect(await resume(world, id)).toMatchObject({ status: 409, body: { error: { code: 'not_now' } } })
  await paused(world, id)
  const waiting = await world.execution(id)
  expect(waiting).toMatchObject({ state: 'RUNNING', waits: { kind: 'pause', atEnd: 'stop', held: true } })
  expect(waiting.paused!.until - waiting.paused!.since).toBe(24 * 3_600_000)
  expect((await world.get<BeadView>('/api/projects/p/beads/d-1')).reason).toMatchObject({ code: 'paused' })
  expect(await callsOf(world, id)).toBe(1)
  expect(await world.get<ServerStatus>('/api/status')).toMatchObject({ slots: { total: 1, used: 0 } })

  expect(await resume(world, id)).toMatchObject({ status: 202 })
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED', waits: null })
  expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
  expect(ended.paused).toBeUndefined()
  expect(await callsOf(world, id)).toBe(3)
  expect(await told(world, id)).toEqual(['paused', 'resumed'])
  expect(await pause(world, id)).toMatchObject({ status: 409, body: { error: { code: 'not_now' } } })
})

longTest('a pause survives a restart of the server, and a resume before the agent has asked again counts', async () => {
  const first = await start({ scenarios })
  await first.addProject('p', project(), beads)
  const { id } = await first.queue('p', 'd-1')
  await paused(first, id)
  const before = await first.execution(id)
  await first.server.stop()

  const again = await start({ data: first.data, host: first.host, scenarios })
  expect((await again.execution(id)).waits).toEqual(before.waits)
  expect(await resume(again, id)).toMatchObject({ status: 202 })
  const ended = await again.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
})

longTest('a pause that nobody ends stops the execution with its work saved, or lets it continue', async () => {
  const world = await start({ scenarios })
  await world.addProject('p', project({ limits: { pauseSeconds: 1 } }), beads)
  const { id } = await world.queue('p', 'd-1')
  await paused(world, id)
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'CANCELLED' })
  expect(ended.detail).toMatch(/^It was paused for 1 s and nobody resumed it, so it was stopped\..* saved on /)
  const [ref = ''] = /refs\/beadloom\/\S+[^.\s]/.exec(ended.detail) ?? []
  const saved = git(join(world.data, 'hub', 'p.git'), 'show', '--name-only', '--format=', ref)
  expect(saved).toContain('done.txt')

  const other = await world.queue('p', 'd-2')
  await paused(world, other.id, { seconds: 1, atEnd: 'resume' })
  expect(await world.ended(other.id)).toMatchObject({ state: 'COMPLETED' })
})

longTest(
  'an agent of a command line is held by its next step: its checks wait, and its work is merged only then',
  async () => {
    const world = await start()
    const agent = `echo begun; ${untilLetGo}; echo done > done.txt; git add -A && git commit -qm done && git push -q\n`
    await world.addProject('p', shellProject({ agent, test: 'true\n', testsFirst: true }), beads)
    const { id } = await world.queue('p', 'd-1')
    await paused(world, id, {}, world.printed(id, 'begun'))
    const { sessions, verifications } = await world.execution(id)
    expect([sessions.map(({ kind, state }) => [kind, state]), verifications]).toEqual([[['work', 'ended']], []])
    await resume(world, id)
    expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED', verifications: [{ passed: true }] })
  },
)

longTest('a paused execution can be stopped', async () => {
  const world = await start({ scenarios })
  await world.addProject('p', project(), beads)
  const { id } = await world.queue('p', 'd-1')
  await paused(world, id)
  expect((await world.api('POST', `/api/executions/${id}/cancel`)).status).toBe(202)
  expect(await world.ended(id)).toMatchObject({ state: 'CANCELLED' })
})

longTest('the command line pauses a bead, and a project by its name', async () => {
  const world = await start({ scenarios })
  await world.addProject('p', project(), beads)
  const { id } = await world.queue('p', 'd-1')
  await atWork(world, id)
  const run = (...args: string[]) => beadloom([...args, '--data', world.data])
  expect((await run('pause', 'd-1', '--for', '2h', '--then', 'resume')).stdout).toBe(
    `${id}: pausing: the current step finishes first.\n`,
  )
  expect((await world.execution(id)).paused).toMatchObject({ atEnd: 'resume' })
  await letGo(world, id)
  await held(world, id)
  expect((await run('resume', 'd-1')).stdout).toContain(id)
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
  expect((await run('pause', 'p', '--json')).stdout).toContain('"paused": true')
  const refused = [await run('pause', 'p', '--for', '2h'), await run('pause', 'd-1', '--for', 'long')]
  expect(refused.map(({ code, stderr }) => [code, stderr])).toEqual([
    [2, expect.stringContaining('--for, --then and --now are for a bead')],
    [2, expect.stringContaining('--for long')],
  ])
})
