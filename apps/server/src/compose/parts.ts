import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Memory } from '@beadloom/core/dispatch/warm-changes.ts'
import type { InstanceId } from '@beadloom/core/records/ids.ts'
import { createAside } from '../aside/create-aside.ts'
import type { Containers } from '../container/containers.ts'
import { createEgress, type EgressOptions } from '../egress/create-egress.ts'
import { createGateway } from '../gateway/create-gateway.ts'
import type { GatewayBounds } from '../gateway/bounds.ts'
import { upstreamsOf } from '../gateway/model-routing.ts'
import { createHub } from '../hub/hub.ts'
import type { Aside } from '../ports/aside.ts'
import type { Egress } from '../ports/egress.ts'
import type { Engines } from '../ports/engines.ts'
import type { Gateway } from '../ports/gateway.ts'
import type { Hub } from '../ports/hub.ts'
import { StoreError } from '../ports/store/errors.ts'
import type { PatientStore } from '../ports/store/patient.ts'
import type { Store } from '../ports/store.ts'
import { apartRecords, type ApartRecords } from './apart-records.ts'
import { createRecorder, type RecorderParts } from '../recorder/create-recorder.ts'
import { openStore, type OpenStore } from '../store/open-store.ts'
import { openEngines } from './engines.ts'
import type { Place } from './place.ts'

/** For tests alone: limits short enough to wait for, and containers of their own. */
export type Overrides = {
  gatewayBounds?: Partial<GatewayBounds>
  /** The names and addresses of a test's own world. */
  egress?: Pick<EgressOptions, 'resolve' | 'isPublic' | 'bounds'>
  blockedGraceMs?: number
  containersOf?: (instance: InstanceId) => Containers
  /** The machine's memory, for sandboxes that are opened ahead. */
  memory?: () => Memory
  /** The time between two looks at sandboxes that are opened ahead. */
  warmLookMs?: number
}

/** The leaves, which the rest of the server is built on. None of them knows another. */
export type Parts = {
  /** For callers that get an answer at once, with a refusal if the database cannot be written. */
  store: Store
  /** For everything that works by itself, and so can wait. */
  patient: PatientStore
  engines: Engines
  hub: Hub
  gateway: Gateway
  egress: Egress
  aside: Aside
  recording: RecorderParts & { apart: ApartRecords }
  database: { file: string; found: boolean }
}

const OPEN_AGAIN_MS = 2_000

export async function openParts(
  place: Place,
  { gatewayBounds = {}, containersOf, egress: outside = {} }: Overrides,
): Promise<Parts> {
  const { settings, env, log, clock, random, teardown } = place
  await mkdir(settings.data, { recursive: true, mode: 0o700 })
  const file = join(settings.data, 'beadloom.db')
  const found = existsSync(file)
  const store = await openWhenFree(place, file)
  const { patient } = store
  teardown.add('store', () => store.close())
  const engines = await openEngines(place, store, containersOf)
  const aside = createAside({ clock })
  teardown.add('threads aside', aside.close)
  const hub = await createHub({
    folder: join(settings.data, 'hub'),
    gitHome: join(settings.data, 'git-home'),
    clock,
    env,
    signing: settings.signing,
    mergeTracker: aside.issues.merge,
  })
  teardown.add('hub', hub.close)
  const projects = new Set<string>(store.projects().map(({ id }) => id))
  await hub.dropUnsettled((id) => projects.has(id))
  const gateway = createGateway({
    ...upstreamsOf(settings),
    scenariosFolder: settings.scenarios,
    clock,
    random,
    log,
    hostedTools: settings.models.hostedTools,
    cooldowns: patient,
    bounds: gatewayBounds,
  })
  const egress = createEgress({
    store: patient,
    clock,
    report: (error) => log.error({ error }, 'what a sandbox reached outside could not be stored'),
    ...outside,
  })
  teardown.add('egress', () => egress.close())
  const recording = createRecorder({
    folder: join(settings.data, 'logs'),
    store: patient,
    clock,
    report: (error) => log.error({ error }, 'the recorder failed'),
  })
  const apart = apartRecords(place)
  await recording.recoverLogs()
  teardown.add('recorder', recording.idle)
  return {
    store,
    patient,
    engines,
    hub,
    gateway,
    egress,
    aside,
    recording: { ...recording, apart },
    database: { file, found },
  }
}

/**
 * Waits while somebody, such as a backup tool, holds the database's lock: only a person can decide what to do about it.
 */
async function openWhenFree({ clock, random, log, stopping }: Place, file: string): Promise<OpenStore> {
  const report = (error: unknown) => log.error({ error }, 'a part of the store failed')
  for (;;) {
    try {
      return openStore(file, { clock, random, report })
    } catch (error) {
      if (!(error instanceof StoreError) || error.kind !== 'busy' || stopping.aborted) throw error
      log.warn(`${error.message}; waiting until it is free`)
      await clock.sleep(OPEN_AGAIN_MS, stopping)
    }
  }
}
