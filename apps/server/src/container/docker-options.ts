import { join } from 'node:path'
import type { InstanceId } from '@beadloom/core/ids.ts'
import type { Clock } from '../process/clock.ts'
import type { ServerSettings } from '../process/settings.ts'

/** Everything the adapter needs to know; it reads no environment of its own. */
export type DockerEngineOptions = {
  /** As in `DOCKER_HOST`: `unix:///path`, `tcp://host:port`, `http(s)://…`. Absent: the usual local socket. */
  dockerHost?: string | undefined
  /** As in `DOCKER_CERT_PATH`: a folder with ca.pem, cert.pem and key.pem, for `tcp://` with TLS. */
  dockerCertPath?: string | undefined
  instance: InstanceId
  /** The checkout's `docker/` folder. */
  dockerFolder: string
  /** The agent as one file. */
  agentBundle: string
  /** A Linux Node 24 for the containers (`findNodeBinary`). */
  nodeBinary: string
  /** Certificates that the host trusts, as PEM text (`readHostEnvironment`); null: nothing beyond an image's own. */
  caBundle: string | null
  /** `HTTP_PROXY` and its like (`readHostEnvironment`), for image builds and containers with network `bridge`. */
  proxy?: Record<string, string>
  clock: Clock
  bounds?: Partial<Bounds>
}

type Host = Pick<DockerEngineOptions, 'caBundle' | 'proxy'>

/** `root`: the folder that has `docker` and the agent's bundle. */
type Place = { instance: InstanceId; root: string; nodeBinary: string; clock: Clock }

/** The engine that the server's settings name. */
export const dockerOptions = (
  { dockerHost, dockerCertPath }: ServerSettings,
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
})

export type Bounds = {
  /** The longest that one quick call may take. */
  callMs: number
  /** How often a running container is looked at, whatever `wait` says. */
  pollMs: number
  /** An engine that is away for longer has lost the containers that we wait for. */
  lostMs: number
  /** A registry that says nothing for so long cannot be reached. */
  registrySilenceMs: number
}

/**
 * 15 s is the contract of `Engine`. A restart of dockerd takes seconds; two minutes leave room for an upgrade of the
 * package. A registry behind a firewall that drops packets is given up after 20 s.
 */
export const defaultBounds: Bounds = { callMs: 15_000, pollMs: 5_000, lostMs: 120_000, registrySilenceMs: 20_000 }

/** Every container of ours carries these; the first one says whose it is. */
export const label = {
  instance: 'beadloom.instance',
  execution: 'beadloom.execution',
  kind: 'beadloom.kind',
} as const
