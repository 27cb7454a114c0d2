import { join } from 'node:path'
import type { InstanceId } from '@beadloom/core/records/ids.ts'
import { LOCAL_ENGINE, usualEngineOf } from '@beadloom/core/records/engine-name.ts'
import { KubernetesContainers } from '../container/kubernetes/kubernetes-containers.ts'
import type { EngineMemory } from '../container/connection/engine-memory.ts'
import type { Containers } from '../container/containers.ts'
import { DockerContainers } from '../container/docker-containers.ts'
import { dockerOptions, type DockerEngineOptions } from '../container/docker-options.ts'
import { readHostEnvironment } from '../container/host-environment.ts'
import { findNodeBinary } from '../container/node-binary.ts'
import { SandboxEngine } from '../container/sandboxes/sandbox-engine.ts'
import type { Engine } from '../ports/engine.ts'
import type { Engines } from '../ports/engines.ts'
import { runtimeOf, slotsSharing, type EngineSettings } from '../process/settings/engine-settings.ts'
import { linkFolderIn, ownFolder } from '../process/link-folder.ts'
import { ownContainer } from '../process/own-container.ts'
import { root } from '../process/own-files.ts'
import type { OpenStore } from '../store/open-store.ts'
import { absentEngine } from './absent-engine.ts'
import type { Place } from './place.ts'

/** Opens `local` at once, and every other engine at its first use. */
export async function openEngines(
  place: Place,
  store: OpenStore,
  containersOf?: (instance: InstanceId) => Containers,
): Promise<Engines> {
  const { settings } = place
  const docker = containersOf === undefined ? await dockerFor(place, store) : null
  const local = containersOf?.(store.instance) ?? new DockerContainers(docker ?? never())
  const opened = new Map<string, Engine>([[LOCAL_ENGINE, await engineOver(place, store, LOCAL_ENGINE, local)]])
  for (const [name, how] of settings.engines) {
    const base = docker ?? (await dockerFor(place, store))
    opened.set(name, await engineOver(place, store, name, containersOn(place, name, how, local, base)))
  }
  return {
    names: [...opened.keys()],
    nameOf: (asked) => asked ?? usualEngineOf(settings.engine),
    of: (name) => {
      const engine = opened.get(name) ?? absentEngine(name)
      opened.set(name, engine)
      return engine
    },
  }
}

const never = (): never => {
  throw new Error('without containers of its own a server has Docker')
}

function containersOn(
  { clock, settings }: Place,
  name: string,
  how: EngineSettings,
  builder: Containers,
  docker: DockerEngineOptions,
): Containers {
  const { instance } = docker
  if ('kubernetes' in how)
    return new KubernetesContainers({ settings: how.kubernetes, instance, clock, builder, docker })
  const { memory: _memory, isAside: _isAside, slots: _slots, ...options } = docker // only `local` has those
  const slots = slotsSharing(name, settings)
  const runtime = runtimeOf(name, settings)
  const its = { dockerHost: how.docker, named: name, runtime, ...(slots !== null && { slots }) }
  return new DockerContainers({ ...options, ...its })
}

/** Each engine has folders of its own: while one is away, only it knows its sandboxes. */
async function engineOver(
  { settings, connections, clock, log }: Place,
  { instance }: OpenStore,
  name: string,
  containers: Containers,
): Promise<Engine> {
  const suffix = name === LOCAL_ENGINE ? '' : `-${name}`
  const links = {
    folder: await linkFolderIn(settings.data, instance, suffix),
    copies: await ownFolder(join(settings.data, `output${suffix}`)),
    bounds: { connections: connections.perContainer },
    clock,
    report: (error: unknown) => log.warn({ error }, 'the folder of a link could not be removed'),
  }
  return new SandboxEngine(containers, links, name)
}

async function dockerFor({ settings, env, log, clock }: Place, store: OpenStore): Promise<DockerEngineOptions> {
  const { instance, patient } = store
  const host = await readHostEnvironment(settings.caBundle ? { ...env, NODE_EXTRA_CA_CERTS: settings.caBundle } : env)
  for (const problem of host.problems) log.warn(problem)
  const nodeBinary = await findNodeBinary(process)
  const options = dockerOptions(settings, host, { env, instance, root, nodeBinary, clock })
  const noted = (error: unknown) => log.error({ error }, 'where containers are could not be stored')
  const isHere = ({ engineId, engine }: { engineId: string | null; engine: string }) =>
    engineId !== null && engine === LOCAL_ENGINE
  const memory: EngineMemory = {
    last: store.engine,
    isNeeded: () => store.containers().some(isHere),
    note: (engine) => void (async () => patient.rememberEngine(engine))().catch(noted),
  }
  const givenImages = join(settings.data, 'given-images')
  return { ...options, ownContainer: ownContainer().id, memory, givenImages }
}
