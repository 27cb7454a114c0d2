import { createHash } from 'node:crypto'
import type { V1Container, V1Pod, V1PodSpec } from '@kubernetes/client-node'
import { WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import type { KubernetesSettings } from '../../process/settings/kubernetes-settings.ts'
import { entrypointOf, environmentOf, type Granted } from '../container-config.ts'
import type { ContainerSpec } from '../containers.ts'
import { annotation, label } from './kubernetes-options.ts'
import { DISK, FILES, MEMORY, mountsOf } from './pod-folders.ts'
import { GATED, KEEP, OWN_USERS, PREPARE } from './pod-scripts.ts'

export const SANDBOX = 'sandbox'
export const KEEPER = 'keeper'
export const GATE = 'beadloom.dev/not-started'
/** The label by which Kueue finds pods that wait for its quota, with the queue's name. */
const QUEUE = 'kueue.x-k8s.io/queue-name'
const SHELL = '/bin/sh'
/** A folder of the image into which only root can look (`docker/runtime.sh`). */
const CLOSED = '/opt/beadloom/closed'
/** A keeper is a shell that sleeps, and now and then a `tar`. */
export const KEEPER_SIZE = { cpu: '10m', memory: '64Mi' }
/**
 * The most that a pod may write to its node's disk if the settings name no limit: beyond that the node ends the pod.
 */
const USUAL_DISK_GIB = 32
/** The scheduler keeps this much of a node's disk for each pod: most write less than they may. */
export const DISK_REQUEST = '1Gi'
/** A keeper writes nothing but its own log. */
const KEEPER_DISK = '64Mi'
/** A node that is not heard of for so long has lost its sandboxes. */
const LEASE_SECONDS = 100

export type PodOptions = Pick<
  KubernetesSettings,
  | 'runtimeClass'
  | 'probe'
  | 'cpuRequest'
  | 'memoryRequest'
  | 'diskGib'
  | 'userNamespaces'
  | 'writable'
  | 'images'
  | 'namespace'
  | 'queue'
> & {
  instance: string
  /** The one that its image is made for. */
  architecture: string
  caBundle: string | null
  /** The image's name for the cluster's nodes. */
  reference: string
}

/**
 * One pod for a sandbox. The sandbox is a container that the node starts again after its end, and that then waits until
 * it is wanted, so unsaved work can still be saved. A keeper on the same volume reads its files, even after the end.
 * Until the first start a gate keeps the pod from every node.
 */
export function podOf(spec: ContainerSpec, granted: Granted, options: PodOptions): V1Pod {
  const labels = {
    [label.instance]: options.instance,
    [label.execution]: spec.labels.execution,
    [label.kind]: spec.labels.kind,
    ...(options.queue !== undefined && { [QUEUE]: options.queue }),
  }
  const body = { labels, spec: podSpec(spec, granted, options) }
  // Counts settings, too, that a pod cannot be told.
  const hash = createHash('sha256')
    .update(JSON.stringify({ ...body, processes: spec.processes }))
    .digest('hex')
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: podNameOf(spec.name),
      labels,
      annotations: {
        [annotation.name]: spec.name,
        ...(spec.labels.project !== undefined && { [annotation.project]: spec.labels.project }),
        [annotation.spec]: hash,
        [annotation.starts]: '0',
      },
    },
    spec: body.spec,
  }
}

export const podNameOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')

/** The confinement of a pod, whatever runs in it: restricted pod security admits it. */
export const confinement = ({
  runtimeClass,
  images,
  userNamespaces,
}: Pick<KubernetesSettings, 'runtimeClass' | 'images' | 'userNamespaces'>): Partial<V1PodSpec> => ({
  restartPolicy: 'Never',
  automountServiceAccountToken: false,
  enableServiceLinks: false,
  ...(userNamespaces === true && { hostUsers: false }),
  ...(runtimeClass !== undefined && { runtimeClassName: runtimeClass }),
  // Even if a node has the image: it may ask whether this pod could have pulled it.
  ...(images.pullSecret !== undefined && { imagePullSecrets: [{ name: images.pullSecret }] }),
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 1000,
    runAsGroup: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  },
})

/** For each container of a pod: it may only write to volumes that it mounts. */
export const confined: Pick<V1Container, 'securityContext' | 'terminationMessagePath' | 'terminationMessagePolicy'> = {
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
  },
  // Usually `/dev/termination-log`: a file of the node that everybody may write, and whose size is not counted.
  terminationMessagePath: `${CLOSED}/said`,
  terminationMessagePolicy: 'FallbackToLogsOnError',
}

function podSpec(spec: ContainerSpec, granted: Granted, options: PodOptions): V1PodSpec {
  const tolerations = ['not-ready', 'unreachable'].map((what) => ({
    key: `node.kubernetes.io/${what}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: LEASE_SECONDS,
  }))
  const { sandbox, prepare, keeper } = containersOf(spec, granted, options)
  return {
    ...confinement(options),
    schedulingGates: [{ name: GATE }],
    nodeSelector: { 'kubernetes.io/arch': options.architecture },
    terminationGracePeriodSeconds: 2,
    hostname: 'beadloom',
    dnsPolicy: 'Default',
    ...(spec.hosts?.length && { hostAliases: [{ ip: '127.0.0.1', hostnames: [...spec.hosts] }] }),
    tolerations,
    initContainers: [prepare, sandbox],
    containers: [keeper],
    volumes: [
      { name: DISK, emptyDir: { sizeLimit: mostOnDisk(options) } },
      { name: MEMORY, emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
    ],
  }
}

const mostOnDisk = ({ diskGib = USUAL_DISK_GIB }: Pick<PodOptions, 'diskGib'>): string => `${diskGib}Gi`

function containersOf(
  spec: ContainerSpec,
  granted: Granted,
  options: PodOptions,
): Record<'sandbox' | 'prepare' | 'keeper', V1Container> {
  const { reference, caBundle, queue, userNamespaces } = options
  const { probe = '', cpuRequest = 1, memoryRequest = 1, writable = [] } = options
  const common = {
    ...confined,
    image: reference,
    imagePullPolicy: 'IfNotPresent',
  }
  const all = { name: DISK, mountPath: FILES }
  const disk = 'ephemeral-storage'
  const size = {
    limits: {
      cpu: `${Math.round(granted.cpus * 1000)}m`,
      memory: String(granted.memoryBytes),
      [disk]: mostOnDisk(options),
    },
    // Without a request for the disk the scheduler would reserve all of the limit.
    requests: {
      cpu: `${Math.max(1, Math.round(granted.cpus * 1000 * cpuRequest))}m`,
      memory: String(Math.round(granted.memoryBytes * memoryRequest)),
      // Kueue takes no pod that requests something without a quota in its queue.
      [disk]: queue === undefined ? DISK_REQUEST : '0',
    },
  }
  const env = [...environmentOf(spec, { caBundle, proxy: {} })].map((entry) => {
    const at = entry.indexOf('=')
    return { name: entry.slice(0, at), value: entry.slice(at + 1) }
  })
  const wanted = [probe, userNamespaces === true ? OWN_USERS : '', ...writable]
  return {
    prepare: {
      ...common,
      name: 'prepare',
      command: [SHELL, '-c', PREPARE, 'prepare', ...wanted],
      resources: size,
      volumeMounts: [all],
    },
    sandbox: {
      ...common,
      name: SANDBOX,
      restartPolicy: 'Always',
      command: [SHELL, '-c', GATED, 'sandbox', ...entrypointOf(spec)],
      workingDir: WORKSPACE,
      env,
      resources: size,
      volumeMounts: mountsOf(writable),
    },
    keeper: {
      ...common,
      name: KEEPER,
      command: [SHELL, '-c', KEEP],
      resources: {
        limits: { ...KEEPER_SIZE, [disk]: KEEPER_DISK },
        requests: { ...KEEPER_SIZE, [disk]: '0' },
      },
      volumeMounts: [all],
    },
  }
}
