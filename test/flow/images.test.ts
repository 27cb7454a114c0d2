// @suite flow-long
import { execFileSync } from 'node:child_process'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { EnvironmentView, ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beads, filesFor } from '../support/agent-beads.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Images that do not exist, cannot be built or lack something: what an execution says and does then. */
let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.stop())

const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim()
const add = (id: string, agent: string, config: object = {}) =>
  world.addProject(id, shellProject({ agent, config }), [{ id: 'rt-1', title: 'Survive' }])
const work = ({ sessions }: ExecutionView) => sessions.filter(({ kind }) => kind === 'work')

test('an execution that runs out of memory is repeated too, and says so after the last time', async () => {
  const hungry = 'cat > /dev/null; exec tail /dev/zero\n'
  await add('hungry', hungry, { limits: { memoryMb: 96 } })
  const ended = await world.run('hungry', 'rt-1', { retryCount: 1, retryDelay: 1, retryOn: ['out of memory'] })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'retries_exhausted', retryAttempt: 1, attempt: 1 })
  expect(ended.detail).toMatch(/^Failed 2 times\. Last error: .*memory/)
  expect(work(ended).map(({ outcome }) => outcome)).toEqual(['infra_error', 'infra_error'])
})

test('an impossible image name keeps its beads waiting, with a sentence about it', async () => {
  const image = 'no image/at all'
  await world.addProject('noimage', shellProject({ agent: 'true\n', config: { image } }), [{ id: 'im-1', title: 'x' }])
  const { id } = await world.queue('noimage', 'im-1')
  await world.until(async () => (await world.get<BeadView>('/api/projects/noimage/beads/im-1')).reason !== null)
  const { reason } = await world.get<BeadView>('/api/projects/noimage/beads/im-1')
  expect(reason).toMatchObject({
    code: 'project_broken',
    text: expect.stringContaining('"image": must be the name of'),
  })
  await world.api('POST', `/api/executions/${id}/cancel`)
})

/** Waits until the project reports that nothing of it starts. */
async function stopped(id: string, bead: string): Promise<ProofView | null> {
  await world.until(
    async () => (await world.get<BeadView>(`/api/projects/${id}/beads/${bead}`)).reason?.code === 'base_broken',
  )
  return (await world.get<EnvironmentView>(`/api/projects/${id}/environment`)).proof
}

test('a Dockerfile that fails stops the project with its own words, and ends no execution', async () => {
  const base = docker('images', 'beadloom/base', '--format', '{{.Repository}}:{{.Tag}}').split('\n')[0]
  const files = shellProject({ agent: 'true\n', config: { dockerfile: 'Dockerfile' } })
  await world.addProject('nobuild', { ...files, Dockerfile: `FROM ${base}\nRUN echo the reason; exit 4\n` }, [
    { id: 'df-1', title: 'x' },
  ])
  const { id } = await world.queue('nobuild', 'df-1')
  const proof = await stopped('nobuild', 'df-1')
  expect(proof).toMatchObject({ state: 'broken', by: 'image', mendable: false })
  expect([proof?.text, ...(proof?.checks ?? []).map(({ digest }) => digest)].join('\n')).toContain('the reason')
  expect(await world.execution(id)).toMatchObject({ state: 'QUEUED', followUps: [] })
})

test('an unavailable image stops the project, says what to do, and is looked for again later', async () => {
  await add('no-image', 'true\n', { image: 'beadloom-tests/none:1' })
  await world.queue('no-image', 'rt-1')
  const proof = await stopped('no-image', 'rt-1')
  expect(proof?.text).toMatch(
    /^The image beadloom-tests\/none:1 is not on this machine and cannot be pulled: check its name/,
  )
  expect(proof).toMatchObject({ by: 'image', againAt: (proof?.endedAt ?? 0) + 300_000 })
})

test('an unpublished version is named, together with the setting that asked for it', async () => {
  await world.addProject('unknown', filesFor('pi', { agentVersion: '999999.0.0' }), beads)
  await world.queue('unknown', 'a-1')
  expect((await stopped('unknown', 'a-1'))?.text).toContain(
    'The agent @earendil-works/pi-coding-agent@999999.0.0 cannot be installed: there is no such version. Check "agentVersion"',
  )
})

test('a project that asks for a pi from before its package was renamed gets it under the former name, and it works', async () => {
  // The present name has no such version.
  await world.addProject('former', filesFor('pi', { agentVersion: '0.73.1', test: 'true' }), beads)
  const ended = await world.run('former', 'a-1')
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED', attempt: 1 })
  const log = await world.log(work(ended)[0]?.id ?? '')
  expect(log).toMatch(/^› /m)
  // Every line is understood, although the tested version prints others.
  expect(log).not.toMatch(/^\{"type"/m)
})
