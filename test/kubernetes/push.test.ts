import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { PushView } from '@beadloom/core/api/projects/environment-api.ts'
import { runInPod } from '@beadloom/server/src/container/kubernetes/pod-exec.ts'
import { sandboxStatus } from '@beadloom/server/src/container/kubernetes/pod-state.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beadloom } from '../support/command-line.ts'
import { missingCluster } from './cluster.ts'
import { client, missingParts, podOf, script, Stage } from './cluster-stage.ts'
import { Working } from './working.ts'

/* `beadloom environment push` as a person types it: pods pull the pushed image, and the bead runs in it. */

const { KUBERNETES_ROOT: root = '' } = process.env

const missing = missingCluster ?? missingParts
describe.skipIf(missing !== null)('an image that was pushed ahead of time', { timeout: 600_000 }, () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await Stage.open()
  })
  afterAll(() => stage?.close())

  test('is made, pushed to the cluster’s registry and named; its pod pulls it, and nothing is pushed again', async () => {
    const working = new Working(stage)
    const made = `made-${Date.now()}`
    const setup = `echo ${made} > "$HOME/made.txt"`
    const project = await working.project({ setup })
    const before = await onNodes()
    const said = await beadloom(['environment', 'push', project, '--json', '--data', stage.victim.data])
    expect(
      said,
      said.stderr + (await beadloom(['environment', project, '--json', '--data', stage.victim.data])).stdout,
    ).toMatchObject({ code: 0 })
    const { state, image } = JSON.parse(said.stdout) as PushView
    expect(state).toBe('done')
    const { reference, digest } = image ?? { reference: '', digest: null }
    const manifest = join(root, 'registry', `${digest}`.replace(':', '-'))
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(before).not.toContain(reference)
    const pushedAt = statSync(manifest).mtimeMs

    const execution = await working.begun(project)
    const pod = await podOf(execution)
    const sandbox = pod && sandboxStatus(pod)
    expect(pod?.spec?.initContainers?.map((one) => one.image)).toEqual([reference, reference])
    expect(sandbox?.imageID).toContain(digest)
    expect(await onNodes()).toContain(reference)
    const inside = { pod: pod?.metadata?.name ?? '', container: 'sandbox' } as const
    expect((await runInPod(client, inside, 'cat /home/agent/made.txt')).said).toBe(`${made}\n`)
    expect(statSync(manifest).mtimeMs).toBe(pushedAt)
    await working.goOn(execution)
    expect(await working.ended(execution)).toMatchObject({ state: 'COMPLETED', retries: [] })
  })
})

/** The names of images in each node's containerd. A node itself reports its images only every few seconds. */
async function onNodes(): Promise<string> {
  const names = ['1', '2'].map((node) => script('node.sh', 'images', node))
  return (await Promise.all(names)).join('\n')
}
