import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { SessionKind } from '@beadloom/core/records/session.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import type { OwnedSandbox } from '../ports/sandbox.ts'
import type { ContainerRow } from '../ports/store/containers.ts'
import { AGENT } from './open-sandbox.ts'
import { lostWith } from './save-work.ts'

/** A stored container of ours. `engine` null: the engine does not have it any more. */
export type KnownContainer = { row: ContainerRow; engine: OwnedSandbox | null }

/** `listed`: every container of ours on the engine, without those of another engine on the same Docker. */
export type Compared = { known: KnownContainer[]; listed: OwnedSandbox[] }

/**
 * Compares the store with one engine. Afterwards the store knows every container of ours: one that it has forgotten
 * (made by an earlier version, or missing in a restored backup) is stored again, and then an agent's counts as unsaved.
 * A container that has disappeared is forgotten, with a warning if it may have held work; one that is stored while the
 * engine answers may not be in its list yet, and one that is forgotten meanwhile may still be in it.
 */
export async function compareContainers({
  store,
  log,
  engine: of,
}: Pick<ExecutionDeps, 'store' | 'log' | 'engine'>): Promise<Compared> {
  const stored = () => store.containers().filter(({ engine }) => engine === of.name)
  const before = new Set(stored().map(({ name }) => name))
  const owned = await of.owned()
  // A cluster's list contains those of the Docker that makes its images, too: each belongs to the engine that opened
  // it.
  const elsewhere = new Set(store.containers().flatMap(({ name, engine }) => (engine === of.name ? [] : [name])))
  const listed = owned.filter(({ name }) => !elsewhere.has(name))
  const live = new Set<string>(store.liveExecutions().map(({ id }) => id))
  const ofEngine = new Map(listed.map((container) => [container.name, container]))
  const rows = new Map(stored().map((row) => [row.name, row]))
  for (const container of listed) {
    if (rows.has(container.name) || before.has(container.name)) continue
    const row = await writeDown(store, container, of.name)
    if (row) rows.set(row.name, row)
  }
  const known: KnownContainer[] = []
  for (const row of rows.values()) {
    const engine = ofEngine.get(row.name) ?? null
    if (row.state === 'held' && !live.has(row.owner)) await endHold(store, row)
    const needed = isBeingOpened(row) || (row.state === 'held' && live.has(row.owner))
    if (engine === null && before.has(row.name) && !needed) await forget({ store, log }, row)
    else known.push({ row: store.container(row.name) ?? row, engine })
  }
  return { known, listed }
}

/** The execution that uses or used it; null: there was none, or it is in no table. */
export const executionOf = (
  store: Pick<ExecutionDeps['store'], 'execution'>,
  { owner }: Pick<ContainerRow, 'owner'>,
): Execution | null => (owner === null ? null : store.execution(owner))

/** Stores it even if its execution is in no table (a database from a backup): then a person can still give it up. */
async function writeDown(
  store: ExecutionDeps['store'],
  container: OwnedSandbox,
  engine: string,
): Promise<ContainerRow | null> {
  const { id, name, purpose } = container
  const owner = container.owner as ExecutionId | null
  const told = store.projects().find((one) => one.id === container.project)?.id
  const project = executionOf(store, { owner })?.project ?? told ?? ('' as ProjectId)
  await store.addContainer({
    name,
    engine,
    project,
    environment: null,
    purpose: purpose as SessionKind,
    keepsWork: purpose === AGENT.kind,
    owner,
  })
  await store.containerCreated(name, id)
  const row = store.container(name)
  if (row && owner === null) await endHold(store, row) // it was opened without an owner, and may have got one
  return store.container(name)
}

const isBeingOpened = ({ state, engineId }: ContainerRow): boolean => state === 'warm' && engineId === null

/** Ends the hold of an execution that ended without noting it: the server was killed in between. */
async function endHold(store: ExecutionDeps['store'], { name, keepsWork }: ContainerRow): Promise<void> {
  if (keepsWork)
    await store.keepContainer(name, 'the server stopped before it was known whether everything in it is saved.')
  else await store.releaseContainer(name)
}

async function forget({ store, log }: Pick<ExecutionDeps, 'store' | 'log'>, row: ContainerRow) {
  const { name, state, owner, keepsWork } = row
  await store.forgetContainer(name)
  if (state === 'warm' || state === 'removing' || !keepsWork) return
  const text = lostWith(name)
  log.warn({ execution: owner }, text)
  const execution = executionOf(store, row)
  if (execution) await store.addEvent(execution.id, null, 'warning', { text })
}
