import { randomBytes } from 'node:crypto'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { afterEach, describe, expect, test } from 'vitest'
import { missingCluster, withoutNetwork } from './cluster.ts'
import { missingParts, Stage } from './cluster-stage.ts'
import { shellProject } from '../support/shell-project.ts'
import { Working } from './working.ts'

/*
 * A node refuses a pod that was placed there. Whole executions show the message to a person, and whether there is a
 * retry.
 */

const missing = missingCluster ?? missingParts
describe.skipIf(missing !== null)('a node', { timeout: 600_000 }, () => {
  let stage: Stage
  afterEach(async () => {
    await stage?.close()
  })

  test("that gets no image: the policy retries, and then the registry's words are reported", async () => {
    const registry = `${withoutNetwork.images.registry}-${randomBytes(4).toString('hex')}`
    stage = await Stage.open({ ...withoutNetwork, images: { registry } }) // without the Secret
    const files = shellProject({
      agent: 'true\n',
      config: { retry: { retryCount: 1 }, verification: { proveBase: false } },
    })
    await stage.victim.addProject('p', { files, beads: [{ id: 's-1', title: 'Some work' }] })
    const execution = await stage.victim.queue('p', 's-1')
    const end = await new Working(stage).ended(execution)
    const pulls = /cannot start, because node\d cannot get its image \((ImagePullBackOff|ErrImagePull): .*127\.0\.0\.1/
    expect(end, JSON.stringify([end.detail, end.retries])).toMatchObject({
      state: 'FAILED',
      reason: 'retries_exhausted',
      retryAttempt: 1,
    })
    expect(end.detail).toMatch(pulls)
    expect(end.detail).toContain('"pullSecret"')
    expect(end.retries).toEqual([expect.stringMatching(pulls)])
    const bead = await stage.victim.api<BeadView>('GET', '/api/projects/p/beads/s-1')
    expect(bead.status).toBe('open') // its work never began, so it can run again unchanged
  })

  test('whose disk a sandbox fills beyond its limit: the pod is evicted, and the retry continues from the pushed work', async () => {
    stage = await Stage.open({ ...withoutNetwork, diskGib: 1 })
    const working = new Working(stage)
    const project = await working.project({ retry: { retryCount: 1 } }, ['s-1'], FILLS)
    const execution = await stage.victim.queue(project, 's-1')
    const end: ExecutionView & { retries: string[] } = await working.ended(execution)
    expect(end, end.detail).toMatchObject({ state: 'COMPLETED', retryAttempt: 1 })
    expect(end.retries).toEqual([
      expect.stringMatching(/its pod on node\d has ended \(Evicted: .*exceeds the limit "1Gi"/),
    ])
    expect(working.subjects(project)).toContain(`The rest of ${end.branch}`)
  })
})

/** Fills the workspace between its two parts, the first time. */
const FILLS = '{ dd if=/dev/zero of=big bs=1M count=1500; sleep 600; }'
