import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { ContainerRow, ContainerStanding, ContainerStore } from '../ports/store/containers.ts'
import type { Writing } from './database/writer.ts'
import { isKnown, oddText } from './odd-rows.ts'

type Same = Omit<ContainerRow, 'engineId' | 'keepsWork' | 'createdAt' | 'nextTryAt' | keyof ContainerStanding>
type Row = Same & {
  state: ContainerStanding['state']
  owner: ExecutionId | null
  engine_id: string | null
  keeps_work: 0 | 1
  created_at: number
  next_try_at: number | null
}

/**
 * The table's own check says which owner goes with which state. A container with an unknown state is kept: there may be
 * work in it, and people see kept ones.
 */
const toContainer = ({ engine_id, keeps_work, created_at, next_try_at, state, owner, ...row }: Row): ContainerRow => ({
  ...row,
  ...(isKnown('container.state', state)
    ? ({ state, owner } as ContainerStanding)
    : { state: 'kept', owner, why: oddText('container.state', state) }),
  engineId: engine_id,
  keepsWork: keeps_work === 1,
  createdAt: created_at,
  nextTryAt: next_try_at,
})

export function containerStore({ db, clock, write, changed }: Writing): ContainerStore {
  const put = db.prepare(
    `REPLACE INTO container (name, engine, project, environment, purpose, owner, keeps_work, state, created_at, since)
     VALUES (@name, @engine, @project, @environment, @purpose, @owner, @keepsWork, iif(@owner IS NULL, 'warm', 'held'), @at, @at)`,
  )
  const created = db.prepare<[string, string]>('UPDATE container SET engine_id = ? WHERE name = ?')
  const take = db.prepare<[string, number, string]>(
    `UPDATE container SET state = 'held', owner = ?, since = ? WHERE name = ? AND state = 'warm'`,
  )
  const keep = db.prepare(
    `UPDATE container SET state = 'kept', since = @at, why = @why, tries = 0, next_try_at = @at
     WHERE name = @name AND state <> 'kept'`,
  )
  const tried = db.prepare(
    `UPDATE container SET why = @why, bytes = coalesce(@bytes, bytes), tries = tries + 1, next_try_at = @nextTryAt
     WHERE name = @name`,
  )
  const release = db.prepare<[number, string]>(
    `UPDATE container SET state = 'removing', since = ? WHERE name = ? AND state <> 'removing'`,
  )
  const forget = db.prepare<[string]>('DELETE FROM container WHERE name = ?')
  const select = db.prepare<[string], Row>('SELECT * FROM container WHERE name = ?')
  const selectOf = db.prepare<[string], Row>('SELECT * FROM container WHERE owner = ? ORDER BY created_at, name')
  const selectAll = db.prepare<[], Row>('SELECT * FROM container ORDER BY created_at, name')

  /** Only a kept one is shown to people. */
  const changing = (name: string, act: () => void) =>
    write(() => {
      const before = select.get(name)
      act()
      const row = select.get(name) ?? before
      if (!row || (row.state !== 'kept' && before?.state !== 'kept')) return
      if (row.owner !== null) changed('execution', row.project, row.owner)
      changed('status', '', 'server')
    })

  const containers = (owner?: ExecutionId) =>
    (owner === undefined ? selectAll.all() : selectOf.all(owner)).map(toContainer)

  return {
    addContainer: ({ keepsWork, ...container }) =>
      write(() => void put.run({ ...container, keepsWork: keepsWork ? 1 : 0, at: clock.now() })),
    containerCreated: (name, engineId) => write(() => void created.run(engineId, name)),
    takeContainer: (name, owner) => write(() => take.run(owner, clock.now(), name).changes === 1),
    keepContainer: (name, why) => changing(name, () => keep.run({ name, why, at: clock.now() })),
    noteSaveTry: (name, { why, bytes, nextTryAt }) => changing(name, () => tried.run({ name, why, bytes, nextTryAt })),
    releaseContainer: (name) => changing(name, () => release.run(clock.now(), name)),
    forgetContainer: (name) => changing(name, () => forget.run(name)),
    container: (name) => {
      const row = select.get(name)
      return row ? toContainer(row) : null
    },
    containers,
    keptContainers: (owner) => containers(owner).filter(({ state }) => state === 'kept'),
  }
}
