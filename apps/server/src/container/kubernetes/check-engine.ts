import type { Check } from '@beadloom/core/api/server-api.ts'
import { systemClock } from '../../process/clock.ts'
import type { KubernetesSettings } from '../../process/settings/kubernetes-settings.ts'
import { KubeClient } from './kube-client.ts'
import { clusterHealth } from './cluster-health.ts'

/** The line of `beadloom doctor` about an engine of this kind. */
export async function checkCluster(name: string, settings: KubernetesSettings): Promise<Check> {
  const { ok, text, weaker } = await clusterHealth(new KubeClient(settings, systemClock), settings)
  const said = [text, ...weaker].join('; ')
  return { name, ok, text: said, ...(!ok && { fix: 'fix that, or change "engines" in config.json' }) }
}
