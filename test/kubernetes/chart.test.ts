import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { Server } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { forwarder } from '../support/forwarder.ts'
import { missingCluster } from './cluster.ts'
import { missingParts } from './cluster-stage.ts'

/*
 * The chart on a real cluster: a server as a pod, from an image of this checkout, whose sandboxes are pods of another
 * namespace. It reaches a Docker by TCP, and the API server by the cluster's name for it, for which forwarders stand in: the
 * cluster has no proxy of its own.
 */

const HOST = '10.250.0.1'
const API = '10.252.0.1'
const DOCKER_PORT = 45081
const NAMESPACE = 'beads'
const SANDBOXES = 'beadloom-sandboxes'
const IMAGE = `beadloom-server-chart:${process.pid}`

const root = join(import.meta.dirname, '..', '..')
/** As in `scripts/helm.mjs`. */
const HELM_VERSION = '4.3.1'
const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
const helm = join(cache, 'beadloom', `helm-${HELM_VERSION}`, 'helm')
const missingHelm = existsSync(helm)
  ? null
  : `no helm ${HELM_VERSION} in ${cache}/beadloom (npm test -- chart builds it)`
const missing = missingCluster ?? missingParts ?? missingHelm
if (missing !== null) {
  if (process.env['REQUIRE_ALL'] === '1') throw new Error(`REQUIRE_ALL=1: ${missing}`)
  console.warn(`SKIPPED: the chart on a cluster. ${missing}`)
}

const { KUBERNETES_ROOT: clusterRoot = '', KUBERNETES_CONFIG: kubeconfig = '' } = process.env
const { KUBERNETES_LOAD: load = '', KUBERNETES_REGISTRY: registry = '' } = process.env
const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, KUBECONFIG: kubeconfig } })
const kubectl = (...args: string[]): string => run(join(clusterRoot, 'bin', 'kubectl'), ...args)
const inServer = (...args: string[]): string =>
  kubectl('-n', NAMESPACE, 'exec', 'deploy/beadloom', '-c', 'beadloom', '--', 'beadloom', ...args)

describe.skipIf(missing !== null)('the chart on a cluster', { timeout: 900_000 }, () => {
  const forwarders: Server[] = []
  let folder: string
  let volume: string

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bl-chart-'))
    for (const [host, port, target] of [
      [HOST, DOCKER_PORT, { path: '/var/run/docker.sock' }],
      [API, 443, { host: HOST, port: 6443 }],
    ] as const) {
      const server = forwarder(target)
      await new Promise<void>((resolve) => server.listen(port, host, resolve))
      forwarders.push(server)
    }
    const base = run('docker', 'images', 'beadloom/base', '--format', '{{.Repository}}:{{.Tag}}').split('\n')[0] ?? ''
    run(process.execPath, join(root, 'scripts', 'image.mjs'), '--tag', IMAGE, '--build-arg', `BASE=${base}`)
    run('bash', '-c', `docker save "$0" | { ${load}; }`, IMAGE)
    volume = join(clusterRoot, `volume-${process.pid}`)
    mkdirSync(volume)
    chmodSync(volume, 0o777)
    kubectl('apply', '--filename', written('volume.json', JSON.stringify(volumeList(volume))))
    kubectl('-n', NAMESPACE, ...signInAs('registry'))
    const values = {
      image: { repository: IMAGE.split(':')[0], tag: IMAGE.split(':')[1] },
      docker: { host: `tcp://${HOST}:${DOCKER_PORT}` },
      secrets: { dockerConfig: 'registry' },
      persistence: { existingClaim: 'data' },
      sandboxes: { namespace: SANDBOXES, runtimeClass: 'no-network', registry, pullSecret: 'registry' },
      config: { warm: 0 },
    }
    const chart = join(root, 'charts', 'beadloom')
    const file = written('values.json', JSON.stringify(values))
    run(helm, 'install', 'beadloom', chart, '--namespace', NAMESPACE, '--values', file)
    kubectl('-n', SANDBOXES, ...signInAs('registry'))
  }, 900_000)

  afterAll(async () => {
    const quietly = (work: () => unknown) => {
      try {
        work()
      } catch {
        // It may not be there.
      }
    }
    quietly(() => run(helm, 'uninstall', 'beadloom', '--namespace', NAMESPACE, '--wait'))
    quietly(() => kubectl('delete', 'namespace', NAMESPACE, SANDBOXES, '--ignore-not-found', '--timeout=120s'))
    quietly(() => kubectl('delete', 'persistentvolume', 'data', '--ignore-not-found', '--timeout=60s'))
    quietly(() => run('docker', 'rmi', '--force', IMAGE))
    for (const server of forwarders) server.close()
    rmSync(volume, { recursive: true, force: true })
    rmSync(folder, { recursive: true, force: true })
  }, 300_000)

  const written = (name: string, text: string): string => {
    const file = join(folder, name)
    writeFileSync(file, text)
    return file
  }

  test('starts a server that is ready: /readyz answers the kubelet', () => {
    kubectl('-n', NAMESPACE, 'rollout', 'status', 'deploy/beadloom', '--timeout=600s')
    const [pod] = (
      JSON.parse(kubectl('-n', NAMESPACE, 'get', 'pods', '--output=json')) as { items: { status: object }[] }
    ).items
    expect(pod?.status).toMatchObject({ containerStatuses: [{ ready: true, restartCount: 0 }] })
  })

  test('its doctor finds the cluster by the pod’s own account, and no right that is missing', () => {
    const said = inServer('doctor')
    expect(said).toMatch(/cluster.*Kubernetes v1\.37\.2, nodes: 2/)
    expect(said).not.toContain('may not')
  })

  test('does a bead, as pods of the other namespace', () => {
    const { items } = JSON.parse(inServer('beads', '--project', 'demo', '--json')) as { items: { id: string }[] }
    const said = inServer('run', items[0]?.id ?? '', '--project', 'demo', '--wait')
    expect(said).toMatch(/COMPLETED/)
    const events = kubectl('-n', SANDBOXES, 'get', 'events', '--output=jsonpath={.items[*].involvedObject.name}')
    expect(events).toMatch(/beadloom-ex-\w+-work/)
  })

  test('keeps its data when it starts again', () => {
    kubectl('-n', NAMESPACE, 'rollout', 'restart', 'deploy/beadloom')
    kubectl('-n', NAMESPACE, 'rollout', 'status', 'deploy/beadloom', '--timeout=600s')
    expect(inServer('executions', '--project', 'demo', '--json')).toContain('COMPLETED')
  })
})

const signInAs = (name: string): string[] => {
  const who = ['--docker-username=beadloom', '--docker-password=for-tests']
  return ['create', 'secret', 'docker-registry', name, `--docker-server=${registry.split('/')[0]}`, ...who]
}

/** A namespace, and a volume in it: the cluster has nothing that makes one. */
const volumeList = (path: string) => ({
  apiVersion: 'v1',
  kind: 'List',
  items: [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: NAMESPACE } },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'data' },
      spec: {
        capacity: { storage: '5Gi' },
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        hostPath: { path },
        claimRef: { namespace: NAMESPACE, name: 'data' },
      },
    },
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data', namespace: NAMESPACE },
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: '',
        volumeName: 'data',
        resources: { requests: { storage: '5Gi' } },
      },
    },
  ],
})
