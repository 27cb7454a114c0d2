import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { KubeClient } from '@beadloom/server/src/container/kubernetes/kube-client.ts'
import { sandboxStatus } from '@beadloom/server/src/container/kubernetes/pod-state.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import type { KubernetesSettings } from '@beadloom/server/src/process/settings/kubernetes-settings.ts'

/**
 * The cluster of these tests, from the environment:
 *
 *     KUBERNETES_CONFIG         a kubeconfig whose current context may do everything in the namespace
 *     KUBERNETES_NAMESPACE      best with the label pod-security.kubernetes.io/enforce=restricted
 *     KUBERNETES_RUNTIME_CLASS  one whose pods have no network
 *     KUBERNETES_LOAD           a shell command that gives its standard input, as docker save writes it, to every node
 *     KUBERNETES_REGISTRY       instead of that: a registry of images, with the Secret `registry` in the namespace
 *     KUBERNETES_KILL           a shell command that kills a container on its node: $1 is the node, $2 the container's id
 *     KUBERNETES_PROBE          HOST:PORT that pods with a network reach
 */
const names = ['CONFIG', 'NAMESPACE', 'RUNTIME_CLASS', 'LOAD', 'KILL', 'PROBE'] as const
const values = Object.fromEntries(names.map((name) => [name, process.env[`KUBERNETES_${name}`] ?? '']))
const lacking = names.filter((name) => values[name] === '').map((name) => `KUBERNETES_${name}`)

const REGISTRY = process.env['KUBERNETES_REGISTRY']

/** Null: there is a cluster. */
export const missingCluster = lacking.length === 0 ? null : `no cluster is named: ${lacking.join(', ')} not set`
if (missingCluster !== null && process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1. ${missingCluster}`)
if (missingCluster !== null) console.warn(`SKIPPED: tests of Kubernetes. ${missingCluster}`)

const { CONFIG = '', NAMESPACE = '', RUNTIME_CLASS = '', LOAD = '', KILL = '', PROBE = '' } = values

/** With a network policy instead of a RuntimeClass. */
export const byPolicy: KubernetesSettings = {
  kubeconfig: CONFIG,
  namespace: NAMESPACE,
  probe: PROBE,
  images: REGISTRY ? { registry: REGISTRY, pullSecret: 'registry' } : { load: ['/bin/bash', '-c', LOAD] },
  cpuRequest: 0.1, // so many fit on a small machine
  memoryRequest: 0.1,
}
export const withoutNetwork: KubernetesSettings = { ...byPolicy, runtimeClass: RUNTIME_CLASS }

/** Kills a container as somebody on its node does. */
export async function killOnNode(name: string): Promise<void> {
  const pod = await new KubeClient(byPolicy, systemClock).pod(name)
  const container = (pod && sandboxStatus(pod)?.containerID) ?? ''
  const id = container.replace(/^\w+:\/\//, '')
  await promisify(execFile)('/bin/sh', ['-c', KILL, 'sh', pod?.spec?.nodeName ?? '', id])
}
