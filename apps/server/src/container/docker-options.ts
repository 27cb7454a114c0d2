import { join } from 'node:path'
import type { InstanceId } from '@beadloom/core/ids.ts'
import type { Clock } from '../process/clock.ts'
import type { ServerSettings } from '../process/settings.ts'

/** Everything the adapter needs; it reads no environment variables itself. */
export type DockerEngineOptions = {
  /** As in `DOCKER_HOST`: `unix:///path`, `tcp://host:port`, `http(s)://…`. Absent: the usual local socket. */
  dockerHost?: string | undefined
  /** As in `DOCKER_CERT_PATH`: a folder with ca.pem, cert.pem and key.pem, for `tcp://` with TLS. */
  dockerCertPath?: string | undefined
  instance: InstanceId
  /** The checkout's `docker/` folder. */
  dockerFolder: string
  /** The agent, bundled into one file. */
  agentBundle: string
  /** A Linux Node 24 for the containers (`findNodeBinary`). */
  nodeBinary: string
  /** Extra certificates that the host trusts, as PEM text (`readHostEnvironment`); null: only an image's own. */
  caBundle: string | null
  /** `HTTP_PROXY` and its like (`readHostEnvironment`), for image builds and containers with network `bridge`. */
  proxy?: Record<string, string>
  clock: Clock
  /** How many containers share the host's memory; absent: one may have all of it. */
  slots?: number
  bounds?: Partial<Bounds>
  /** The id of the container that this server runs in (`ownContainer`); absent or null: in none. */
  ownContainer?: string | null
}

type Host = Pick<DockerEngineOptions, 'caBundle' | 'proxy'>

/** `root`: the folder that has `docker` and the agent's bundle. */
type Place = { instance: InstanceId; root: string; nodeBinary: string; clock: Clock }

/** The engine that the server's settings name. */
export const dockerOptions = (
  { dockerHost, dockerCertPath, slots }: ServerSettings,
  { caBundle, proxy }: Host,
  { instance, root, nodeBinary, clock }: Place,
): DockerEngineOptions => ({
  dockerHost: dockerHost ?? undefined,
  dockerCertPath: dockerCertPath ?? undefined,
  instance,
  dockerFolder: join(root, 'docker'),
  agentBundle: join(root, 'packages', 'agent', 'dist', 'agent.mjs'),
  nodeBinary,
  caBundle,
  proxy,
  clock,
  slots,
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
 * 15 s is the contract of `Engine`. A restart of dockerd takes seconds; two minutes leave room for an upgrade of the
 * package. A registry behind a firewall that drops packets is abandoned after 20 s.
 */
export const defaultBounds: Bounds = { callMs: 15_000, pollMs: 5_000, lostMs: 120_000, registrySilenceMs: 20_000 }

/** Labels on every container of ours; the first one says which server it belongs to. */
export const label = {
  instance: 'beadloom.instance',
  execution: 'beadloom.execution',
  kind: 'beadloom.kind',
  /** A hash of the settings that the container was made from. */
  spec: 'beadloom.spec',
} as const
