import type { Refused } from '@beadloom/core/records/bead.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { PhaseStore } from '../../ports/store/phases.ts'
import { toExecution, type ExecutionRow, type StoredWait } from '../executions/execution-rows.ts'
import type { Writing } from '../database/writer.ts'

export type PhaseWaits = Pick<PhaseStore, 'waitAfterPhase' | 'askPause' | 'letContinue' | 'endWait'>

/** Waits between two phases. */
export function phaseWaits({ db, clock, write, changed, event }: Writing): PhaseWaits {
  const select = db.prepare<[string], ExecutionRow>('SELECT * FROM execution WHERE id = ?')
  const note = db.prepare<[string | null, number, string]>(
    'UPDATE execution SET phase_wait = ?, pause_asked = ? WHERE id = ? AND ended_at IS NULL',
  )

  const stored = ({ phase_wait }: ExecutionRow): StoredWait | null =>
    phase_wait === null ? null : (JSON.parse(phase_wait) as StoredWait)

  const set = (row: ExecutionRow, wait: StoredWait | null, asked: boolean): Execution => {
    const { id, project, bead } = row
    note.run(wait && JSON.stringify(wait), asked ? 1 : 0, id)
    changed('execution', project, id)
    changed('bead', project, bead)
    changed('status', '', 'server') // slots
    return toExecution(select.get(id)!)
  }

  const about = ({ id }: ExecutionRow) => ({ execution: id, session: null, line: null, at: clock.now() })

  /** A running execution that works by a plan; else why it is not. */
  const atWork = (id: ExecutionId): ExecutionRow | Refused => {
    const row = select.get(id)
    if (!row) return { refused: `there is no execution ${id}` }
    if (row.ended_at !== null) return { refused: `the execution ${id} has already ended (${row.state})` }
    if (row.plan_version === null) return { refused: `the execution ${id} does not work by a plan: it has no phases` }
    return row
  }

  return {
    waitAfterPhase: (id, after) =>
      write(() => {
        const row = atWork(id)
        if ('refused' in row) return
        const wait = stored(row)
        if (wait?.after === after) return
        event({ ...about(row), type: 'phase_waits', data: { phase: after } })
        set(row, { after, since: clock.now(), continued: false, over: false }, false)
      }),

    askPause: (id) =>
      write(() => {
        const row = atWork(id)
        if ('refused' in row) return row
        const wait = stored(row)
        if (wait && !wait.over) return { refused: `the execution ${id} waits already, after phase ${wait.after}` }
        if (row.pause_asked === 1) return toExecution(row)
        event({ ...about(row), type: 'pause_asked', data: null })
        return set(row, wait, true)
      }),

    letContinue: (id) =>
      write(() => {
        const row = atWork(id)
        if ('refused' in row) return row
        const wait = stored(row)
        if (wait && !wait.over) {
          if (wait.continued) return toExecution(row)
          event({ ...about(row), type: 'phase_continues', data: { phase: wait.after } })
          return set(row, { ...wait, continued: true }, false)
        }
        if (row.pause_asked === 1) {
          event({ ...about(row), type: 'pause_withdrawn', data: null })
          return set(row, wait, false)
        }
        return { refused: `the execution ${id} does not wait between two phases` }
      }),

    endWait: (id) =>
      write(() => {
        const row = atWork(id)
        const wait = 'refused' in row ? null : stored(row)
        if ('refused' in row || !wait || wait.over) return
        set(row, { ...wait, over: true }, row.pause_asked === 1)
      }),
  }
}
