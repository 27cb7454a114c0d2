import type { Check } from '@beadloom/core/api/server/server-api.ts'
import { systemClock } from '../../../process/clock.ts'
import type { KubernetesSettings } from '../../../process/settings/kubernetes-settings.ts'
import { DockerClient } from '../../docker-client.ts'
import { KubeClient } from '../kube-client.ts'
import { clusterHealth } from './cluster-health.ts'
import { imageArchitecture } from './image-architecture.ts'
import { proveNetwork, type NetworkProof } from './cluster-network.ts'

/**
 * The line of `beadloom doctor` about an engine of this kind.
 *
 * @param env leads to the Docker that makes its images
 */
export async function checkCluster(
  name: string,
  settings: KubernetesSettings,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Check> {
  const client = new KubeClient(settings, systemClock)
  const architecture = await imageArchitecture(new DockerClient({ env, clock: systemClock }))
  const { ok, text, weaker } = await clusterHealth(client, settings, architecture.name)
  if (!ok) return { name, ok, text: [text, ...weaker].join('; '), fix: 'fix that, or change "engines" in config.json' }
  const proof = await proofOf(client, settings, architecture.name)
  return judged(name, settings, { text, weaker, proof })
}

/** Null: the settings name nothing for a proof. */
const proofOf = async (
  client: KubeClient,
  settings: KubernetesSettings,
  architecture: string,
): Promise<NetworkProof | null> =>
  settings.runtimeClass === undefined && settings.probe === undefined
    ? null
    : proveNetwork(client, settings, architecture)

type Seen = { text: string; weaker: readonly string[]; proof: NetworkProof | null }

/** Whether sandboxes can start there; whatever could not be tried is not proved. */
export function judged(name: string, settings: KubernetesSettings, { text, weaker, proof }: Seen): Check {
  const said = (...parts: string[]) => [text, ...parts, ...weaker].join('; ')
  if (proof === null) return { name, ok: false, text: said(), fix: 'name a runtimeClass or a probe' }
  if (proof.open === false) return { name, ok: true, text: said(proof.text) }
  if (proof.open === null)
    return {
      name,
      ok: false,
      text: said(`that its pods have no network is not proved: ${proof.text}`),
      fix: 'see to that, and ask again. Nothing of yours starts in a pod that has not proved it',
    }
  return {
    name,
    ok: false,
    text: said(`${proof.text}: ${whyOpen(settings)}`),
    fix: 'use a network plugin that enforces NetworkPolicies, or name a runtimeClass whose pods have no network: nothing starts before',
  }
}

const whyOpen = ({ runtimeClass }: KubernetesSettings): string =>
  runtimeClass === undefined
    ? 'its network plugin does not enforce policies'
    : `pods of the runtimeClass ${runtimeClass} have a network`
