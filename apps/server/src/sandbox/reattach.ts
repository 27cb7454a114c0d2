import type { Execution } from '@beadloom/core/records/execution.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import type { OwnedSandbox, Sandbox, SandboxState } from '../ports/sandbox.ts'
import type { ContainerRow } from '../ports/store/containers.ts'
import { AGENT } from './open-sandbox.ts'
import { isServiceOf, releaseServices, servicesOf } from './services/left-services.ts'

/** A session's sandbox, with a new link, or null when it is gone. `lost`: the reason, if the engine gives one. */
export type LeftSandbox = { sandbox: Sandbox | null; lost: string | null }

/** `others`: the sandboxes of other sessions that have begun, and of subtasks whose agents have a question. */
export type Reattached = LeftSandbox & { others: ReadonlyMap<SessionId, LeftSandbox> }

const STOPPED = 'the server stopped while it ran'
const NEVER_RAN = 'the server stopped before it started'

/**
 * Finds what is left of an execution that was RUNNING: its agent's container, which listens again, or null when none can
 * be continued, and the reason if it is known. Its other containers are removed, and their sessions end and are repeated.
 *
 * | the agent's container | its last session | what follows |
 * |---|---|---|
 * | runs | has begun | both continue; the session is adopted |
 * | has ended since the session began | has begun | the session is adopted: its log is read to the end, and it is judged |
 * | has ended before that | has begun | that start never happened: the session ends, the workspace is kept |
 * | any | has ended, also with a question of a subtask | the container is kept for the next session, stopped |
 * | was never started, or no session was ever in it | any | removed: there is nothing in it |
 * | gone | has begun | the session ends when the execution is resumed |
 */
export async function reattach(
  deps: ExecutionDeps,
  execution: Execution,
  owned: readonly OwnedSandbox[],
): Promise<Reattached> {
  const others = new Map([...(await beside(deps, execution, owned)), ...(await asking(deps, execution, owned))])
  const last = await reattachLast(deps, execution, owned, others)
  await releaseOthers(deps, execution, last.sandbox, others)
  return { ...last, others }
}

/** Releases services whose session is not continued. */
async function releaseOthers(
  deps: ExecutionDeps,
  { id }: Execution,
  sandbox: Sandbox | null,
  others: Reattached['others'],
): Promise<void> {
  const sessions = deps.store.sessions(id)
  const last = sessions.findLast(({ kind }) => kind === AGENT.kind)
  const continued = namesOf(others)
  if (sandbox && last && last.state !== 'ended' && !others.has(last.id)) continued.add(sandbox.name)
  for (const { name } of deps.store.containers(id))
    if (!continued.has(name)) await releaseServices(deps, id, name, STOPPED)
}

/**
 * Finds agents that worked side by side: each continues in its own sandbox. An agent that is not known to have begun is
 * repeated; its sandbox has no owner, and is removed. The one whose session began last is among them only if it works
 * on a subtask and is known to have begun.
 */
async function beside(
  deps: ExecutionDeps,
  execution: Execution,
  owned: readonly OwnedSandbox[],
): Promise<Reattached['others']> {
  const { store } = deps
  const agents = agentSessions(deps, execution)
  const others = new Map<SessionId, LeftSandbox>()
  const subtasks = subtasksOf(deps, execution)
  for (const session of agents) {
    const isLast = session === agents.at(-1)
    if (session.state === 'ended' || (isLast && (session.container === null || !subtasks.has(session.id)))) continue
    if (session.container === null) {
      await end(deps, session, NEVER_RAN)
      continue
    }
    const row = store.containers(execution.id).find(({ engineId }) => engineId === session.container)
    const found = await look(deps, row, owned)
    if (found.sandbox) await found.sandbox.listen()
    else if (row) await store.releaseContainer(row.name)
    others.set(session.id, { sandbox: found.sandbox, lost: found.lost })
  }
  return others
}

/** Finds agents of subtasks that ended their turn with a question: the answer continues them in their own sandboxes. */
async function asking(
  deps: ExecutionDeps,
  execution: Execution,
  owned: readonly OwnedSandbox[],
): Promise<Reattached['others']> {
  const { store } = deps
  const { id } = execution
  const subtasks = subtasksOf(deps, execution)
  const newest = new Map(agentSessions(deps, execution).map((one) => [one.container, one]))
  const found = new Map<SessionId, LeftSandbox>()
  for (const row of store.containers(id)) {
    const session = row.state === 'held' && row.engineId !== null ? newest.get(row.engineId) : undefined
    if (session?.outcome !== 'blocked' || !subtasks.has(session.id)) continue
    const { sandbox } = await look(deps, row, owned)
    if (sandbox && (await stopOrKeep(deps, sandbox))) {
      await sandbox.listen()
      found.set(session.id, { sandbox, lost: null })
    }
  }
  return found
}

async function reattachLast(
  deps: ExecutionDeps,
  execution: Execution,
  owned: readonly OwnedSandbox[],
  others: Reattached['others'],
): Promise<LeftSandbox> {
  const { store } = deps
  const continued = namesOf(others)
  const held = store.containers(execution.id).filter(({ state, name }) => state === 'held' && !continued.has(name))
  const agents = held.filter(({ purpose }) => purpose === AGENT.kind)
  const sessions = store.sessions(execution.id)
  const last = sessions.findLast(({ kind }) => kind === AGENT.kind)
  // If two were being opened, the later one may not exist, which says nothing about the other's session.
  const own =
    agents.find(({ engineId }) => engineId !== null && engineId === last?.container) ??
    agents.findLast(({ name }) => owned.some((one) => one.name === name)) ??
    agents.at(-1)
  const sandboxes = [...continued, ...(own ? [own.name] : [])]
  const isWanted = (row: ContainerRow) => row.name === own?.name || sandboxes.some((name) => isServiceOf(row, name))
  for (const row of held) if (!isWanted(row)) await store.releaseContainer(row.name) // the next sweep removes it
  const beside = new Set(sandboxes.flatMap((name) => servicesOf(deps, execution.id, name).map((row) => row.engineId)))
  for (const session of sessions)
    if (session.kind !== AGENT.kind && !(session.container !== null && beside.has(session.container)))
      await end(deps, session, STOPPED)

  const { sandbox: work, state, lost } = await look(deps, own, owned)
  const none: LeftSandbox = { sandbox: null, lost }
  if (!own) {
    if (last && last.container === null) await end(deps, last, NEVER_RAN)
    return none
  }
  if (!work) {
    await store.releaseContainer(own.name) // remains of it may have to be removed
    return none
  }
  if (!last || !wasUsed(work, state, sessions)) {
    if (last && !others.has(last.id)) await end(deps, last, NEVER_RAN)
    await store.releaseContainer(own.name)
    return none
  }
  const isOver = last.state === 'ended' || others.has(last.id)
  if (!isOver && isBefore(state, last)) await end(deps, last, NEVER_RAN)
  if (isOver && !(await stopOrKeep(deps, work))) return none
  await work.listen()
  return { sandbox: work, lost: null }
}

const agentSessions = ({ store }: ExecutionDeps, { id }: Execution): Session[] =>
  store.sessions(id).filter(({ kind }) => kind === AGENT.kind)

const subtasksOf = ({ store }: ExecutionDeps, { id }: Execution): Set<SessionId> =>
  new Set(store.phaseSessions(id).flatMap((one) => (one.role === 'subtask' ? [one.id] : [])))

type Found = { sandbox: Sandbox; state: SandboxState; lost: null } | { sandbox: null; state: null; lost: string | null }

/** Asks the engine for a container; even if it lists the container no more, it may know why. */
async function look(
  { engine }: ExecutionDeps,
  row: ContainerRow | undefined,
  owned: readonly OwnedSandbox[],
): Promise<Found> {
  const there = owned.find(({ name }) => name === row?.name)
  const id = there?.id ?? row?.engineId
  if (!row || !id) return { sandbox: null, state: null, lost: null }
  const sandbox = engine.sandbox({ id, name: row.name })
  const state = await sandbox.state()
  if (there && state.state !== 'gone') return { sandbox, state, lost: null }
  return { sandbox: null, state: null, lost: (state.state === 'gone' && state.why) || null }
}

const namesOf = (others: Reattached['others']): Set<string> =>
  new Set([...others.values()].flatMap(({ sandbox }) => (sandbox ? [sandbox.name] : [])))

/** False: it is kept for a person. A container that cannot be stopped must not keep the server from everything else. */
async function stopOrKeep({ store, log }: ExecutionDeps, sandbox: Sandbox): Promise<boolean> {
  try {
    await sandbox.stop(0)
    return true
  } catch (error) {
    log.warn({ error, container: sandbox.id }, 'a container of an earlier server could not be stopped')
    await store.keepContainer(sandbox.name, 'it could not be stopped after the server had started again.')
    return false
  }
}

/**
 * Whether an agent has been in it. A sandbox that waited for an execution has had a session, too, but not one of ours;
 * that there was none is only its own claim, unless it was never started.
 */
function wasUsed({ id }: Sandbox, state: SandboxState, sessions: readonly Session[]): boolean {
  if (state.state === 'created' && state.startedAt <= 0) return false
  if (sessions.some(({ container }) => container === id)) return true
  const last = sessions.findLast(({ kind }) => kind === AGENT.kind)
  return state.state !== 'created' && last?.state === 'starting' && !isBefore(state, last)
}

/** Whether the container's last run belonged to another session, and this one was to be started next. */
const isBefore = (state: SandboxState, session: Session): boolean =>
  state.state === 'exited' && session.state === 'starting' && state.exit.startedAt < session.startedAt

async function end({ store }: ExecutionDeps, session: Session, why: string): Promise<void> {
  if (session.state !== 'ended') await store.endSession(session.id, 'infra_error', null, why)
}
