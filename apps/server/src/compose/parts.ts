import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { InstanceId } from '@beadloom/core/ids.ts'
import { mergeIssues } from '../beads/jsonl/merge-issues.ts'
import { DockerEngine } from '../container/docker-engine.ts'
import { dockerOptions } from '../container/docker-options.ts'
import { readHostEnvironment } from '../container/host-environment.ts'
import { findNodeBinary } from '../container/node-binary.ts'
import { createGateway } from '../gateway/create-gateway.ts'
import type { GatewayLimits } from '../gateway/limits.ts'
import { upstreamsOf } from '../gateway/model-routing.ts'
import { createHub } from '../hub/hub.ts'
import type { Engine } from '../ports/engine.ts'
import type { Gateway } from '../ports/gateway.ts'
import type { Hub } from '../ports/hub.ts'
import type { Store } from '../ports/store.ts'
import { createRecorder, type RecorderParts } from '../recorder/create-recorder.ts'
import { openStore } from '../store/open-store.ts'
import { root, type Place } from './place.ts'

/** For tests alone: a model's limits that they can wait for, and an engine of their own. */
export type Overrides = {
  gatewayLimits?: Partial<GatewayLimits>
  engineOf?: (instance: InstanceId) => Engine
}

/** The leaves: what the rest of the server is made from. None of them knows another. */
export type Parts = {
  store: Store
  engine: Engine
  hub: Hub
  gateway: Gateway
  recording: RecorderParts
  database: { file: string; found: boolean }
}

export async function openParts(place: Place, { gatewayLimits = {}, engineOf }: Overrides): Promise<Parts> {
  const { settings, env, log, clock, random, teardown } = place
  await mkdir(settings.data, { recursive: true, mode: 0o700 })
  const file = join(settings.data, 'beadloom.db')
  const found = existsSync(file)
  const store = openStore(file, { clock, random, report: (error) => log.error({ error }, 'a listener failed') })
  teardown.add('store', () => store.close())
  const engine = engineOf?.(store.instance) ?? (await openEngine(place, store.instance))
  const hub = await createHub({
    folder: join(settings.data, 'hub'),
    gitHome: join(settings.data, 'git-home'),
    clock,
    env,
    mergeTracker: mergeIssues,
  })
  teardown.add('hub', hub.close)
  const gateway = createGateway({
    ...upstreamsOf(settings),
    scenariosFolder: settings.scenarios,
    clock,
    random,
    log,
    cooldowns: store,
    limits: gatewayLimits,
  })
  const recording = createRecorder({
    folder: join(settings.data, 'logs'),
    store,
    clock,
    report: (error) => log.error({ error }, 'the recorder failed'),
  })
  await recording.recoverLogs()
  teardown.add('recorder', recording.idle)
  return { store, engine, hub, gateway, recording, database: { file, found } }
}

async function openEngine({ settings, env, log, clock }: Place, instance: InstanceId): Promise<Engine> {
  const host = await readHostEnvironment(settings.caBundle ? { ...env, NODE_EXTRA_CA_CERTS: settings.caBundle } : env)
  for (const problem of host.problems) log.warn(problem)
  const nodeBinary = await findNodeBinary(process)
  return new DockerEngine(dockerOptions(settings, host, { instance, root, nodeBinary, clock }))
}
