import type { Bead } from '@beadloom/core/records/bead.ts'
import type { Execution, ExecutionState } from '@beadloom/core/records/execution.ts'
import { followUpBody, followUpIds } from '@beadloom/core/bead/follow-up.ts'
import type { FollowUp, FollowUpKind } from '@beadloom/core/bead/follow-up.ts'
import type { BeadId, ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { BeadStore, FollowUpRow, FollowUpStore, TrackedBead } from '../../ports/store/beads.ts'
import { StoreError } from '../../ports/store/errors.ts'
import type { ExecutionStore } from '../../ports/store/executions.ts'
import type { VerificationStore } from '../../ports/store/verifications.ts'
import type { Writing } from '../database/writer.ts'

type Target = { target: BeadId }
/** `live`: its own live execution, if any. */
type Filed = Target & { reminds: string | null; live: ExecutionId | null; state: ExecutionState | null }

/** An execution starts: reminders of its bead are closed, because the start is their answer. In a transaction. */
export type Answering = { answerReminders: (execution: Pick<Execution, 'id' | 'project' | 'bead'>) => void }

/** More sections than a description ever shows; older rows are kept for the links. */
const SECTIONS_READ = 50

type Others = Pick<BeadStore, 'bead' | 'addBead' | 'moveBead'> &
  Pick<ExecutionStore, 'execution' | 'endExecution'> &
  Pick<VerificationStore, 'addRetry'>

/** Beads that Beadloom files because of how executions ended, and the failures listed in each of them. */
export function followUpStore(writing: Writing, store: Others): FollowUpStore & Answering {
  const doors = doorsOf(writing, store)
  const ofExecution = writing.db.prepare<[string], FollowUpRow>(
    `SELECT target AS bead, follow_up.kind, bead.title, bead.status
     FROM follow_up_entry AS entry JOIN follow_up USING (project, target)
       JOIN execution ON execution.id = entry.execution
       JOIN bead ON bead.project = follow_up.project AND bead.id = target
     WHERE entry.execution = ? AND target <> execution.bead`,
  )
  return {
    ...filing(writing, store, doors),
    ...ending(writing, store, doors),
    followUpsOf: (execution) => ofExecution.all(execution),
  }
}

type Doors = ReturnType<typeof doorsOf>

/** Closes a follow-up with an execution, and opens it again. */
function doorsOf({ db }: Writing, store: Others) {
  const setClosed = db.prepare<[string | null, string, string]>(
    'UPDATE follow_up SET closed_with = ? WHERE project = ? AND target = ?',
  )
  return {
    close: ({ id, project }: Pick<Execution, 'id' | 'project'>, target: BeadId) => {
      setClosed.run(id, project, target)
      store.moveBead(project, target, { type: 'closed' })
    },
    openAgain: (project: ProjectId, target: BeadId) => {
      setClosed.run(null, project, target)
      if (store.bead(project, target)?.status === 'done') store.moveBead(project, target, { type: 'reopened' })
    },
  }
}

/** Files a failure: as a bead, or as an entry in the one that is not done. */
function filing(
  { db, clock, write, changed, event }: Writing,
  store: Others,
  { openAgain }: Doors,
): Pick<FollowUpStore, 'fileFollowUp'> {
  const entryOf = db.prepare<[string], Target>('SELECT target FROM follow_up_entry WHERE execution = ?')
  const itself = db.prepare<[string, string], Target & { head: string }>(
    'SELECT target, head FROM follow_up WHERE project = ? AND target = ?',
  )
  // A reminder that its bead's next start has closed opens again when that ends in the same way.
  const openOne = db.prepare<[string, string, FollowUpKind], Target>(
    `SELECT target FROM follow_up JOIN bead ON bead.project = follow_up.project AND bead.id = target
     WHERE follow_up.project = ? AND follow_up.bead = ? AND kind = ? AND bead.gone = 0
       AND (bead.status <> 'done' OR (closed_with IS NOT NULL AND reminds IS NOT NULL))
     ORDER BY bead.status = 'done', bead.created_at DESC LIMIT 1`,
  )
  const insert = db.prepare<[string, string, FollowUpKind, string, string]>(
    'INSERT INTO follow_up (project, bead, kind, target, head) VALUES (?, ?, ?, ?, ?)',
  )
  const setHead = db.prepare<[string, string, string]>('UPDATE follow_up SET head = ? WHERE project = ? AND target = ?')
  const addEntry = db.prepare<[string, string, string, number, string]>(
    'INSERT INTO follow_up_entry (execution, project, target, at, section) VALUES (?, ?, ?, ?, ?)',
  )
  const sections = db.prepare<[string, string], { section: string }>(
    `SELECT section FROM follow_up_entry WHERE project = ? AND target = ?
     ORDER BY at DESC, execution LIMIT ${SECTIONS_READ}`,
  )
  // The fingerprint is kept: it covers the tracker's last known text, and this text is ours.
  const rewrite = db.prepare<[string, string, string | null, number, number, string, string]>(
    `UPDATE bead SET description = ?, labels = ?, base_branch = coalesce(base_branch, ?), updated_at = ?,
       reminds = CASE WHEN ? THEN reminds END
     WHERE project = ? AND id = ?`,
  )

  const fileNew = (execution: Execution, followUp: FollowUp): BeadId => {
    const { id, project, bead } = execution
    for (const target of followUpIds(bead, id)) {
      if (store.bead(project, target)) continue
      const description = followUpBody(followUp.head, [followUp.section])
      store.addBead(newBead(execution, target, followUp, description, clock.now()))
      insert.run(project, bead, followUp.kind, target, followUp.head)
      return target
    }
    throw new Error('unreachable: there is always another id')
  }

  const rewriteBead = (project: ProjectId, bead: Bead, head: string, followUp: FollowUp, own: boolean) => {
    const all = sections.all(project, bead.id).map(({ section }) => section)
    const labels = JSON.stringify([...new Set([...bead.labels, ...followUp.labels])])
    const baseBranch = own ? null : followUp.baseBranch
    const still = own || followUp.reminder ? 1 : 0 // work other than a question makes it a bead of work
    rewrite.run(followUpBody(head, all), labels, baseBranch, clock.now(), still, project, bead.id)
    changed('bead', project, bead.id)
  }

  return {
    fileFollowUp: (id, followUp) =>
      write(() => {
        const execution = store.execution(id)
        if (!execution) throw new StoreError('missing', `there is no execution ${id}`)
        if (entryOf.get(id)) return null
        const { project, bead: original } = execution
        const own = itself.get(project, original)
        const known = own ?? openOne.get(project, original, followUp.kind)
        const target = known?.target ?? fileNew(execution, followUp)
        addEntry.run(id, project, target, clock.now(), followUp.section)
        const bead = known && store.bead(project, target)
        if (bead) {
          if (bead.status === 'done') openAgain(project, target)
          if (!own) setHead.run(followUp.head, project, target)
          rewriteBead(project, bead, own?.head ?? followUp.head, followUp, own !== undefined)
        }
        store.addRetry(id, 'follow_up', followUp.kind)
        const filed = known ? 'entry' : 'bead'
        const data = { bead: target, kind: followUp.kind, filed }
        event({ execution: id, session: null, type: 'follow_up', data, line: null, at: clock.now() })
        changed('execution', project, id)
        return { bead: target, filed }
      }),
  }
}

/** Brings follow-ups in line with the start and the end of executions. */
function ending(
  { db, write }: Writing,
  store: Others,
  { close, openAgain }: Doors,
): Pick<FollowUpStore, 'endFollowUps'> & Answering {
  const filedFor = db.prepare<[string, string], Filed>(
    `SELECT target, reminds, live.id AS live, live.state FROM follow_up
       JOIN bead ON bead.project = follow_up.project AND bead.id = target
       LEFT JOIN execution AS live ON live.project = follow_up.project AND live.bead = target
         AND live.kind = 'work' AND live.ended_at IS NULL
     WHERE follow_up.project = ? AND follow_up.bead = ? AND bead.status <> 'done' AND bead.gone = 0`,
  )
  const originCompleted = db.prepare<[string, string, number], { id: ExecutionId }>(
    `SELECT origin.id FROM follow_up
       JOIN bead ON bead.project = follow_up.project AND bead.id = follow_up.bead
       JOIN execution AS origin ON origin.project = follow_up.project AND origin.bead = follow_up.bead
     WHERE follow_up.project = ? AND target = ? AND bead.status = 'done'
       AND origin.kind = 'work' AND origin.state = 'COMPLETED' AND origin.ended_at >= ?
     ORDER BY origin.ended_at DESC LIMIT 1`,
  )
  const closedBy = db.prepare<[string], Target>('SELECT target FROM follow_up WHERE closed_with = ?')

  /** Closes all follow-ups of a completed bead, except running ones. Returns the queued executions that end. */
  const closeAll = (execution: Execution): ExecutionId[] => {
    const ended: ExecutionId[] = []
    for (const { target, live, state } of filedFor.all(execution.project, execution.bead)) {
      if (state === 'RUNNING') continue
      if (live !== null) {
        const detail = `${execution.bead} was completed before it started, so there is nothing left to do.`
        store.endExecution(live, { state: 'CANCELLED', detail })
        ended.push(live)
      }
      close(execution, target)
    }
    return ended
  }

  return {
    answerReminders: (execution) => {
      for (const { target, reminds, live } of filedFor.all(execution.project, execution.bead))
        if (reminds === execution.bead && live === null) close(execution, target)
    },

    endFollowUps: (id) =>
      write(() => {
        const execution = store.execution(id)
        if (!execution || execution.kind !== 'work') return []
        const { project, bead, state } = execution
        if (state === 'CANCELLED') for (const { target } of closedBy.all(id)) openAgain(project, target)
        const isDone = () => store.bead(project, bead)?.status === 'done'
        const origin = isDone() ? undefined : originCompleted.get(project, bead, execution.queuedAt)
        if (origin) close({ id: origin.id, project }, bead)
        return state === 'COMPLETED' && isDone() ? closeAll(execution) : []
      }),
  }
}

function newBead(
  { project, bead: original }: Execution,
  id: BeadId,
  followUp: FollowUp,
  description: string,
  now: number,
): TrackedBead {
  const { title, priority, type, labels, dependencies, baseBranch, reminder } = followUp
  return {
    project,
    id,
    title,
    description,
    status: 'open',
    trackerStatus: 'open',
    priority,
    type,
    labels,
    dependencies,
    createdAt: now,
    updatedAt: now,
    deferUntil: null,
    pinned: false,
    ephemeral: false,
    template: false,
    ...(baseBranch === null ? {} : { baseBranch }),
    filedFor: original,
    ...(reminder ? { reminds: original } : {}),
    raw: null,
  }
}
