import { join } from 'node:path'
import { Registry } from './registry.ts'

let started: Registry | null = null

/** Starts a registry for all test files that the nodes know, if `scripts/kubernetes.mjs` has started the cluster. */
export async function setup(): Promise<void> {
  const { KUBERNETES_ROOT: root, KUBERNETES_REGISTRY: registry } = process.env
  if (root === undefined || registry === undefined) return
  const port = Number(/:(\d+)\//.exec(registry)?.[1])
  const account = 'beadloom:for-tests'
  started = await Registry.start({
    folder: join(root, 'registry'),
    addresses: ['127.0.0.1', '10.250.0.1'],
    port,
    account,
  })
}

export async function teardown(): Promise<void> {
  await started?.stop()
}
