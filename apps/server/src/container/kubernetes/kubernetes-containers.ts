import type { Readable } from 'node:stream'
import type { V1Pod } from '@kubernetes/client-node'
import type { Carrier } from '../../link/carried-link.ts'
import {
  EngineError,
  type AgentPackage,
  type BaseImage,
  type EngineHealth,
  type EngineImage,
  type Pushed,
} from '../../ports/engine.ts'
import type { Exit, FrameSource } from '../../ports/sandbox.ts'
import type { HealthCheck, ServiceSpec } from '../../ports/service.ts'
import { clampTo } from '../container-config.ts'
import { lostFor } from '../container-state.ts'
import type {
  AgentLayer,
  Containers,
  ContainerSpec,
  ContainerState,
  Created,
  ImageId,
  LinkWay,
  OwnedContainer,
} from '../containers.ts'
import { readCluster, type Cluster } from './cluster/cluster-facts.ts'
import { clusterHealth } from './cluster/cluster-health.ts'
import type { MissingRights } from './cluster/cluster-rights.ts'
import { ClusterImages } from './cluster/cluster-images.ts'
import { whyFull } from './cluster/cluster-room.ts'
import { checkProvable } from './cluster/provable.ts'
import { createPod } from './create-pod.ts'
import { KubeClient } from './kube-client.ts'
import { annotation, label, type KubernetesOptions } from './kubernetes-options.ts'
import { letGo, podArchive, podBytes, podCarrier } from './pod-exec.ts'
import { denyNetwork } from './pod-network.ts'
import { idOf, isPod, nameOf, uidOf } from './pod-id.ts'
import { PodLease } from './pod-lease.ts'
import { startPod, stopPod, untilKept, whyTaken } from './pod-life.ts'
import { keptPath } from './pod-folders.ts'
import { podOf } from './pod-manifest.ts'
import { whyLost, whyUnbegun } from './pod-events.ts'
import { whyPodWaits } from './pod-queue.ts'
import { neverRuns, podState } from './pod-state.ts'
import { whyUnreached, whyWaiting } from './pod-words.ts'
import { PodWatch } from './pod-watch.ts'
import { removePod } from './remove-pod.ts'

const RIGHTS_MS = 300_000
/** A node that has tried for so long to begin with a pod will not, and the next pod may get another node. */
const UNBEGUN_MS = 120_000

/**
 * Sandboxes as pods of a cluster. Docker makes the images, and runs everything that needs a network: `setup`, and
 * sandboxes that ask for one, are containers there.
 */
export class KubernetesContainers implements Containers {
  readonly #options: KubernetesOptions
  readonly #client: KubeClient
  readonly #images: ClusterImages
  readonly #watch: PodWatch
  readonly #lease: PodLease
  /** Pods that we stopped: the signal in their exit is ours. */
  readonly #stopped = new Set<string>()
  #cluster: Cluster | null = null
  #known: { rights: MissingRights; at: number } | null = null
  #isDenied = false
  /** The last pod that was requested. */
  #last: V1Pod | null = null

  constructor(options: KubernetesOptions) {
    this.#options = options
    this.#client = new KubeClient(options.settings, options.clock)
    this.#images = new ClusterImages(options.settings.images, options.docker, this.#client)
    this.#lease = new PodLease(options.clock)
    this.#watch = new PodWatch(this.#client, options.instance, this.#lease)
  }

  async health(): Promise<EngineHealth> {
    const { cluster, rights, ...health } = await clusterHealth(
      this.#client,
      this.#options.settings,
      await this.#images.architecture(),
      this.#rightsLately(),
    )
    this.#cluster = cluster ?? this.#cluster
    if (rights !== null && rights !== this.#known?.rights) this.#known = { rights, at: this.#client.clock.monotonic() }
    const full = health.ok ? await whyFull(this.#client, await this.#watch.all().catch(() => []), this.#last) : null
    return full === null ? health : { ...health, full }
  }

  /** Only `setup` runs in it, where it was made; its result is sent to the cluster. */
  runtimeImage(
    base: BaseImage,
    onProgress: (line: string) => void,
    signal: AbortSignal,
    agent: AgentPackage | null = null,
  ): Promise<ImageId> {
    return this.#builder.runtimeImage(base, onProgress, signal, agent)
  }

  agentImage(agent: AgentPackage): Promise<AgentLayer | null> {
    return this.#builder.agentImage(agent)
  }

  findImage(tag: string): Promise<ImageId | null> {
    return this.#builder.findImage(tag)
  }

  images(): Promise<EngineImage[]> {
    return this.#builder.images()
  }

  removeImage(name: string): Promise<void> {
    return this.#builder.removeImage(name)
  }

  push(image: ImageId, registry: string, onProgress: (line: string) => void, signal: AbortSignal): Promise<Pushed> {
    return this.#builder.push(image, registry, onProgress, signal)
  }

  async commit(container: string, tag: string): Promise<ImageId> {
    if (isPod(container))
      throw new EngineError('refused', 'a pod cannot become an image: what others start from is made where Docker is')
    const image = await this.#builder.commit(container, tag)
    await this.#images.send(image)
    return image
  }

  async create(spec: ContainerSpec): Promise<Created> {
    if (spec.network !== 'none' || spec.labels.kind === 'setup') return this.#builder.create(spec)
    if ((await this.#builder.findImage(spec.image)) === null)
      throw new EngineError('image-missing', `there is no image ${spec.image}`)
    const { settings, instance, docker } = this.#options
    checkProvable(settings, spec.name)
    const reference = await this.#images.send(spec.image)
    await this.#deny()
    const architecture = await this.#images.architecture()
    const cluster = (this.#cluster ??= await readCluster(this.#client, architecture))
    const granted = clampTo({ ...cluster, called: 'its largest node' }, spec)
    const options = { ...settings, instance, caBundle: docker.caBundle, reference, architecture }
    const body = (this.#last = podOf(spec, granted, options))
    const pod = await createPod(this.#client, body)
    return { id: idOf(pod), clamped: granted.clamped }
  }

  serviceImage(): Promise<{ health: HealthCheck | null }> {
    return Promise.reject(noServices())
  }

  createService(_spec: ServiceSpec, _beside: string): Promise<Created> {
    return Promise.reject(noServices())
  }

  output(container: string): FrameSource {
    return this.#builder.output(container)
  }

  succeeds(container: string, command: HealthCheck): Promise<boolean> {
    return this.#builder.succeeds(container, command)
  }

  /** The same for the builder's: whether a sandbox becomes a pod is not known when its link is opened. */
  async linkBy(): Promise<LinkWay> {
    return 'exec'
  }

  async carrier(container: string): Promise<Carrier> {
    if (!isPod(container)) return this.#builder.carrier(container)
    const pod = await this.#own(container)
    if (podState(pod).state !== 'running') throw new EngineError('refused', `${nameOf(container)} does not run (yet)`)
    this.#lease.tried(container)
    return podCarrier(this.#client, nameOf(container), () => this.#lease.heard(container))
  }

  async lastWords(container: string): Promise<string> {
    if (!isPod(container)) return this.#builder.lastWords(container)
    return whyWaiting(await this.#own(container))
  }

  async start(container: string): Promise<void> {
    if (!isPod(container)) return this.#builder.start(container)
    this.#stopped.delete(container)
    const pod = await this.#own(container)
    await startPod(this.#client, pod, (starts) => letGo(this.#client, nameOf(container), starts))
  }

  async waitForExit(container: string, signal: AbortSignal): Promise<Exit> {
    if (!isPod(container)) return this.#builder.waitForExit(container, signal)
    const exit = await this.#watch.exit(container, signal)
    if (exit.lost || exit.oomKilled || this.#stopped.has(container)) return exit
    const why = await this.takenAway(container)
    if (why !== null) return { ...exit, ...lostFor(why) }
    // Nobody in a sandbox can kill its process 1, and our own signals are known.
    if (exit.code === 137) return { ...exit, outside: true, killed: true }
    return exit.code === 143 ? { ...exit, killed: true } : exit
  }

  async stop(container: string, graceMs: number): Promise<void> {
    if (!isPod(container)) return this.#builder.stop(container, graceMs)
    const pod = await this.#ownOrGone(container)
    if (!pod) return
    this.#stopped.add(container)
    if (!this.#lease.isLost(container)) await stopPod(this.#client, pod, graceMs)
  }

  async remove(container: string): Promise<void> {
    if (!isPod(container)) return this.#builder.remove(container)
    const pod = await this.#ownOrGone(container)
    if (!pod) return
    this.#stopped.add(container)
    await removePod(this.#client, { name: nameOf(container), uid: uidOf(container) }, 'confirmed')
    this.#stopped.delete(container)
    this.#lease.forget(container)
  }

  async inspect(container: string): Promise<ContainerState> {
    if (!isPod(container)) return this.#builder.inspect(container)
    if (this.#lease.isLost(container)) return { state: 'gone', why: whyUnreached(null) }
    const found = await this.#client.pod(nameOf(container))
    const pod = found?.metadata?.uid === uidOf(container) ? found : null
    const state = podState(pod)
    return state.state === 'gone' ? { ...state, why: await whyLost(this.#client, container, pod) } : state
  }

  async list(): Promise<OwnedContainer[]> {
    const pods = (await this.#watch.all()).map((pod) => ({
      id: idOf(pod),
      name: pod.metadata?.annotations?.[annotation.name] ?? '',
      execution: pod.metadata?.labels?.[label.execution] ?? '',
      kind: pod.metadata?.labels?.[label.kind] ?? '',
      ...projectOf(pod),
      state: this.#lease.isLost(idOf(pod)) ? 'gone' : podState(pod).state,
      node: pod.spec?.nodeName ?? null,
      createdAt: new Date(pod.metadata?.creationTimestamp ?? 0).getTime(),
    }))
    return [...pods, ...(await this.#builder.list())]
  }

  async archive(container: string, path: string): Promise<Readable | null> {
    if (!isPod(container)) return this.#builder.archive(container, path)
    const pod = await this.#own(container)
    const isAway = podState(pod).state === 'gone' || this.#lease.isLost(container)
    if (isAway) throw new EngineError('refused', `the files of ${nameOf(container)} are gone`)
    const kept = keptPath(path)
    if (kept === null) throw new EngineError('refused', `${path} of a pod is not kept`)
    await untilKept(this.#client, nameOf(container))
    return podArchive(this.#client, nameOf(container), kept)
  }

  async sizeOf(container: string): Promise<number | null> {
    if (!isPod(container)) return this.#builder.sizeOf(container)
    return this.#own(container).then(
      () => podBytes(this.#client, nameOf(container)).catch(() => null),
      () => null,
    )
  }

  async waitsFor(container: string): Promise<string | null> {
    if (!isPod(container)) return null
    const pod = await this.#ownOrGone(container)
    const never = pod && neverRuns(pod)
    if (never) throw never
    const hindered = pod && (await whyUnbegun(this.#client, pod))
    if (hindered && hindered.ms >= UNBEGUN_MS) throw new EngineError('failed', hindered.why)
    return hindered ? hindered.why : whyPodWaits(this.#client, pod)
  }

  async takenAway(container: string): Promise<string | null> {
    if (!isPod(container)) return null
    return whyTaken(this.#client, container, () => this.#stopped.has(container)).catch(() => null)
  }

  async nodeOf(container: string): Promise<string | null> {
    return isPod(container) ? ((await this.#own(container)).spec?.nodeName ?? null) : null
  }

  get #builder(): Containers {
    return this.#options.builder
  }

  /** Null when they are some minutes old or some are missing: then they are asked for again. */
  #rightsLately(): MissingRights | null {
    if (this.#known === null || this.#known.rights.needed.length > 0) return null
    return this.#client.clock.monotonic() - this.#known.at < RIGHTS_MS ? this.#known.rights : null
  }

  async #deny(): Promise<void> {
    if (this.#isDenied || this.#options.settings.runtimeClass !== undefined) return
    await denyNetwork(this.#client)
    this.#isDenied = true
  }

  async #own(container: string): Promise<V1Pod> {
    const pod = await this.#ownOrGone(container)
    if (!pod) throw new EngineError('refused', `the pod ${nameOf(container)} is gone`)
    return pod
  }

  /** Pods of another server, or of a person, are never touched. */
  async #ownOrGone(container: string): Promise<V1Pod | null> {
    const pod = await this.#client.pod(nameOf(container))
    if (pod?.metadata?.uid !== uidOf(container)) return null
    if (pod.metadata.labels?.[label.instance] === this.#options.instance) return pod
    throw new EngineError('refused', `the pod ${nameOf(container)} does not belong to this server`)
  }
}

const noServices = () =>
  new EngineError(
    'refused',
    'services beside a sandbox are not there on Kubernetes yet: this project needs a local engine',
  )

function projectOf({ metadata }: V1Pod): { project?: string } {
  const project = metadata?.annotations?.[annotation.project]
  return project === undefined ? {} : { project }
}
