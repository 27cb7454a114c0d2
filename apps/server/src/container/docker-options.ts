import { join } from 'node:path'
import type { InstanceId } from '@beadloom/core/records/ids.ts'
import { LOCAL_ENGINE, usualEngineOf } from '@beadloom/core/records/engine-name.ts'
import type { Clock } from '../process/clock.ts'
import type { EngineMemory } from './connection/engine-memory.ts'
import type { LinkWay } from './containers.ts'
import type { Environment, ServerSettings } from '../process/settings/settings.ts'

/** In the words of Debian and of images. */
export type Architecture = 'amd64' | 'arm64'

/** Everything the adapter needs; it reads nothing from the process's own environment. */
export type DockerEngineOptions = {
  /** The environment in which the engine is looked for (`connection/`), also for ssh. Absent: an empty one. */
  env?: Environment
  /** An address instead of the environment's `DOCKER_HOST`. */
  dockerHost?: string | undefined
  /** The name in `config.json` of the engine at `dockerHost`; absent: it is no engine of that file. */
  named?: string
  instance: InstanceId
  /** The checkout's `docker/` folder. */
  dockerFolder: string
  /** The bundled agent: `agent.mjs` and its imports, nothing else. */
  agentFolder: string
  /** The bundled supervisor, and the script that starts it, nothing else. */
  supervisorFolder: string
  /** A Linux Node 24 for the containers (`findNodeBinary`). */
  nodeBinary: string
  /** Extra certificates that the host trusts, as PEM text (`readHostEnvironment`); null: only an image's own. */
  caBundle: string | null
  /** The processors that images are made for; the engine's host must be able to run their programs; absent: its own. */
  architecture?: Architecture
  /** `HTTP_PROXY` and its like (`readHostEnvironment`), for image builds and containers with network `bridge`. */
  proxy?: Record<string, string>
  /** Names of images on the engine's machine that repositories may use, with `*`; absent: only public ones. */
  images?: readonly string[]
  /** The file that keeps which images registries have given to everybody; absent: it is forgotten. */
  givenImages?: string
  /** The runtime of the containers (`runsc`), by the engine's name for it; absent or null: the engine's own choice. */
  runtime?: string | null
  /** For tests: how supervisors are reached; absent: as the engine allows. */
  linkBy?: LinkWay
  clock: Clock
  /** The number of containers that share the host's memory; absent: one may have all of it. */
  slots?: number
  /** Only projects that name this engine have sandboxes there: nothing is said about the usual limits on its host. */
  isAside?: boolean
  /** Whether sandboxes may be opened without a limit of memory or processes, because the engine cannot set one. */
  allowUnlimited?: boolean
  bounds?: Partial<Bounds>
  /** The engine where containers were opened before; absent: unknown. */
  memory?: EngineMemory
  /** The id of the container that this server runs in (`ownContainer`); absent or null: in none. */
  ownContainer?: string | null
}

type Host = Pick<DockerEngineOptions, 'caBundle' | 'proxy'>

/** `root`: the folder that has `docker` and the agent's bundles. */
type Place = { env: Environment; instance: InstanceId; root: string; nodeBinary: string; clock: Clock }

/** The folders of the ingredients of images, in a checkout and in a release. */
export const imageFolders = (
  root: string,
): Pick<DockerEngineOptions, 'dockerFolder' | 'agentFolder' | 'supervisorFolder'> => ({
  dockerFolder: join(root, 'docker'),
  agentFolder: join(root, 'packages', 'agent', 'dist', 'agent'),
  supervisorFolder: join(root, 'packages', 'agent', 'dist', 'supervisor'),
})

/** The options of the engine that the server's environment leads to. */
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
  /** The pause between inspections of a running container, whatever `wait` says. */
  pollMs: number
  /** When the engine is away for longer, the containers that we wait for count as lost. */
  lostMs: number
  /** A registry that is silent for so long counts as unreachable. */
  registrySilenceMs: number
}

/**
 * 15 s is the contract of `Engine`. A restart of dockerd takes seconds; a machine that wakes up, or a network that is
 * away, takes minutes. Sessions keep working meanwhile and keep their output, so giving one up sooner gains nothing. A
 * registry behind a firewall that drops packets is given up after 20 s.
 */
export const defaultBounds: Bounds = { callMs: 15_000, pollMs: 5_000, lostMs: 900_000, registrySilenceMs: 20_000 }

/** Labels on every container of ours; the first one names its server. */
export const label = {
  instance: 'beadloom.instance',
  execution: 'beadloom.execution',
  kind: 'beadloom.kind',
  project: 'beadloom.project',
  /** A hash of the settings that the container was made from. */
  spec: 'beadloom.spec',
  /** On the container that checks which limits act: its owner. */
  probe: 'beadloom.probe',
} as const
