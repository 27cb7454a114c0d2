import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { KubeClient } from '@beadloom/server/src/container/kubernetes/kube-client.ts'
import { label } from '@beadloom/server/src/container/kubernetes/kubernetes-options.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import type { KubernetesSettings } from '@beadloom/server/src/process/settings/kubernetes-settings.ts'
import { instanceOf } from '../crash/stored.ts'
import { Victim } from '../crash/victim.ts'
import type { World } from '../support/world.ts'
import { withoutNetwork } from './cluster.ts'

const SCRIPTS = join(import.meta.dirname, 'cluster')

/** Null: the cluster is ours, so its parts may be killed. */
export const missingParts =
  process.env['KUBERNETES_ROOT'] === undefined ? 'the cluster is not one that these tests have started' : null

/** Runs a script of `cluster/`. */
export const script = async (name: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)('bash', [join(SCRIPTS, name), ...args])).stdout

export const client = new KubeClient(withoutNetwork, systemClock)

/** An execution's pod, by the end of its name: `work`, `verify-1`. */
export const podOf = (execution: string, serial = 'work') => client.pod(`beadloom-${execution}-${serial}`)

export const nodeOf = async (execution: string): Promise<string> => (await podOf(execution))?.spec?.nodeName ?? ''

/** Removes pods that no server will remove, such as those kept or left for the next one. */
export const removePods = (labelSelector: string) =>
  client.call('remove what is left', ({ core }) =>
    core.deleteCollectionNamespacedPod({ namespace: client.namespace, labelSelector, gracePeriodSeconds: 0 }),
  )
const removePodsOf = (instance: string) => removePods(`${label.instance}=${instance}`)

/** Stops a server in this process whose usual engine is the cluster. */
export async function stopWorld(world: World): Promise<void> {
  const { instance } = world.server.store
  await world.stop()
  await removePodsOf(instance)
}

/** A server as a separate process, with the cluster as its usual engine. Removing it also removes its pods. */
export class Stage {
  readonly victim: Victim
  readonly #folder: string

  private constructor(victim: Victim, folder: string) {
    this.victim = victim
    this.#folder = folder
  }

  static async open(kubernetes: KubernetesSettings = withoutNetwork): Promise<Stage> {
    const folder = mkdtempSync(join(tmpdir(), 'bl-cluster-'))
    const data = join(folder, 'data')
    mkdirSync(data)
    writeFileSync(
      join(data, 'config.json'),
      JSON.stringify({ engines: { cluster: { kubernetes } }, engine: 'cluster' }),
    )
    const victim = await Victim.start({ data, carrier: 'socket', env: { BEADLOOM_WARM: '0' } })
    return new Stage(victim, folder)
  }

  async close(): Promise<void> {
    const instance = instanceOf(this.victim.data)
    await this.victim.remove()
    await removePodsOf(instance)
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
