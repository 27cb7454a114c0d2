import type * as Library from '@kubernetes/client-node'
import type {
  AuthorizationV1Api,
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  NetworkingV1Api,
  V1Pod,
  VersionInfo,
} from '@kubernetes/client-node'
import { EngineError } from '../../ports/engine.ts'
import type { Clock } from '../../process/clock.ts'
import type { KubernetesSettings } from '../../process/settings/kubernetes-settings.ts'
import { kubeError, statusOf } from './kube-error.ts'

/** The longest time for which the port lets a silent engine keep a promise pending. */
const CALL_MS = 15_000

type Open = {
  library: typeof Library
  config: KubeConfig
  core: CoreV1Api
  networking: NetworkingV1Api
  authorization: AuthorizationV1Api
  custom: CustomObjectsApi
}

/** The cluster's API, with a limit for each call. The library is loaded with the first one. */
export class KubeClient {
  readonly namespace: string
  readonly clock: Clock
  /** The lead of the cluster's clock over ours, at the last look at its version; null: unknown. */
  skewMs: number | null = null
  readonly #settings: KubernetesSettings
  #open: Promise<Open> | null = null

  constructor(settings: KubernetesSettings, clock: Clock) {
    this.namespace = settings.namespace
    this.clock = clock
    this.#settings = settings
  }

  /** @param what in the words behind "could not" */
  async call<Answer>(what: string, work: (open: Open) => Promise<Answer>): Promise<Answer> {
    const done = new AbortController()
    const late = this.clock.sleep(CALL_MS, done.signal).then(() => {
      if (done.signal.aborted) return undefined as never
      throw new EngineError('timed-out', `the cluster did not ${what} within ${CALL_MS / 1000} s`)
    })
    late.catch(() => {})
    try {
      return await Promise.race([this.opened().then(work), late])
    } catch (error) {
      throw kubeError(what, error)
    } finally {
      done.abort()
    }
  }

  /** The cluster's version; also reads its clock. */
  async version(): Promise<VersionInfo> {
    return this.call('say its version', async ({ library, config }) => {
      const cluster = config.getCurrentCluster()
      const { clock } = this
      const note = (date: string | undefined) => {
        const at = Date.parse(date ?? '')
        // The header has whole seconds.
        this.skewMs = Number.isNaN(at) ? null : at + 500 - clock.now()
      }
      const middleware = {
        pre: async (request: Library.RequestContext) => request,
        post: async (response: Library.ResponseContext) => {
          note(response.headers['date'])
          return response
        },
      }
      const baseServer = new library.ServerConfiguration(cluster?.server ?? '', {})
      const options = { baseServer, authMethods: { default: config }, promiseMiddleware: [middleware] }
      return new library.VersionApi(library.createConfiguration(options)).getCode()
    })
  }

  /** Null: there is none. */
  async pod(name: string): Promise<V1Pod | null> {
    try {
      return await this.call(`look at the pod ${name}`, ({ core }) =>
        core.readNamespacedPod({ name, namespace: this.namespace }),
      )
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw error
    }
  }

  async opened(): Promise<Open> {
    const opening = (this.#open ??= this.#load())
    try {
      return await opening
    } catch (error) {
      this.#open = null // a kubeconfig may be corrected meanwhile
      throw error
    }
  }

  async #load(): Promise<Open> {
    const library = await import('@kubernetes/client-node')
    const config = new library.KubeConfig()
    const { kubeconfig, context } = this.#settings
    try {
      if (kubeconfig === undefined) config.loadFromDefault()
      else config.loadFromFile(kubeconfig)
      if (context !== undefined) config.setCurrentContext(context)
      if (config.getCurrentCluster() === null)
        throw new Error(`there is no context ${context ?? config.getCurrentContext()} with a cluster`)
    } catch (error) {
      const where = kubeconfig ?? 'the usual kubeconfig'
      throw new EngineError('unreachable', `${where} could not be used: ${(error as Error).message}`, { cause: error })
    }
    return {
      library,
      config,
      core: config.makeApiClient(library.CoreV1Api),
      networking: config.makeApiClient(library.NetworkingV1Api),
      authorization: config.makeApiClient(library.AuthorizationV1Api),
      custom: config.makeApiClient(library.CustomObjectsApi),
    }
  }
}
