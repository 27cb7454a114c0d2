import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { PhaseSession, Round } from '@beadloom/core/plan/phase-step.ts'
import type { DonePhase, PhaseStore, StoredPhase } from '../../ports/store/phases.ts'
import type { SessionStore } from '../../ports/store/sessions.ts'
import { phaseWaits } from './phase-waits.ts'
import type { Writing } from '../database/writer.ts'

type PhaseColumns = {
  execution: ExecutionId
  number: number
  pre_commit: string
  commit_id: string | null
  summary: string
  from_execution: ExecutionId | null
  started_at: number
  ended_at: number | null
}

type RoundColumns = {
  number: number
  phase: number
  phase_attempt: number
  kind: Round['kind']
  commit_id: string | null
  empty: number
  conflict: string | null
}

type Tools = ReturnType<typeof toolsOf>

export function phaseStore(writing: Writing, { sessions }: Pick<SessionStore, 'sessions'>): PhaseStore {
  const tools = toolsOf(writing)
  return {
    ...phaseWaits(writing),
    ...phasesIn(writing, tools),
    ...roundsIn(writing, tools),
    ...subtasksIn(writing, tools, sessions),
  }
}

function toolsOf({ db, clock, changed }: Writing) {
  const projectOf = db.prepare<[string], { project: ProjectId }>('SELECT project FROM execution WHERE id = ?')
  return {
    tell: (execution: ExecutionId): void => {
      const row = projectOf.get(execution)
      if (row) changed('execution', row.project, execution)
    },
    about: (execution: ExecutionId) => ({ execution, session: null, line: null, at: clock.now() }),
  }
}

type Phases = 'phases' | 'beginPhase' | 'takePhase' | 'donePhase' | 'approvePhase'

function phasesIn({ db, clock, write, event }: Writing, { tell, about }: Tools): Pick<PhaseStore, Phases> {
  const selectPhases = db.prepare<[string], PhaseColumns>('SELECT * FROM phase WHERE execution = ? ORDER BY number')
  const insertPhase = db.prepare<[Omit<PhaseColumns, 'ended_at'> & { ended_at: number | null }]>(
    `INSERT INTO phase (execution, number, pre_commit, commit_id, summary, from_execution, started_at, ended_at)
     VALUES (@execution, @number, @pre_commit, @commit_id, @summary, @from_execution, @started_at, @ended_at)
     ON CONFLICT DO NOTHING`,
  )
  const approve = db.prepare<[string, string, number, string, number]>(
    `UPDATE phase SET commit_id = ?, summary = ?, ended_at = ? WHERE execution = ? AND number = ? AND commit_id IS NULL`,
  )
  const done = db.prepare<[string, string, number, number], PhaseColumns>(
    `SELECT phase.* FROM phase JOIN execution ON id = phase.execution
     WHERE project = ? AND bead = ? AND plan_version = ? AND number = ? AND commit_id IS NOT NULL
     ORDER BY queued_at DESC LIMIT 1`,
  )
  const begin = (execution: ExecutionId, number: number, pre_commit: string, of: DonePhase | null): boolean => {
    const now = clock.now()
    const commit_id = of?.commit ?? null
    const rest = { summary: of?.summary ?? '', from_execution: of?.execution ?? null, started_at: now }
    const { changes } = insertPhase.run({
      execution,
      number,
      pre_commit,
      commit_id,
      ...rest,
      ended_at: of ? now : null,
    })
    tell(execution)
    return changes > 0
  }

  return {
    phases: (execution) => selectPhases.all(execution).map(toPhase),
    beginPhase: (execution, number, commit, of) =>
      write(() => {
        if (begin(execution, number, commit, null))
          event({ ...about(execution), type: 'phase_started', data: { phase: number, of, commit } })
      }),
    takePhase: (execution, phase) => write(() => void begin(execution, phase.number, phase.preCommit, phase)),
    donePhase: (project, bead, version, number) => {
      const row = done.get(project, bead, version, number)
      if (!row || row.commit_id === null) return null
      const { pre_commit: preCommit, commit_id: commit, summary, from_execution: from } = row
      return { number, preCommit, commit, summary, execution: from ?? row.execution }
    },
    approvePhase: (execution, { number, of, commit, summary }) =>
      write(() => {
        if (approve.run(commit, summary, clock.now(), execution, number).changes > 0)
          event({ ...about(execution), type: 'phase_completed', data: { phase: number, of, commit } })
        tell(execution)
      }),
  }
}

type Rounds = 'rounds' | 'beginRound' | 'endRound' | 'noteConflict'

/** The attempts of a phase. */
function roundsIn({ db, clock, write }: Writing, { tell }: Tools): Pick<PhaseStore, Rounds> {
  const selectRounds = db.prepare<[string], RoundColumns>(
    'SELECT * FROM phase_round WHERE execution = ? ORDER BY number',
  )
  const insertRound = db.prepare<[string, number, number, number, string, number]>(
    `INSERT INTO phase_round (execution, number, phase, phase_attempt, kind, started_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
  )
  const endRound = db.prepare<[string | null, number, string, number]>(
    'UPDATE phase_round SET commit_id = ?, empty = ? WHERE execution = ? AND number = ?',
  )
  const conflictOf = db.prepare<[string, string, number]>(
    'UPDATE phase_round SET conflict = ? WHERE execution = ? AND number = ?',
  )
  return {
    rounds: (execution) =>
      selectRounds
        .all(execution)
        .map(({ number, phase, phase_attempt: attempt, kind, commit_id: commit, empty, conflict }) => ({
          number,
          phase,
          attempt,
          kind,
          commit,
          empty: empty === 1,
          conflict,
        })),
    beginRound: (execution, { number, phase, attempt, kind }) =>
      write(() => {
        insertRound.run(execution, number, phase, attempt, kind, clock.now())
        tell(execution)
      }),
    endRound: (execution, number, commit) =>
      write(() => {
        endRound.run(commit, commit === null ? 1 : 0, execution, number)
        tell(execution)
      }),
    noteConflict: (execution, number, subtask) =>
      write(() => {
        conflictOf.run(subtask, execution, number)
        tell(execution)
      }),
  }
}

type Subtasks = 'skipSubtask' | 'skippedSubtasks' | 'phaseSessions'

function subtasksIn(
  { db, write }: Writing,
  { tell }: Tools,
  sessions: SessionStore['sessions'],
): Pick<PhaseStore, Subtasks> {
  const roles = db.prepare<[string], { session: string } & Pick<PhaseSession, 'role' | 'subtask'>>(
    `SELECT phase_session.* FROM phase_session JOIN session ON id = phase_session.session WHERE execution = ?`,
  )
  const skip = db.prepare<[string, string]>('INSERT INTO phase_skip VALUES (?, ?) ON CONFLICT DO NOTHING')
  const skips = db.prepare<[string], { subtask: string }>('SELECT subtask FROM phase_skip WHERE execution = ?')
  return {
    skipSubtask: (execution, subtask) =>
      write(() => {
        skip.run(execution, subtask)
        tell(execution)
      }),
    skippedSubtasks: (execution) => skips.all(execution).map(({ subtask }) => subtask),
    phaseSessions: (execution, all = sessions(execution)) => {
      const known = new Map(roles.all(execution).map((row) => [row.session, row]))
      return all.flatMap((session) => {
        const row = known.get(session.id)
        return row ? [{ ...session, role: row.role, subtask: row.subtask }] : []
      })
    },
  }
}

const toPhase = (row: PhaseColumns): StoredPhase => ({
  number: row.number,
  preCommit: row.pre_commit,
  commit: row.commit_id,
  summary: row.summary,
  from: row.from_execution,
  startedAt: row.started_at,
  endedAt: row.ended_at,
})
