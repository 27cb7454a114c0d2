import { execFileSync } from 'node:child_process'
import type { BeadView, ExecutionView } from '@beadloom/core/api/api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { beads, filesFor } from '../support/agent-beads.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Images that there are not, cannot be built or hold too little: what an execution says and does then. */
let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(() => world.stop())

const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' }).trim()
const add = (id: string, agent: string, config: object = {}) =>
  world.addProject(id, shellProject({ agent, config }), [{ id: 'rt-1', title: 'Survive' }])
const work = ({ sessions }: ExecutionView) => sessions.filter(({ kind }) => kind === 'work')

test('what runs out of memory is run again too, and says so when it was the last time', async () => {
  const hungry = 'cat > /dev/null; exec tail /dev/zero\n'
  await add('hungry', hungry, { limits: { memoryMb: 96 } })
  const ended = await world.run('hungry', 'rt-1', { retryCount: 1, retryDelay: 1, retryOn: ['out of memory'] })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'retries_exhausted', retryAttempt: 1, attempt: 1 })
  expect(ended.detail).toMatch(/^Failed 2 times\. Last error: .*memory/)
  expect(work(ended).map(({ outcome }) => outcome)).toEqual(['infra_error', 'infra_error'])
})

test('an image whose name cannot be one keeps its beads waiting, with a sentence about that', async () => {
  const image = 'no image/at all'
  await world.addProject('noimage', shellProject({ agent: 'true\n', config: { image } }), [{ id: 'im-1', title: 'x' }])
  const { id } = await world.queue('noimage', 'im-1')
  await world.until(async () => (await world.get<BeadView>('/api/projects/noimage/beads/im-1')).reason !== undefined)
  const { reason } = await world.get<BeadView>('/api/projects/noimage/beads/im-1')
  expect(reason).toMatchObject({
    code: 'project_broken',
    text: expect.stringContaining('"image": must be the name of'),
  })
  await world.api('POST', `/api/executions/${id}/cancel`)
})

test('a Dockerfile that fails ends the execution with its own words', async () => {
  const base = docker('images', 'beadloom/base', '--format', '{{.Repository}}:{{.Tag}}').split('\n')[0]
  const files = shellProject({ agent: 'true\n', config: { dockerfile: 'Dockerfile' } })
  await world.addProject('nobuild', { ...files, Dockerfile: `FROM ${base}\nRUN echo the reason; exit 4\n` }, [
    { id: 'df-1', title: 'x' },
  ])
  const unbuilt = await world.run('nobuild', 'df-1')
  expect(unbuilt.detail).toContain('the reason')
  const steps = (await world.events(unbuilt.id)).filter(({ type }) => type === 'image').map(({ data }) => data)
  expect(steps).toEqual([
    { text: 'building Dockerfile' },
    { text: `Step 1/2 : FROM ${base}` },
    { text: 'Step 2/2 : RUN echo the reason; exit 4' },
  ])
})

test('what could not even begin is run again like what broke (R1-018)', async () => {
  await add('no-image', 'true\n', { image: 'localhost:1/none:1' })
  const ended = await world.run('no-image', 'rt-1', { retryCount: 2, retryDelay: 1 })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'retries_exhausted', retryAttempt: 2, attempt: 0 })
  expect(ended.detail).toMatch(/^Failed 3 times\. Last error: /)
  expect(work(ended)).toEqual([])
})

test('a version that nobody has published is named, with the setting that asked for it', async () => {
  await world.addProject('unknown', filesFor('pi', { agentVersion: '999999.0.0' }), beads)
  const ended = await world.run('unknown', 'a-1')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'infra_error', sessions: [] })
  expect(ended.detail).toContain(
    'The agent @mariozechner/pi-coding-agent@999999.0.0 cannot be installed: there is no such version. Check "agentVersion"',
  )
})
