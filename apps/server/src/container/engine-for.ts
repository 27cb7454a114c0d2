import { join } from 'node:path'
import type { Clock } from '../process/clock.ts'
import type { ServerSettings } from '../process/settings.ts'
import { DockerEngine } from './docker-engine.ts'
import type { DockerEngineOptions } from './docker-options.ts'

type Host = Pick<DockerEngineOptions, 'caBundle' | 'proxy'>

/** `root`: the folder that has `docker` and the agent's bundle. */
type Place = { instance: DockerEngineOptions['instance']; root: string; nodeBinary: string; clock: Clock }

/** The engine that the server's settings name. */
export const engineFor = (
  { dockerHost, dockerCertPath }: ServerSettings,
  { caBundle, proxy }: Host,
  { instance, root, nodeBinary, clock }: Place,
): DockerEngine =>
  new DockerEngine({
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
