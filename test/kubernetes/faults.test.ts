import { setTimeout as delay } from 'node:timers/promises'
import type { ExecutionView } from '@beadloom/core/api/api.ts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { missingCluster } from './cluster.ts'
import { client, missingParts, nodeOf, podOf, script, Stage } from './cluster-stage.ts'

/*
 * What a cluster does to sandboxes: each part of it dies once while an agent works. The agent commits and pushes, waits
 * until a file is there that somebody else puts there, and then goes on.
 */

const LOOK_MS = 500
const PART = 'echo part > PART.md && git add -A && git commit -q -m "A part" && git push -q && echo pushed-a-part'
/** The second time it starts from what was pushed. */
const AGENT = `test -e PART.md && again=1
test -n "$again" || { ${PART}; }
test -n "$again" || while ! test -e /tmp/go; do sleep 0.2; done
echo done > DONE.md && git add -A && git commit -q -m "The rest" && git push -q && echo pushed-all
`

const missing = missingCluster ?? missingParts
describe.skipIf(missing !== null)('while an agent works', { timeout: 600_000 }, () => {
  let stage: Stage
  let mended: (() => Promise<unknown>) | null = null
  let number = 0
  beforeAll(async () => {
    stage = await Stage.open()
  })
  afterEach(async () => {
    await mended?.()
    mended = null
  })
  afterAll(() => stage?.close())

  /** An execution whose agent has pushed a part, and waits. */
  async function working(config: object = {}): Promise<string> {
    const id = `p${++number}`
    const files = shellProject({ agent: AGENT, config })
    await stage.victim.addProject(id, { files, beads: [{ id: 's-1', title: 'A long work' }] })
    const execution = await stage.victim.queue(id, 's-1')
    await stage.victim.until(execution, async ({ state, sessions }) => {
      expect(['QUEUED', 'RUNNING']).toContain(state)
      return sessions.some(({ kind, state: is }) => kind === 'work' && is === 'running') && (await hasPart(id))
    })
    return execution
  }
  /** What the hub has of its bead's branch, by the remote that has none of it yet: the clone in the data folder. */
  const hub = (id: string) => `${stage.victim.data}/hub/${id}.git`
  const hasPart = async (id: string) => git(hub(id), 'log', '--all', '--format=%s').includes('A part')
  /** Lets the agent go on, on the node itself. */
  const goOn = async (execution: string) => {
    const name = `beadloom-${execution}-work`
    await run(name, 'touch /tmp/go')
  }
  async function ended(execution: string): Promise<ExecutionView> {
    await stage.victim.ended(execution)
    return stage.victim.execution(execution)
  }
  async function eventually(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await delay(LOOK_MS)
  }

  test('the server is killed: the next one takes the pod up where it is', async () => {
    const execution = await working()
    const before = (await podOf(execution))?.metadata?.uid
    await stage.victim.kill()
    await stage.victim.again()
    await goOn(execution)
    expect(await ended(execution)).toMatchObject({ state: 'COMPLETED', attempt: 1, retryAttempt: 0 })
    expect(before).toBeDefined()
  })

  test('the API server is killed and comes back: the agent has noticed nothing', async () => {
    const execution = await working()
    await script('control-plane.sh', 'kill', 'kube-apiserver')
    await eventually(async () => (await podOf(execution).catch(() => 'away')) === 'away')
    await script('control-plane.sh', 'start', 'kube-apiserver')
    await eventually(async () => (await podOf(execution).catch(() => null)) !== null)
    await goOn(execution)
    expect(await ended(execution)).toMatchObject({ state: 'COMPLETED', attempt: 1, retryAttempt: 0 })
  })

  test('the kubelet is killed and comes back: the agent has noticed nothing', async () => {
    const execution = await working()
    const node = (await nodeOf(execution)).replace('node', '')
    await script('node.sh', 'kill-kubelet', node)
    await script('node.sh', 'kubelet', node)
    await eventually(() =>
      goOn(execution).then(
        () => true,
        () => false,
      ),
    )
    expect(await ended(execution)).toMatchObject({ state: 'COMPLETED', attempt: 1, retryAttempt: 0 })
  })

  test('its pod is evicted: the retry goes on from what was pushed', async () => {
    const execution = await working({ retry: { retryCount: 1 } })
    const name = `beadloom-${execution}-work`
    await client.call('evict', ({ core }) =>
      core.createNamespacedPodEviction({
        name,
        namespace: client.namespace,
        body: { metadata: { name, namespace: client.namespace } },
      }),
    )
    const end = await ended(execution)
    expect(end, end.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
  })

  test('the cable of its node is pulled: the retry goes on elsewhere, and nothing that it pushes later counts', async () => {
    const execution = await working({ retry: { retryCount: 1 } })
    const first = await nodeOf(execution)
    const number = first.replace('node', '')
    await script('net.sh', 'cut', number)
    mended = () => script('net.sh', 'mend', number)
    // It works on, and tries to push, on a node that nobody reaches.
    await script(
      'node.sh',
      'exec',
      number,
      'sh',
      '-c',
      'for f in /proc/[0-9]*/root/tmp; do touch $f/go 2>/dev/null; done; true',
    )
    const end = await ended(execution)
    expect(end, end.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(end.place?.node).not.toBe(first)
    await mended()
    mended = null
    await eventually(async () => (await nodeIsReady(first)) && (await podOf(execution)) === null)
    const subjects = git(hub(end.project), 'log', '--all', '--format=%s').split('\n')
    expect(subjects.filter((subject) => subject === 'The rest')).toHaveLength(1)
  })

  async function nodeIsReady(name: string): Promise<boolean> {
    const node = await client.call('look at the node', ({ core }) => core.readNode({ name }))
    return node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false
  }
})

async function run(pod: string, command: string): Promise<void> {
  const { runInPod } = await import('@beadloom/server/src/container/kubernetes/pod-exec.ts')
  const { code, said } = await runInPod(client, { pod, container: 'sandbox' }, command)
  if (code !== 0) throw new Error(`${command} in ${pod} ended with ${code}: ${said}`)
}
