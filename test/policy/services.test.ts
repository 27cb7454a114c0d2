// @suite policy-long
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { git, writeFiles } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { whatIsMissing } from '../support/process-engine/what-is-missing.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'
import type { World } from '../support/world.ts'

/*
 * Services beside agents and checks: fresh for each, ready before they begin, gone after them. They are local programs
 * here; containers and their network are in test/flow/services.test.ts.
 */

const onProcesses = (await whatIsMissing()) === null && process.env['TEST_ENGINE'] !== 'docker'
const start = worldsOfATest()
const node = process.execPath

const PORT = 5432
/** Says how often it was asked; a fresh one does not know the calls to others. */
const counting = `let n = 0; console.log('counter is up'); require('net').createServer((to) => { const last = ++n; to.end('asked ' + last) }).listen(${PORT})`
const health = `${node} -e "require('net').connect(${PORT}).on('error', () => process.exit(1)).on('data', () => process.exit(0))"`
const ask = `node -e "require('net').connect(${PORT}, '127.0.0.1').on('error', (e) => { console.error(String(e)); process.exit(1) }).on('data', (d) => console.log(String(d)))"`

type Service = { image?: string; command?: string[]; health?: string; startTimeoutSeconds?: number }
const withService = (service: Service, more: { agent?: string; test?: string; config?: object } = {}) =>
  shellProject({
    agent: more.agent ?? `${ask} > answer.txt\n`,
    testsFirst: false,
    config: {
      services: { counter: { image: 'counter:1', command: [node, '-e', counting], health, ...service } },
      verify: [{ type: 'test', command: more.test ?? ask }],
      ...more.config,
    },
  })

const beads = [
  { id: 's-1', title: 'Ask the counter' },
  { id: 's-2', title: 'Ask it again' },
]
const bead = (world: World, name: string) => world.get<BeadView>(`/api/projects/s/beads/${name}`)
async function world(): Promise<World> {
  const made = await start()
  made.host?.serviceImages.add('counter:1')
  return made
}
const stopped = (its: World) =>
  its.until(async () => (await bead(its, 's-1')).reason?.code === 'base_broken').then(() => bead(its, 's-1'))

test.skipIf(!onProcesses)('each attempt and each verification has services of its own, with logs', async () => {
  const its = await world()
  await its.addProject('s', withService({}), beads)
  const ended = await its.run('s', 's-1')
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(ended.sessions.map(({ kind, service, outcome }) => [kind, service, outcome])).toEqual([
    ['work', undefined, 'success'],
    ['service', 'counter', 'success'],
    ['verify', undefined, 'success'],
    ['service', 'counter', 'success'],
  ])
  for (const { id } of ended.sessions.filter(({ kind }) => kind === 'service'))
    expect(await its.log(id)).toContain('counter is up')
  // Its health check asked first, and only this attempt has asked it since.
  const checks = ended.sessions.find(({ kind }) => kind === 'verify')!
  const asked = /asked (\d+)/.exec(await its.log(checks.id))?.[1]
  expect(Number(asked)).toBeLessThanOrEqual(3)
  expect((await its.events(ended.id)).filter(({ type }) => type === 'services').length).toBeGreaterThan(0)
  expect([...its.host!.services.values()]).toEqual([])
})

test.skipIf(!onProcesses)(
  'a service that is never ready stops the project with its last words, and no bead',
  async () => {
    const its = await world()
    // Long enough for a shell to print its line on a busy machine.
    const command = ['/bin/sh', '-c', 'echo "no config file"; exec sleep 1000']
    await its.addProject('s', withService({ command, startTimeoutSeconds: 5 }), beads)
    const { id } = await its.queue('s', 's-1')
    const { reason } = await stopped(its)
    expect(reason?.text).toMatch(/service counter was not ready within 5 s/)
    expect((await its.execution(id)).state).toBe('QUEUED')
    const { proof } = await its.get<EnvironmentView>('/api/projects/s/environment')
    expect(proof).toMatchObject({ by: 'service', checks: [{ digest: 'no config file' }] })
    expect([...its.host!.services.values()]).toEqual([])
  },
)

test.skipIf(!onProcesses).each([
  ['are not asked about the base', { verification: { proveBase: false } }],
  ['are not there at all', { verify: [] }],
])('a service that fails stops the project, although checks %s', async (_, config) => {
  const its = await world()
  const command = [node, '-e', "console.log('no license'); process.exit(3)"]
  const { remote } = await its.addProject('s', withService({ command }, { config }), beads)
  const queued = [await its.queue('s', 's-1'), await its.queue('s', 's-2')]
  expect((await stopped(its)).reason?.text).toMatch(/service counter ended with exit code 3 before it was ready/)
  for (const { id } of queued) expect(await its.execution(id)).toMatchObject({ state: 'QUEUED', sessions: [] })
  expect(its.host!.services.size).toBe(0)

  const clone = its.newFolder('clone')
  git(clone, 'clone', '--quiet', remote, '.')
  writeFiles(clone, withService({}, { config }))
  git(clone, 'commit', '--quiet', '--all', '--message', 'Mend the service')
  git(clone, 'push', '--quiet', 'origin', 'HEAD:main')
  for (const { id } of queued) expect(await its.ended(id)).toMatchObject({ state: 'COMPLETED' })
  expect(its.host!.services.size).toBe(0)
})

test.skipIf(!onProcesses)('a service that ends before it is ready is not waited for', async () => {
  const its = await world()
  const command = [node, '-e', "console.log('port in use'); process.exit(3)"]
  await its.addProject('s', withService({ command, startTimeoutSeconds: 600 }), beads)
  await its.queue('s', 's-1')
  expect((await stopped(its)).reason?.text).toMatch(/ended with exit code 3 before it was ready/)
})

test.skipIf(!onProcesses)('an unavailable image stops the project', async () => {
  const its = await start()
  await its.addProject('s', withService({}), beads)
  await its.queue('s', 's-1')
  expect((await stopped(its)).reason?.text).toMatch(/image counter:1 of a service/i)
})

test.skipIf(!onProcesses)('a failure report begins with the service that ended midway', async () => {
  const its = await world()
  const dying = `require('net').createServer((to) => { to.on('data', (d) => { if (String(d).includes('die')) { console.log('out of disk'); process.exit(4) } }); to.write('hello') }).listen(${PORT})`
  const kill = `node -e "require('net').connect(${PORT}, '127.0.0.1').on('error', () => process.exit(0)).on('close', () => process.exit(0)).on('data', () => {}).write('die')"`
  // The base lacks this file, so its services live.
  const files = withService(
    { command: [node, '-e', dying] },
    {
      agent: 'echo work > work.txt\n',
      test: `if test -f work.txt; then ${kill}; while ${health.replace(node, 'node')}; do :; done; exit 1; fi`,
      config: { verification: { maxAttempts: 1 } },
    },
  )
  await its.addProject('s', files, beads)
  const ended = await its.run('s', 's-1')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
  expect(ended.verifications.at(-1)?.digest).toMatch(
    /^The service counter ended with exit code 4 while it was needed\.\n\n[^]*out of disk$/,
  )
  expect(ended.sessions.filter(({ kind }) => kind === 'service').map(({ outcome }) => outcome)).toContain('failed')
})

test.skipIf(!onProcesses)('a new server takes up an agent with its services, and closes them with it', async () => {
  const first = await world()
  const agent = `echo ready; while ! test -f go; do sleep 0.1; done; ${ask} > answer.txt\n`
  await first.addProject('s', withService({}, { agent }), beads)
  const { id } = await first.queue('s', 's-1')
  await first.printed(id, 'ready')
  await first.server.stop()
  expect(first.host!.services.size).toBe(1)

  const again = await start({ data: first.data, host: first.host })
  await again.until(async () => (await again.execution(id)).flags.some(({ kind }) => kind === 'adopted'))
  const [container] = await again.containers.of(id)
  again.host!.write(again.host!.find(container!)!.made.id, '/workspace/go', '')
  const ended = await again.ended(id)
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  const services = ended.sessions.filter(({ kind }) => kind === 'service')
  expect(services.map(({ outcome }) => outcome)).toEqual(['success', 'success'])
  expect((await again.log(services[0]!.id)).split('\n').filter((line) => line.includes('counter is up'))).toHaveLength(
    1,
  )
  expect(again.host!.services.size).toBe(0)
})

test.skipIf(!onProcesses)(
  'services of checks go with checks that a restart breaks off, and with an execution that is stopped',
  async () => {
    const first = await world()
    const slow = `if test -f answer.txt; then echo checking; sleep 600; fi`
    await first.addProject('s', withService({}, { test: slow }), beads)
    const { id } = await first.queue('s', 's-1')
    const checking = (its: World, session: number) =>
      its.until(
        async () => {
          const checks = (await its.execution(id)).sessions.filter(({ kind }) => kind === 'verify')
          return checks.length === session && (await its.log(checks.at(-1)!.id)).includes('checking')
        },
        (listener) => its.server.logs.onGrow(listener),
      )
    await checking(first, 1)
    const [before] = [...first.host!.services.keys()]
    await first.server.stop()

    const again = await start({ data: first.data, host: first.host })
    await checking(again, 2)
    expect([...again.host!.services.keys()]).not.toContain(before)
    expect(again.host!.services.size).toBe(1)
    await again.api('POST', `/api/executions/${id}/cancel`)
    const ended = await again.ended(id)
    expect(ended).toMatchObject({ state: 'CANCELLED' })
    expect(ended.sessions.filter(({ state }) => state !== 'ended')).toEqual([])
    expect(again.host!.services.size).toBe(0)
  },
)
