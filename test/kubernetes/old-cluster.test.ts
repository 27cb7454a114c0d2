import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { checkCluster } from '@beadloom/server/src/container/kubernetes/cluster/check-engine.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shellProject } from '../support/shell-project.ts'
import { missingCluster, withoutNetwork } from './cluster.ts'
import { missingParts, Stage } from './cluster-stage.ts'
import { OldApi } from './old-api.ts'
import { eventually } from './working.ts'

/* A cluster whose release cannot start a sandbox again is refused because of its version, and no work fails for it. */

const missing = missingCluster ?? missingParts
describe.skipIf(missing !== null)('an old cluster', { timeout: 300_000 }, () => {
  let folder: string
  let old: OldApi
  let stage: Stage
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bl-old-'))
    old = await OldApi.start(folder, { major: '1', minor: '24+', gitVersion: 'v1.24.17-eks-1' })
    stage = await Stage.open({ ...withoutNetwork, kubeconfig: old.kubeconfig })
  })
  afterAll(async () => {
    await stage?.close()
    await old?.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  const TOO_OLD = /Kubernetes v1\.24\.17-eks-1 is too old: .* takes 1\.29 or later/

  test('is refused by doctor, with the release that it needs', async () => {
    const found = await checkCluster('cluster', { ...withoutNetwork, kubeconfig: old.kubeconfig }, {})
    expect(found).toMatchObject({ ok: false, text: expect.stringMatching(TOO_OLD), fix: expect.any(String) })
  })

  test('keeps a bead waiting with that sentence, and its execution QUEUED, until the cluster is a newer one', async () => {
    const { victim } = stage
    await victim.addProject('p', {
      files: shellProject({ agent: 'true\n' }),
      beads: [{ id: 's-1', title: 'Some work' }],
    })
    const card = async () => (await victim.api<Page<BeadCard>>('GET', '/api/projects/p/beads')).items[0]
    await eventually(async () => TOO_OLD.test((await card())?.reason?.text ?? ''))
    expect((await card())?.reason?.code).toBe('engine_away')
    const execution = await victim.queue('p', 's-1')
    await victim.until(execution, ({ whyQueued }) => whyQueued?.code === 'engine_away')
    expect(await victim.execution(execution)).toMatchObject({
      state: 'QUEUED',
      whyQueued: { text: expect.stringMatching(TOO_OLD) },
    })
    old.version = null
    await victim.until(execution, ({ whyQueued }) => whyQueued?.code !== 'engine_away')
  })
})
