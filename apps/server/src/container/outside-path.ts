import { EngineError } from '../ports/engine.ts'
import { inspectContainer } from './container-state.ts'
import type { DockerClient } from './docker-client.ts'

type Mounted = { source: string; at: string }

/**
 * The paths of this server on the engine's host. They differ if the server itself runs in a container of that engine: a
 * folder that it wants to share is then in a volume, or mounted from elsewhere.
 */
export class OutsidePaths {
  readonly #client: DockerClient
  readonly #own: string | null
  /** Null: we are no container of this engine. They cannot change while we run. */
  #mounts: readonly Mounted[] | null | undefined

  /** `own`: the id of the container that we run in; null: in none. */
  constructor(client: DockerClient, own: string | null) {
    this.#client = client
    this.#own = own
  }

  /** Throws `EngineError('refused')` for a path in the container's own layer, which the engine cannot share. */
  async of(path: string): Promise<string> {
    if (this.#own === null) return path
    this.#mounts ??= await this.#read(this.#own)
    return this.#mounts === null ? path : outsidePath(path, this.#mounts)
  }

  async #read(own: string): Promise<readonly Mounted[] | null> {
    const info = await inspectContainer(this.#client, own)
    return info && info.Mounts.map(({ Source, Destination }) => ({ source: Source, at: Destination }))
  }
}

/** The path on the engine's host, by the innermost mount that contains it. */
export function outsidePath(path: string, mounts: readonly Mounted[]): string {
  const holding = mounts.filter(({ at, source }) => source !== '' && (path === at || path.startsWith(`${at}/`)))
  const [inner] = holding.toSorted((one, other) => other.at.length - one.at.length)
  if (inner) return `${inner.source}${path.slice(inner.at.length)}`
  throw new EngineError(
    'refused',
    `the server runs in a container, and ${path} is in nothing that is mounted there, so no sandbox can share it. Mount the data folder from the engine's host: "-v beadloom:/data".`,
  )
}
