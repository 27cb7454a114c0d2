import type { ExecutionId, ProjectId } from '@beadloom/core/ids.ts'
import type { SessionKind } from '@beadloom/core/execution/session.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import type { OwnedSandbox } from '../ports/sandbox.ts'
import type { ContainerRow } from '../ports/store/containers.ts'
import { AGENT } from './open-sandbox.ts'
import { lostWith } from './save-work.ts'

/** A container of ours with what is stored of it. `engine` null: the engine has it no more. */
export type KnownContainer = { row: ContainerRow; engine: OwnedSandbox | null }

/**
 * What is stored, compared with what the engine has. Afterwards the store knows every container of ours: one that it has
 * forgotten (made by an earlier version, or restored from a backup) is written down again, and one of an agent then
 * counts as unsaved. One that has disappeared is forgotten, and said where it may have held work.
 *
 * @param asked when the engine's list was asked for: a container that was written down later may not be in it yet
 */
export async function compareContainers(
  { store, log }: Pick<ExecutionDeps, 'store' | 'log'>,
  listed: readonly OwnedSandbox[],
  asked: number,
): Promise<KnownContainer[]> {
  const live = new Set<string>(store.liveExecutions().map(({ id }) => id))
  const ofEngine = new Map(listed.map((container) => [container.name, container]))
  const rows = new Map(store.containers().map((row) => [row.name, row]))
  for (const container of listed) {
    if (rows.has(container.name)) continue
    const row = await writeDown(store, container)
    if (row) rows.set(row.name, row)
  }
  const known: KnownContainer[] = []
  for (const row of rows.values()) {
    const engine = ofEngine.get(row.name) ?? null
    if (!live.has(row.execution) && row.state === 'held') await endHold(store, row)
    const needed = live.has(row.execution) && row.state === 'held'
    if (engine === null && row.createdAt < asked && !needed) await forget({ store, log }, row)
    else known.push({ row: store.container(row.name) ?? row, engine })
  }
  return known
}

/** Also where its execution is in no table (the database is that of a backup): then a person can still give it up. */
async function writeDown(store: ExecutionDeps['store'], container: OwnedSandbox): Promise<ContainerRow | null> {
  const { id, name, purpose } = container
  const execution = container.owner as ExecutionId
  const project = store.execution(execution)?.project ?? ('' as ProjectId)
  await store.addContainer({
    name,
    project,
    execution,
    purpose: purpose as SessionKind,
    keepsWork: purpose === AGENT.kind,
  })
  await store.containerCreated(name, id)
  return store.container(name)
}

/** Its execution has ended without a word about it: the server was killed in between. */
async function endHold(store: ExecutionDeps['store'], { name, keepsWork }: ContainerRow): Promise<void> {
  if (keepsWork)
    await store.keepContainer(name, 'the server stopped before it was known whether everything in it is saved.')
  else await store.releaseContainer(name)
}

async function forget(
  { store, log }: Pick<ExecutionDeps, 'store' | 'log'>,
  { name, execution, state, keepsWork }: ContainerRow,
) {
  await store.forgetContainer(name)
  if (state === 'removing' || !keepsWork) return
  const text = lostWith(name)
  log.warn({ execution }, text)
  if (store.execution(execution)) await store.addEvent(execution, null, 'warning', { text })
}
