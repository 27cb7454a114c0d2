import type { V1Pod } from '@kubernetes/client-node'
import { EngineError } from '../../ports/engine.ts'
import type { Exit } from '../../ports/sandbox.ts'
import { lostExit } from '../container-state.ts'
import type { KubeClient } from './kube-client.ts'
import { label } from './kubernetes-options.ts'
import { whyLost } from './pod-events.ts'
import { idOf } from './pod-id.ts'
import type { PodLease } from './pod-lease.ts'
import { podState } from './pod-state.ts'
import { whyUnreached } from './pod-words.ts'

/** Between two looks, however many wait for pods. */
const LOOK_MS = 1_000
/** A cluster that is away for longer has lost them. */
const LOST_MS = 15 * 60_000

/** All pods of this server, read at once for everybody who waits for one. */
export class PodWatch {
  readonly #client: KubeClient
  readonly #instance: string
  readonly #lease: PodLease
  #latest: { at: number; pods: Promise<V1Pod[]> } | null = null

  constructor(client: KubeClient, instance: string, lease: PodLease) {
    this.#client = client
    this.#instance = instance
    this.#lease = lease
  }

  async all(): Promise<V1Pod[]> {
    const { namespace } = this.#client
    const labelSelector = `${label.instance}=${this.#instance}`
    const found = await this.#client.call('list its pods', ({ core }) =>
      core.listNamespacedPod({ namespace, labelSelector }),
    )
    return found.items
  }

  /** Waits for a pod's end after its last start. */
  async exit(container: string, signal: AbortSignal): Promise<Exit> {
    const { clock } = this.#client
    let heard = clock.monotonic()
    for (;;) {
      if (signal.aborted) throw new EngineError('refused', 'stopped waiting for the pod before it ended')
      const pods = await this.#recent().catch(() => null)
      if (pods === null) {
        this.#lease.nobodyAnswers()
        if (clock.monotonic() - heard > LOST_MS)
          return { ...lostExit, why: 'the cluster did not answer for 15 minutes' }
      } else {
        heard = clock.monotonic()
        const pod = pods.find((one) => idOf(one) === container) ?? null
        if (this.#lease.isLost(container)) return { ...lostExit, why: whyUnreached(pod) }
        const state = podState(pod)
        if (state.state === 'gone') return { ...lostExit, why: await whyLost(this.#client, container, pod) }
        if (state.state === 'exited') return this.#said(state.exit, container, pod)
      }
      await clock.sleep(LOOK_MS, signal)
    }
  }

  /** Adds the reason for which a node that has lost a container's end took its pod away, if it gave one. */
  async #said(exit: Exit, container: string, pod: V1Pod | null): Promise<Exit> {
    return exit.lost ? { ...exit, why: await whyLost(this.#client, container, pod) } : exit
  }

  #recent(): Promise<V1Pod[]> {
    const now = this.#client.clock.monotonic()
    if (this.#latest === null || now - this.#latest.at >= LOOK_MS) this.#latest = { at: now, pods: this.all() }
    return this.#latest.pods
  }
}
