import { createHash } from 'node:crypto'
import { basename, dirname } from 'node:path'
import type { V1Container, V1Pod, V1PodSpec } from '@kubernetes/client-node'
import { SUPERVISOR_FOLDER, WORKSPACE } from '@beadloom/core/execution/session-order.ts'
import type { KubernetesSettings } from '../../process/settings/kubernetes-settings.ts'
import { AGENT_HOME, entrypointOf, environmentOf, SCRATCH, type Granted } from '../container-config.ts'
import type { ContainerSpec } from '../containers.ts'
import { annotation, label } from './kubernetes-options.ts'
import { GATED, KEEP, PREPARE } from './pod-scripts.ts'

/** Where the keeper and the preparation see the files of the sandbox. */
export const FILES = '/files'
export const SANDBOX = 'sandbox'
export const KEEPER = 'keeper'
export const GATE = 'beadloom.dev/not-started'
/** By which Kueue knows pods that are to wait for its quota, and in which queue. */
const QUEUE = 'kueue.x-k8s.io/queue-name'
const SHELL = '/bin/sh'
/** A keeper is a shell that sleeps, and now and then a `tar`. */
export const KEEPER_SIZE = { cpu: '10m', memory: '64Mi' }
/** How much a pod may write to its node's disk where nobody says it: past that the node ends the pod. */
const USUAL_DISK_GIB = 32
/** A node that is not heard of for so long has lost its sandboxes. */
const LEASE_SECONDS = 100

/** Folders of a sandbox that outlive its end: the path in there, and the one below `FILES`. */
const folders = [WORKSPACE, AGENT_HOME, SUPERVISOR_FOLDER].map((path) => ({
  path,
  below: path === WORKSPACE ? basename(path) : `${basename(dirname(path))}/${basename(path)}`,
}))

/** Where the keeper finds a path of the sandbox; null: it does not outlive its end. */
export function keptPath(path: string): string | null {
  const folder = folders.find((one) => path === one.path || path.startsWith(`${one.path}/`))
  return folder === undefined ? null : `${FILES}/${folder.below}${path.slice(folder.path.length)}`
}

export type PodOptions = Pick<
  KubernetesSettings,
  | 'runtimeClass'
  | 'probe'
  | 'cpuRequest'
  | 'memoryRequest'
  | 'diskGib'
  | 'userNamespaces'
  | 'images'
  | 'namespace'
  | 'queue'
> & {
  instance: string
  /** That its image is made for. */
  architecture: string
  caBundle: string | null
  /** The image, as the cluster's nodes find it. */
  reference: string
}

/**
 * One pod for a sandbox. The sandbox is a container that the node starts again after its end, and that waits then until it
 * is wanted: so work that was not saved can still be saved. A keeper on the same volume reads its files, also after the
 * end. Until the first start a gate keeps the pod from every node.
 */
export function podOf(spec: ContainerSpec, granted: Granted, options: PodOptions): V1Pod {
  const labels = {
    [label.instance]: options.instance,
    [label.execution]: spec.labels.execution,
    [label.kind]: spec.labels.kind,
    ...(options.queue !== undefined && { [QUEUE]: options.queue }),
  }
  const body = { labels, spec: podSpec(spec, granted, options) }
  // What a pod cannot be told counts, too.
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

function podSpec(spec: ContainerSpec, granted: Granted, options: PodOptions): V1PodSpec {
  const { runtimeClass, images, diskGib = USUAL_DISK_GIB, userNamespaces } = options
  const tolerations = ['not-ready', 'unreachable'].map((what) => ({
    key: `node.kubernetes.io/${what}`,
    operator: 'Exists',
    effect: 'NoExecute',
    tolerationSeconds: LEASE_SECONDS,
  }))
  const { sandbox, prepare, keeper } = containersOf(spec, granted, options)
  return {
    schedulingGates: [{ name: GATE }],
    nodeSelector: { 'kubernetes.io/arch': options.architecture },
    restartPolicy: 'Never',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 2,
    hostname: 'beadloom',
    dnsPolicy: 'Default',
    ...(userNamespaces === true && { hostUsers: false }),
    ...(runtimeClass !== undefined && { runtimeClassName: runtimeClass }),
    ...(images.pullSecret !== undefined && { imagePullSecrets: [{ name: images.pullSecret }] }),
    ...(spec.hosts?.length && { hostAliases: [{ ip: '127.0.0.1', hostnames: [...spec.hosts] }] }),
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 1000,
      runAsGroup: 1000,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    tolerations,
    initContainers: [prepare, sandbox],
    containers: [keeper],
    volumes: [
      { name: 'files', emptyDir: { sizeLimit: `${diskGib}Gi` } },
      { name: 'scratch', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } },
    ],
  }
}

function containersOf(
  spec: ContainerSpec,
  granted: Granted,
  { reference, probe, cpuRequest = 1, memoryRequest = 1, diskGib, caBundle }: PodOptions,
): Record<'sandbox' | 'prepare' | 'keeper', V1Container> {
  const common = {
    image: reference,
    imagePullPolicy: 'IfNotPresent',
    securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  }
  const all = { name: 'files', mountPath: FILES }
  const memory = String(granted.memoryBytes)
  const size = {
    limits: {
      cpu: `${Math.round(granted.cpus * 1000)}m`,
      memory,
      // Where nobody says it, that of the namespace counts for what is written beside the volume.
      ...(diskGib !== undefined && { 'ephemeral-storage': `${diskGib}Gi` }),
    },
    requests: {
      cpu: `${Math.max(1, Math.round(granted.cpus * 1000 * cpuRequest))}m`,
      memory: String(Math.round(granted.memoryBytes * memoryRequest)),
      // Without a request the scheduler would reserve all of the limit.
      ...(diskGib !== undefined && { 'ephemeral-storage': '0' }),
    },
  }
  const env = [...environmentOf(spec, { caBundle, proxy: {} })].map((entry) => {
    const at = entry.indexOf('=')
    return { name: entry.slice(0, at), value: entry.slice(at + 1) }
  })
  return {
    prepare: {
      ...common,
      name: 'prepare',
      command: [SHELL, '-c', PREPARE, 'prepare', probe ?? ''],
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
      volumeMounts: [
        ...folders.map(({ path, below }) => ({ name: 'files', mountPath: path, subPath: below })),
        { name: 'scratch', mountPath: SCRATCH },
      ],
    },
    keeper: {
      ...common,
      name: KEEPER,
      command: [SHELL, '-c', KEEP],
      resources: { limits: KEEPER_SIZE, requests: KEEPER_SIZE },
      volumeMounts: [all],
    },
  }
}
