import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { ExecutionState } from '@beadloom/core/records/execution.ts'

/** The content of a data folder, read past the server. */
export type StoredExecution = {
  id: string
  project: string
  bead: string
  state: ExecutionState
  branch: string
  commit: string | null
  /** `seq` of every event, and its states in order. */
  seqs: number[]
  states: string[]
  steps: string[]
  followUps: string[]
  sessions: {
    id: string
    number: number
    kind: string
    attempt: number
    state: string
    outcome: string | null
    exitCode: number | null
    container: string | null
  }[]
}

type Row = {
  id: string
  project: string
  bead: string
  state: ExecutionState
  branch: string
  verified_commit: string | null
}

const open = (data: string) => new Database(join(data, 'beadloom.db'), { readonly: true, fileMustExist: true })

export function instanceOf(data: string): string {
  const db = open(data)
  try {
    return (db.prepare("SELECT value FROM meta WHERE key = 'instance'").get() as { value: string }).value
  } finally {
    db.close()
  }
}

/** `claims`: beads with a claim for an execution in their tracker. */
export function stored(data: string): {
  executions: StoredExecution[]
  intact: boolean
  live: number
  claims: string[]
} {
  const db = open(data)
  try {
    const all = <T>(sql: string, ...args: unknown[]): T[] => db.prepare(sql).all(...args) as T[]
    const executions = all<Row>('SELECT * FROM execution ORDER BY queued_at').map((row): StoredExecution => {
      const events = all<{ seq: number; type: string; data: string }>(
        'SELECT seq, type, data FROM event WHERE execution = ? ORDER BY seq',
        row.id,
      )
      return {
        id: row.id,
        project: row.project,
        bead: row.bead,
        state: row.state,
        branch: row.branch,
        commit: row.verified_commit,
        seqs: events.map(({ seq }) => seq),
        states: events
          .filter(({ type }) => type === 'state')
          .map(({ data }) => (JSON.parse(data) as { to: string }).to),
        steps: all<{ step: string }>('SELECT step FROM pipeline_step WHERE execution = ?', row.id).map(
          ({ step }) => step,
        ),
        followUps: all<{ target: string }>('SELECT target FROM follow_up_entry WHERE execution = ?', row.id).map(
          ({ target }) => target,
        ),
        sessions: all(
          'SELECT id, number, kind, attempt, state, outcome, exit_code AS exitCode, container FROM session WHERE execution = ? ORDER BY number',
          row.id,
        ),
      }
    })
    const intact = (db.pragma('integrity_check') as { integrity_check: string }[])[0]?.integrity_check === 'ok'
    const claims = all<{ bead: string }>('SELECT bead FROM tracker_claim WHERE released = 0').map(({ bead }) => bead)
    return { executions, intact, live: executions.filter(({ steps }) => steps.length < 4).length, claims }
  } finally {
    db.close()
  }
}

const logFile = (data: string, { id }: StoredExecution, number: number): string =>
  join(data, 'logs', id, `${number}.log`)

export const logOf = (data: string, execution: StoredExecution, number: number): Buffer =>
  readFileSync(logFile(data, execution, number))

/** The same for a session that may have just begun; empty if it has no log yet. */
export const logSoFar = (data: string, execution: StoredExecution, number: number): string =>
  existsSync(logFile(data, execution, number)) ? logOf(data, execution, number).toString() : ''
