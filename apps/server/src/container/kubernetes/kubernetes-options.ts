import type { InstanceId } from '@beadloom/core/records/ids.ts'
import type { KubernetesSettings } from '../../process/settings/kubernetes-settings.ts'
import type { Clock } from '../../process/clock.ts'
import type { Containers } from '../containers.ts'
import type { DockerEngineOptions } from '../docker-options.ts'

export type KubernetesOptions = {
  settings: KubernetesSettings
  instance: InstanceId
  clock: Clock
  /** Makes the images, and runs everything that needs a network. */
  builder: Containers
  /** The same engine, for sending its images. */
  docker: DockerEngineOptions
}

/** The labels of our pods. */
export const label = {
  instance: 'beadloom.dev/instance',
  execution: 'beadloom.dev/execution',
  kind: 'beadloom.dev/kind',
} as const

export const annotation = {
  /** The requested name. */
  name: 'beadloom.dev/name',
  /** No label: those have at most 63 characters, and a project's id may have 64. */
  project: 'beadloom.dev/project',
  /** A hash of everything that it was made from. */
  spec: 'beadloom.dev/spec',
  /** The number of starts of its sandbox. */
  starts: 'beadloom.dev/starts',
} as const
