import type { Check } from '@beadloom/core/api/server-api.ts'
import { systemClock } from '../../process/clock.ts'
import type { KubernetesSettings } from '../../process/settings/kubernetes-settings.ts'
import { DockerClient } from '../docker-client.ts'
import { KubeClient } from './kube-client.ts'
import { clusterHealth } from './cluster-health.ts'
import { imageArchitecture } from './image-architecture.ts'
import { proveNetwork, type NetworkProof } from './cluster-network.ts'

/**
 * The line of `beadloom doctor` about an engine of this kind.
 *
 * @param env which Docker makes its images
 */
export async function checkCluster(
  name: string,
  settings: KubernetesSettings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Check> {
  const client = new KubeClient(settings, systemClock)
  const architecture = await imageArchitecture(new DockerClient({ env, clock: systemClock }))
  const { ok, text, weaker } = await clusterHealth(client, settings, architecture.name)
  const isProvable = ok && (settings.runtimeClass !== undefined || settings.probe !== undefined)
  const proof = isProvable ? await proveNetwork(client, settings).catch(notProved) : null
  const said = [text, ...(proof === null ? [] : [proof.text]), ...weaker].join('; ')
  if (ok && proof?.open === true)
    return {
      name,
      ok: false,
      text: [text, `${proof.text}: ${whyOpen(settings)}`, ...weaker].join('; '),
      fix: 'use a network plugin that enforces NetworkPolicies, or name a runtimeClass whose pods have no network: nothing starts before',
    }
  return { name, ok, text: said, ...(!ok && { fix: 'fix that, or change "engines" in config.json' }) }
}

const whyOpen = ({ runtimeClass }: KubernetesSettings): string =>
  runtimeClass === undefined
    ? 'its network plugin does not enforce policies'
    : `pods of the runtimeClass ${runtimeClass} have a network`

const notProved = (error: unknown): NetworkProof => ({ open: null, text: (error as Error).message })
