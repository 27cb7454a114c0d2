import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { PipelineStep, PipelineStore } from '../../ports/store/executions.ts'
import { pipelineOrder } from '../../ports/store/executions.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { toExecution } from './execution-rows.ts'
import type { ExecutionRow } from './execution-rows.ts'
import type { Writing } from '../database/writer.ts'

/** Which steps of the terminal pipeline were taken, so that a server that died half-way takes only the others. */
export function pipelineStore({ db, clock, write, changed, event }: Writing): PipelineStore {
  const select = db.prepare<[string], ExecutionRow>('SELECT * FROM execution WHERE id = ?')
  const insert = db.prepare<[string, string, number]>(
    'INSERT OR IGNORE INTO pipeline_step (execution, step, at) VALUES (?, ?, ?)',
  )
  const stepsOf = db.prepare<[string], { step: PipelineStep }>('SELECT step FROM pipeline_step WHERE execution = ?')
  const finish = db.prepare<[string]>('UPDATE execution SET settled = 1 WHERE id = ?')
  const unfinished = db.prepare<[], ExecutionRow>(
    'SELECT * FROM execution WHERE settled = 0 AND ended_at IS NOT NULL ORDER BY ended_at, queued_at',
  )

  const pipelineSteps: PipelineStore['pipelineSteps'] = (id) => {
    const done = new Set(stepsOf.all(id).map((row) => row.step))
    return pipelineOrder.filter((step) => done.has(step))
  }

  return {
    pipelineSteps,

    pipelineDone: (id, step) =>
      write(() => {
        const row = select.get(id)
        if (!row) throw new StoreError('missing', `there is no execution ${id}`)
        if (!isTerminal(row.state))
          throw new StoreError('refused', `execution ${id} is ${row.state}: its terminal pipeline has not started`)
        if (insert.run(id, step, clock.now()).changes === 0) return
        if (pipelineSteps(id).length === pipelineOrder.length) finish.run(id)
        event({ execution: id, session: null, type: 'pipeline', data: { step }, line: null, at: clock.now() })
        changed('execution', row.project, id)
      }),

    unfinishedPipelines: () => unfinished.all().map(toExecution),
  }
}
