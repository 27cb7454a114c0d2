import { EngineError } from '../../../ports/engine.ts'
import type { KubernetesSettings } from '../../../process/settings/kubernetes-settings.ts'

/** Throws unless the settings name something with which a pod can prove that it has no network. */
export function checkProvable(
  { runtimeClass, probe }: Pick<KubernetesSettings, 'runtimeClass' | 'probe'>,
  name: string,
): void {
  if (runtimeClass !== undefined || probe !== undefined) return
  throw new EngineError(
    'weaker-than-asked',
    `${name} was not opened: nothing would prove that it has no network. Name a runtimeClass without one, or a probe (HOST:PORT) that pods with a network reach`,
  )
}
