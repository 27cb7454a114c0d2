import { execFile } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import type { NetConnectOpts, Server } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { forwarder } from '../support/forwarder.ts'
import { git, issues, makeRemote } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'

/** The host's address for nodes and pods, and the name of the API server for pods. */
const HOST = '10.250.0.1'
const API = '10.252.0.1'
const DOCKER_PORT = 45081
/** As in docs/in-a-cluster.md, whose commands run unchanged. */
export const NAMESPACE = 'beads'
export const SANDBOXES = 'beadloom-sandboxes'
export const ADDRESS = 'https://beads.example.org'

export const root = join(import.meta.dirname, '..', '..')
/** As in `scripts/helm.mjs`. */
const HELM_VERSION = '4.3.1'
const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
const helmFile = join(cache, 'beadloom', `helm-${HELM_VERSION}`, 'helm')
export const missingHelm = existsSync(helmFile)
  ? null
  : `no helm ${HELM_VERSION} in ${cache}/beadloom (npm test -- chart builds it)`

const { KUBERNETES_ROOT: clusterRoot = '', KUBERNETES_CONFIG: kubeconfig = '' } = process.env
const { KUBERNETES_REGISTRY: registry = '', KUBERNETES_PROBE: probe = '' } = process.env
const env = { ...process.env, KUBECONFIG: kubeconfig, PATH: `${join(clusterRoot, 'bin')}:${process.env['PATH']}` }

/** Commits a part at once; the rest waits for a file from a test. Bead `w-quick` does not wait. */
const AGENT = `name=$(git branch --show-current)
commit() { touch "$1-$name" && git add -A && git commit -q -m "$2 of $name" && git push -q && echo "pushed $1"; }
commit one 'A part'
case $name in *quick*) ;; *) while ! test -e /tmp/go; do sleep 0.2; done ;; esac
commit two 'The rest'
`

/** One line of the API server's audit log. */
export type Asked = {
  verb: string
  objectRef?: { resource?: string; subresource?: string; namespace?: string; apiGroup?: string }
  annotations?: Record<string, string>
}

/**
 * A server as a pod, installed by the chart from an image of this checkout. Its cluster has no proxy for services:
 * forwarders replace it, and also give the server a Docker by TCP.
 */
export class ChartStage {
  readonly image: string
  /** The nodes' folder that is the server's volume. */
  readonly volume: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'bl-chart-'))
  readonly #forwarders: Server[] = []
  readonly #base: string
  #service: Promise<string> | null = null

  private constructor(base: string) {
    this.#base = base
    this.image = `${registry}/server:${process.pid}`
    this.volume = join(clusterRoot, `volume-${process.pid}`)
  }

  static async open(): Promise<ChartStage> {
    const bases = await run('docker', 'images', 'beadloom/base', '--format', '{{.Repository}}:{{.Tag}}')
    const stage = new ChartStage(bases.split('\n')[0] ?? '')
    try {
      await stage.#prepare()
    } catch (error) {
      await stage.close()
      throw error
    }
    return stage
  }

  async #prepare(): Promise<void> {
    await this.forward(HOST, DOCKER_PORT, { path: '/var/run/docker.sock' })
    await this.forward(API, 443, { host: HOST, port: 6443 })
    const script = join(root, 'scripts', 'image.mjs')
    await run(process.execPath, script, '--tag', this.image, '--build-arg', `BASE=${this.#base}`)
    await run('docker', 'push', '--quiet', this.image)
    mkdirSync(this.volume)
    chmodSync(this.volume, 0o777)
    const remote = makeRemote(join(this.volume, 'remote.git'), {
      '.beads/issues.jsonl': issues(
        { id: 'w-quick', title: 'Write' },
        { id: 'w-long', title: 'Wait' },
        { id: 'w-lost', title: 'Wait once more' },
      ),
      ...shellProject({ agent: AGENT, config: { image: this.#base, retry: { retryCount: 1 } } }),
    })
    await run('chown', '--recursive', '1000:1000', remote)
    await kubectl('create', 'namespace', NAMESPACE)
    await kubectl('apply', '--filename', this.#written('volume.json', JSON.stringify(volumeOf(this.volume))))
    await kubectl('-n', NAMESPACE, ...signInAs('registry'))
  }

  /** `helm install`, or `upgrade` with other sandboxes. */
  async install(verb: 'install' | 'upgrade' = 'install', sandboxes: object = {}): Promise<void> {
    const [, repository, tag] = /^(.*):(\w+)$/.exec(this.image) ?? []
    const values = {
      image: { repository, tag },
      imagePullSecrets: [{ name: 'registry' }],
      docker: { host: `tcp://${HOST}:${DOCKER_PORT}` },
      secrets: { dockerConfig: 'registry' },
      sandboxes: {
        registry,
        pullSecret: 'registry',
        runtimeClass: 'no-network',
        probe,
        more: { cpuRequest: 0.1, memoryRequest: 0.1 },
        ...sandboxes,
      },
      config: {
        demo: false,
        warm: 0,
        people: {
          address: ADDRESS,
          proxies: [HOST],
          header: {},
          roles: { viewer: { people: ['*'] }, runner: { people: ['ruth'] }, admin: { people: ['ada'] } },
        },
      },
    }
    const file = this.#written('values.json', JSON.stringify(values))
    const chart = join(root, 'charts', 'beadloom')
    await run(helmFile, verb, 'beadloom', chart, '--namespace', NAMESPACE, '--values', file)
    if (verb === 'install') await kubectl('-n', SANDBOXES, ...signInAs('registry'))
    await ready()
  }

  /** Forwards connections to an address of the host's leg to `target`. */
  async forward(host: string, port: number, target: NetConnectOpts): Promise<void> {
    const server = forwarder(target)
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
    this.#forwarders.push(server)
  }

  /** The service's own address, as with the cluster's proxy. It leads to the server's pod at the first call. */
  reachService(): Promise<string> {
    return (this.#service ??= this.#reach())
  }

  async #reach(): Promise<string> {
    const address = await kubectl('-n', NAMESPACE, 'get', 'service/beadloom', '--output=jsonpath={.spec.clusterIP}')
    const [pod] = await podsOf(NAMESPACE)
    await run('ip', 'addr', 'replace', `${address}/32`, 'dev', 'k8s-host')
    await this.forward(address, 80, { host: pod?.status.podIP ?? '', port: 4600 })
    return address
  }

  subjects(branch: string): string[] {
    const remote = join(this.volume, 'remote.git')
    return git(remote, '-c', `safe.directory=${remote}`, 'log', branch, '--format=%s').split('\n')
  }

  /** The server's requests to the cluster. */
  asked(): Asked[] {
    const lines = readFileSync(join(clusterRoot, 'cp', 'audit.log'), 'utf8')
      .trim()
      .split('\n')
    return lines.map((line) => JSON.parse(line) as Asked)
  }

  #written(name: string, text: string): string {
    const file = join(this.#folder, name)
    writeFileSync(file, text)
    return file
  }

  async close(): Promise<void> {
    const quietly = (work: Promise<unknown>) => work.catch(() => {}) // it may not be there
    await quietly(run(helmFile, 'uninstall', 'beadloom', '--namespace', NAMESPACE))
    await quietly(kubectl('delete', 'namespace', NAMESPACE, SANDBOXES, '--ignore-not-found', '--timeout=120s'))
    await quietly(kubectl('delete', 'persistentvolume', 'data', '--ignore-not-found', '--timeout=60s'))
    await quietly(run('docker', 'rmi', '--force', this.image))
    for (const server of this.#forwarders) server.close()
    rmSync(this.volume, { recursive: true, force: true })
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

/** Asynchronous, because the forwarders are in this process. */
export const run = async (program: string, ...args: string[]): Promise<string> =>
  (await promisify(execFile)(program, args, { env, maxBuffer: 2 ** 26 })).stdout
export const kubectl = (...args: string[]): Promise<string> => run('kubectl', ...args)
export const inServer = (...args: string[]): Promise<string> =>
  kubectl('-n', NAMESPACE, 'exec', 'deploy/beadloom', '-c', 'beadloom', '--', 'beadloom', ...args)
export const ready = (): Promise<string> =>
  kubectl('-n', NAMESPACE, 'rollout', 'status', 'deploy/beadloom', '--timeout=300s')

export type Pod = {
  metadata: { name: string; uid: string }
  spec: { nodeName: string }
  status: { podIP: string; containerStatuses: { ready: boolean; restartCount: number }[] }
}
export const podsOf = async (namespace: string): Promise<Pod[]> =>
  (JSON.parse(await kubectl('-n', namespace, 'get', 'pods', '--output=json')) as { items: Pod[] }).items

/** Lets the agent do the rest. */
export const goOn = (execution: string): Promise<string> =>
  kubectl('-n', SANDBOXES, 'exec', `beadloom-${execution}-work`, '-c', 'sandbox', '--', 'touch', '/tmp/go')

/** A request as from a proxy that has signed somebody in. */
export function as(
  service: string,
  name: string,
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; json: unknown }> {
  const headers = { host: new URL(ADDRESS).host, 'x-forwarded-user': name, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const asked = request({ host: service, port: 80, method, path, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) as unknown }))
    })
    asked.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

const signInAs = (name: string): string[] => {
  const who = ['--docker-username=beadloom', '--docker-password=for-tests']
  return ['create', 'secret', 'docker-registry', name, `--docker-server=${registry.split('/')[0]}`, ...who]
}

/** For the claim of the chart: nothing in the cluster provides volumes. */
const volumeOf = (path: string) => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'data' },
  spec: {
    capacity: { storage: '20Gi' },
    accessModes: ['ReadWriteOnce'],
    hostPath: { path },
    claimRef: { namespace: NAMESPACE, name: 'beadloom' },
  },
})
