import type { GitOrder, Work } from '@beadloom/core/execution/session-order.ts'
import type { SessionKind } from '@beadloom/core/records/session.ts'
import { executionOf, numberOf, type ExecutionId, type ProjectId, type SessionId } from '@beadloom/core/records/ids.ts'
import type { ServiceSettings } from '@beadloom/core/environment/service-settings.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ExecutionDeps } from '../../execution/deps.ts'
import type { EnvironmentId, Sandbox } from '../../ports/sandbox.ts'
import type { HeardEvent } from '../../ports/recorder.ts'
import { within } from '../../process/within.ts'
import { openServices } from '../services/open-services.ts'
import { recordsApart } from '../services/service-records.ts'
import { judgeSession } from '../judge-session.ts'
import { closeSandbox, openNoted } from '../open-sandbox.ts'
import type { SessionFacts } from '../session-plan.ts'
import { proxied, wayOut } from '../ways-out.ts'
import { startApart } from './start-apart.ts'

/** After the end, the last output may still be on the way. */
const DRAIN_MS = 60_000

/** `recorder`: a recorder that needs no rows of sessions. */
export type ApartDeps = Pick<ExecutionDeps, 'engine' | 'store' | 'hub' | 'egress' | 'recorder' | 'clock' | 'log'>

/** A session that belongs to a project, and to no execution of it. */
export type ApartSession = {
  id: SessionId
  project: ProjectId
  settings: Pick<ProjectSettings, 'limits' | 'env' | 'setup' | 'allow' | 'sealed'>
  /** The services beside it; their records have the numbers after its own. */
  services?: readonly ServiceSettings[]
  kind: SessionKind
  /** The container's name. */
  name: string
  environment: EnvironmentId
  network: 'none' | 'bridge'
  git: GitOrder
  work: Work
  /** Ends it, with its sandbox: the promise then rejects. */
  signal: AbortSignal
  onEvent?: (event: HeardEvent) => void
  /** Resolves when more may come; null: it may come now. */
  room?: () => Promise<void> | null
  /** Lines for people. */
  onProgress?: (line: string) => void
}

/**
 * Runs the session in a sandbox of its own, which may only read the hub. `then` gets the sandbox before it is closed.
 * Unlike an execution's sandbox it outlives no server: the next server removes it.
 */
export async function runApart<T>(
  deps: ApartDeps,
  session: ApartSession,
  then: (facts: SessionFacts, sandbox: Sandbox, troubles: readonly string[]) => Promise<T>,
): Promise<T> {
  return inSandbox(deps, session, async (sandbox) => {
    const { services = [] } = session
    const beside = services.length === 0 ? null : await servicesOf(deps, session, sandbox)
    try {
      const facts = await factsOf(deps, session, sandbox)
      return await then(facts, sandbox, beside?.troubles ?? [])
    } finally {
      await beside?.close()
    }
  })
}

/** Opens only its services, until all are ready: rejects like `runApart` when one does not become ready. */
export const tryServices = (deps: ApartDeps, session: Around): Promise<void> =>
  inSandbox(deps, session, async (sandbox) => (await servicesOf(deps, session, sandbox)).close())

/** The surroundings of a session. */
type Around = Omit<ApartSession, 'git' | 'work' | 'onEvent' | 'room'>

async function inSandbox<T>(deps: ApartDeps, around: Around, then: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const { name, environment, network, project, kind: purpose, settings, services = [], signal } = around
  const { cpus, memoryBytes, processes } = settings.limits
  const hosts = services.map((service) => service.name)
  const spec = { name, environment, network, hosts, cpus, memoryBytes, processes }
  signal.throwIfAborted()
  const onWait = (why: string | null) => why !== null && around.onProgress?.(`Waiting for room: ${why}`)
  const patience = { clock: deps.clock, signal, onWait }
  const { sandbox } = await openNoted(deps, { ...spec, owner: null, purpose, project, keepsWork: false }, patience)
  try {
    return await then(sandbox)
  } finally {
    await closeSandbox({ deps }, sandbox)
  }
}

const servicesOf = (
  deps: ApartDeps,
  { id, project, services = [], signal, onProgress = () => {} }: Around,
  sandbox: Sandbox,
) => {
  const records = recordsApart(executionOf(id), numberOf(id) + 1)
  return openServices(deps, sandbox, { project, owner: null, services, records, onProgress, signal })
}

async function factsOf(deps: ApartDeps, session: ApartSession, sandbox: Sandbox): Promise<SessionFacts> {
  const { egress, recorder, clock } = deps
  const { id, project, settings, work, signal, onEvent, room } = session
  signal.throwIfAborted()
  const order = proxied(settings, work)
  const out = wayOut(egress, order, { project, owner: executionOf(id), allow: settings.allow })
  const running = await startApart(deps, sandbox, { ...session, proxied: order, out })
  const record = recorder.record(id, running.output, {
    onEvent: (event) => onEvent?.(event),
    onActivity: () => {},
    whileOurs: (wait) => wait(),
    ...(room && { room }),
  })
  record.catch(() => {}) // awaited below, unless the session is given up before
  try {
    const exit = await running.ended(signal)
    const recorded = await within(
      clock,
      DRAIN_MS,
      () => running.output.close(),
      () => record,
    )
    signal.throwIfAborted()
    const { outcome, detail, cause } = judgeSession({ exit, recorded, stopped: null, speaks: false })
    const { reason = null, exitCode = null } = recorded.result ?? {}
    return { id, outcome, detail, reason, exitCode, exit, recorded, blocked: null, cause }
  } finally {
    running.close()
    running.output.close()
    await out.egress?.close()
    await record.catch(() => {})
  }
}

/** The name of a container that belongs to a project itself. */
export const apartName = (id: ExecutionId, serial: string): string =>
  `beadloom-base-${id.slice('ex-'.length)}-${serial}`
