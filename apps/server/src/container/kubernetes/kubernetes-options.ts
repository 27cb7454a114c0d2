import type { InstanceId } from '@beadloom/core/records/ids.ts'
import type { KubernetesSettings } from '../../process/settings/kubernetes-settings.ts'
import type { Clock } from '../../process/clock.ts'
import type { Containers } from '../containers.ts'
import type { DockerEngineOptions } from '../docker-options.ts'

export type KubernetesOptions = {
  settings: KubernetesSettings
  instance: InstanceId
  clock: Clock
  /** Where images are made, and where what needs a network runs. */
  builder: Containers
  /** The same engine, as images are sent from there. */
  docker: DockerEngineOptions
}

/** Of our pods. */
export const label = {
  instance: 'beadloom.dev/instance',
  execution: 'beadloom.dev/execution',
  kind: 'beadloom.dev/kind',
} as const

export const annotation = {
  /** The name that was asked for. */
  name: 'beadloom.dev/name',
  /** No label: those have at most 63 characters, and a project's id may have 64. */
  project: 'beadloom.dev/project',
  /** A hash of all that it was made from. */
  spec: 'beadloom.dev/spec',
  /** How often its sandbox was started. */
  starts: 'beadloom.dev/starts',
} as const
