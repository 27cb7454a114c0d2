import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  as,
  ChartStage,
  goOn,
  inServer,
  kubectl,
  missingHelm,
  NAMESPACE,
  podsOf,
  ready,
  root,
  run,
  SANDBOXES,
} from './chart-stage.ts'
import { missingCluster } from './cluster.ts'
import { missingParts } from './cluster-stage.ts'

/*
 * The chart on a real cluster: the server is a pod with the chart's own rights, and its sandboxes are pods in another
 * namespace.
 */

const missing = missingCluster ?? missingParts ?? missingHelm
if (missing !== null) {
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1: ${missing}`)
  console.warn(`SKIPPED: the chart on a cluster. ${missing}`)
}

const queued = async (bead: string): Promise<string> =>
  (JSON.parse(await inServer('run', bead, '--project', 'remote', '--json')) as ExecutionView).id
const states = async (): Promise<Record<string, string>> => {
  const beads = JSON.parse(await inServer('beads', '--project', 'remote', '--json')) as { id: string; status: string }[]
  return Object.fromEntries(beads.map(({ id, status }) => [id, status]))
}
const WAIT = { timeout: 120_000, interval: 500 }

describe.skipIf(missing !== null)('the chart on a cluster', { timeout: 600_000 }, () => {
  let stage: ChartStage
  beforeAll(async () => {
    stage = await ChartStage.open()
    await stage.install()
  }, 900_000)
  afterAll(() => stage?.close(), 300_000)

  test('starts a server that is ready: /readyz answers the kubelet', async () => {
    const [pod] = await podsOf(NAMESPACE)
    expect(pod?.status).toMatchObject({ containerStatuses: [{ ready: true, restartCount: 0 }] })
  })

  test('takes a bead from a repository to the merged work', async () => {
    await inServer('project', 'add', '/data/remote.git', '--id', 'remote')
    expect(await inServer('run', 'w-quick', '--project', 'remote', '--wait')).toContain('COMPLETED')
    expect(stage.subjects('beadloom/work').filter((subject) => subject.startsWith('The rest'))).toHaveLength(1)
  })

  test('runs a doctor that finds the cluster by the pod’s own account, no missing right, and no network', async () => {
    const said = await inServer('doctor')
    expect(said).toMatch(/✓ cluster .*Kubernetes v1\.37\.2, nodes: 2/)
    expect(said).toContain('a pod was started, and reached nothing')
    expect(said).not.toContain('may not')
  })

  test('survives a kill while an agent works in another pod: the next server has everything, and continues with the agent', async () => {
    const id = await queued('w-long')
    await vi.waitFor(async () => expect(await inServer('logs', id)).toContain('pushed one'), WAIT)
    const [server] = await podsOf(NAMESPACE)
    const agent = (await podsOf(SANDBOXES)).find(({ metadata }) => metadata.name === `beadloom-${id}-work`)
    expect(agent).toBeDefined()
    await kubectl('-n', NAMESPACE, 'delete', 'pod', server?.metadata.name ?? '', '--grace-period=0', '--force')
    await ready()
    const [next] = await podsOf(NAMESPACE)
    expect(next?.metadata.uid).not.toBe(server?.metadata.uid)
    expect(await states()).toMatchObject({ 'w-quick': 'done' })
    const same = (await podsOf(SANDBOXES)).find(({ metadata }) => metadata.name === `beadloom-${id}-work`)
    expect(same?.metadata.uid).toBe(agent?.metadata.uid)
    await goOn(id)
    const lines = (await inServer('attach', id, '--json')).trim().split('\n')
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ type: 'execution', state: 'COMPLETED', attempt: 1 })
  })

  test('says of a deleted pod that it was deleted, and its retry continues from the pushed work', async () => {
    const id = await queued('w-lost')
    await vi.waitFor(async () => expect(await inServer('logs', id)).toContain('pushed one'), WAIT)
    const work = async () => (await podsOf(SANDBOXES)).find(({ metadata }) => metadata.name === `beadloom-${id}-work`)
    const first = await work()
    await kubectl('-n', SANDBOXES, 'delete', 'pod', `beadloom-${id}-work`, '--grace-period=0', '--force')
    await vi.waitFor(
      async () => expect([undefined, first?.metadata.uid]).not.toContain((await work())?.metadata.uid),
      WAIT,
    )
    await vi.waitFor(() => goOn(id), WAIT)
    await inServer('attach', id)
    const service = await stage.reachService()
    const { json: view } = await as(service, 'ada', 'GET', `/api/executions/${id}`)
    expect(view).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    const { json: events } = await as(service, 'ada', 'GET', `/api/executions/${id}/events?after=0`)
    expect(JSON.stringify(events)).toContain('its pod was deleted')
  })

  test('knows people by the header of a proxy that reaches its service, and gives each role its rights', async () => {
    const service = await stage.reachService()
    const bead = '/api/projects/remote/beads/w-long'
    expect(await as(service, 'vera', 'GET', bead)).toMatchObject({ status: 200, json: { id: 'w-long' } })
    const mayNot = { status: 403, json: { error: { code: 'role_needed' } } }
    expect(await as(service, 'vera', 'POST', '/api/projects/remote/pause')).toMatchObject(mayNot)
    expect(await as(service, 'ruth', 'POST', '/api/projects/remote/pause')).toMatchObject({ status: 200 })
    expect(await as(service, 'ruth', 'POST', '/api/projects/remote/resume')).toMatchObject({ status: 200 })
    const autopilot = { autopilot: true }
    expect(await as(service, 'ruth', 'PATCH', '/api/projects/remote', autopilot)).toMatchObject(mayNot)
    expect(await as(service, 'ada', 'PATCH', '/api/projects/remote', autopilot)).toMatchObject({ status: 200 })
  })

  test('is restored from a backup by the commands of the page, and knows what it knew then', async () => {
    await inServer('backup')
    await inServer('beads', 'create', 'Made after the backup', '--project', 'remote')
    expect(Object.keys(await states())).toHaveLength(4)
    await run('bash', '-euc', restoreCommands(stage.image))
    await ready()
    expect(await states()).toMatchObject({ 'w-quick': 'done', 'w-long': 'done' })
    const shown = JSON.parse(await inServer('beads', 'show', 'w-long', '--project', 'remote', '--json')) as BeadView
    expect(shown.executions).toMatchObject([{ state: 'COMPLETED' }])
  })

  test('without a RuntimeClass asks for a policy; this cluster does not enforce it, and its doctor says so', async () => {
    await stage.install('upgrade', { runtimeClass: '' })
    const said = await inServer('doctor').catch((error: { stdout: string }) => error.stdout)
    expect(said).toMatch(/✕ cluster .*a pod reached 10\.252\.0\.1:443 .*: its network plugin does not enforce policies/)
  })

  test('has used each right of its role, and was refused nothing', async () => {
    const asked = stage.asked()
    const refused = asked.filter(({ annotations }) => annotations?.['authorization.k8s.io/decision'] === 'forbid')
    expect(refused).toEqual([])
    const used = new Set(asked.map(({ verb, objectRef }) => `${verb} ${nameOf(objectRef)}`))
    // Checked as part of a `get` of it, so not in the log. `bad-cluster.test.ts` has a case without this right.
    used.add('create pods/exec')
    expect([...(await rulesOf('role')), ...(await rulesOf('clusterrole'))].filter((one) => !used.has(one))).toEqual([])
  })
})

const nameOf = ({ resource = '', subresource }: { resource?: string; subresource?: string } = {}): string =>
  subresource === undefined ? resource : `${resource}/${subresource}`

type Rules = { items: { metadata: { name: string }; rules: { resources: string[]; verbs: string[] }[] }[] }

/** The chart's rights: "create pods". */
async function rulesOf(kind: 'role' | 'clusterrole'): Promise<string[]> {
  const where = kind === 'role' ? ['-n', SANDBOXES] : []
  const ours = ['--selector=app.kubernetes.io/name=beadloom', '--output=json']
  const { items } = JSON.parse(await kubectl(...where, 'get', kind, ...ours)) as Rules
  expect(items).toHaveLength(1)
  return items.flatMap(({ rules }) =>
    rules.flatMap(({ resources, verbs }) => resources.flatMap((one) => verbs.map((verb) => `${verb} ${one}`))),
  )
}

/** The restore commands of docs/in-a-cluster.md, with our image, and without a terminal. */
function restoreCommands(image: string): string {
  const page = readFileSync(join(root, 'docs', 'in-a-cluster.md'), 'utf8')
  const [, commands = ''] = /^## Backup and restore$[^]*?^```sh$\n([^]*?)^```$/m.exec(page) ?? []
  expect(commands).toContain('kubectl -n beads run restore')
  return commands
    .replaceAll('registry.example/beadloom-server:0.1.0', image)
    .replace('--rm -it', '--rm -i')
    .replace('"tty":true,', '')
}
