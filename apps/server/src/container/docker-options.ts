import { join } from 'node:path'
import type { InstanceId } from '@beadloom/core/ids.ts'
import { LOCAL_ENGINE, usualEngineOf } from '@beadloom/core/project/engine-name.ts'
import type { Clock } from '../process/clock.ts'
import type { EngineMemory } from './connection/engine-memory.ts'
import type { LinkWay } from './containers.ts'
import type { Environment, ServerSettings } from '../process/settings/settings.ts'

/** In Debian's words and in those of images. */
export type Architecture = 'amd64' | 'arm64'

/** Everything the adapter needs; of the process's own environment it reads nothing. */
export type DockerEngineOptions = {
  /** The environment in which the engine is looked for (`connection/`), and which ssh gets. Absent: an empty one. */
  env?: Environment
  /** An address instead of the environment's `DOCKER_HOST`. */
  dockerHost?: string | undefined
  /** What `config.json` calls the engine at `dockerHost`; absent: it is no engine of that file. */
  named?: string
  instance: InstanceId
  /** The checkout's `docker/` folder. */
  dockerFolder: string
  /** The agent, bundled: `agent.mjs` and what that imports, nothing else. */
  agentFolder: string
  /** The supervisor, bundled, and the script that starts it, nothing else. */
  supervisorFolder: string
  /** A Linux Node 24 for the containers (`findNodeBinary`). */
  nodeBinary: string
  /** Extra certificates that the host trusts, as PEM text (`readHostEnvironment`); null: only an image's own. */
  caBundle: string | null
  /** The processors that images are made for, whose programs the engine's host has to be able to run; absent: its own. */
  architecture?: Architecture
  /** `HTTP_PROXY` and its like (`readHostEnvironment`), for image builds and containers with network `bridge`. */
  proxy?: Record<string, string>
  /** Names of images of the engine's machine that repositories may use, with `*`; absent: none but public ones. */
  images?: readonly string[]
  /** The runtime of the containers (`runsc`), by the engine's name for it; absent or null: the engine's own choice. */
  runtime?: string | null
  /** For tests: how supervisors are reached; absent: as the engine allows. */
  linkBy?: LinkWay
  clock: Clock
  /** How many containers share the host's memory; absent: one may have all of it. */
  slots?: number
  /** Only projects that name this engine have sandboxes there: nothing is said of the usual limits on its host. */
  isAside?: boolean
  /** Whether sandboxes may be opened that have no limit of memory or processes, because the engine cannot set one. */
  allowUnlimited?: boolean
  bounds?: Partial<Bounds>
  /** Where containers were opened before; absent: nobody knows. */
  memory?: EngineMemory
  /** The id of the container that this server runs in (`ownContainer`); absent or null: in none. */
  ownContainer?: string | null
}

type Host = Pick<DockerEngineOptions, 'caBundle' | 'proxy'>

/** `root`: the folder that has `docker` and the agent's bundles. */
type Place = { env: Environment; instance: InstanceId; root: string; nodeBinary: string; clock: Clock }

/** Where what images are made from is, in a checkout and in a release. */
export const imageFolders = (
  root: string,
): Pick<DockerEngineOptions, 'dockerFolder' | 'agentFolder' | 'supervisorFolder'> => ({
  dockerFolder: join(root, 'docker'),
  agentFolder: join(root, 'packages', 'agent', 'dist', 'agent'),
  supervisorFolder: join(root, 'packages', 'agent', 'dist', 'supervisor'),
})

/** The engine that the server's environment leads to. */
export const dockerOptions = (
  { slots, allowUnlimited, engine, images, runtime }: ServerSettings,
  { caBundle, proxy }: Host,
  { env, instance, root, nodeBinary, clock }: Place,
): DockerEngineOptions => ({
  env,
  instance,
  ...imageFolders(root),
  nodeBinary,
  caBundle,
  proxy,
  clock,
  slots,
  isAside: usualEngineOf(engine) !== LOCAL_ENGINE,
  allowUnlimited,
  images,
  runtime,
})

export type Bounds = {
  /** The time limit of a quick call. */
  callMs: number
  /** How often a running container is inspected, whatever `wait` says. */
  pollMs: number
  /** When the engine is away for longer, the containers that we wait for count as lost. */
  lostMs: number
  /** A registry that is silent for so long counts as unreachable. */
  registrySilenceMs: number
}

/**
 * 15 s is the contract of `Engine`. A restart of dockerd takes seconds, a machine that wakes up or a network that is away
 * minutes; sessions work on meanwhile and keep what they print, so nothing is gained by giving one up sooner. A registry
 * behind a firewall that drops packets is abandoned after 20 s.
 */
export const defaultBounds: Bounds = { callMs: 15_000, pollMs: 5_000, lostMs: 900_000, registrySilenceMs: 20_000 }

/** Labels on every container of ours; the first one says which server it belongs to. */
export const label = {
  instance: 'beadloom.instance',
  execution: 'beadloom.execution',
  kind: 'beadloom.kind',
  project: 'beadloom.project',
  /** A hash of the settings that the container was made from. */
  spec: 'beadloom.spec',
  /** On the container that looks which limits act: whose it is. */
  probe: 'beadloom.probe',
} as const
