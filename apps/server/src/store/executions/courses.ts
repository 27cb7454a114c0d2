import type { Course } from '@beadloom/core/records/course.ts'
import { durationText } from '@beadloom/core/text/duration.ts'
import type { CourseStore } from '../../ports/store/courses.ts'
import { toExecution, type ExecutionRow } from './execution-rows.ts'
import { runningRow } from './running-row.ts'
import type { Writing } from '../database/writer.ts'

/** Changes by a person to executions that run. */
export function courseStore({ db, clock, write, changed, event }: Writing): CourseStore {
  const select = db.prepare<[string], ExecutionRow>('SELECT * FROM execution WHERE id = ?')
  const note = db.prepare<[string, number | null, string]>(
    'UPDATE execution SET course = ?, deadline_at = ? WHERE id = ? AND ended_at IS NULL',
  )
  return {
    changeCourse: (id, change, by) =>
      write(() => {
        const row = runningRow(select, id)
        if ('refused' in row) return row
        const { executionTimeoutMs: ms } = change
        if (ms !== undefined && ms <= row.elapsed_ms)
          return { refused: `the execution ${id} has already run for ${durationText(row.elapsed_ms)}: give it more` }
        const course = { ...(row.course === null ? {} : (JSON.parse(row.course) as Course)), ...change }
        const deadline = ms === undefined ? row.deadline_at : (row.started_at ?? clock.now()) + ms
        note.run(JSON.stringify(course), deadline, id)
        event({
          execution: id,
          session: null,
          line: null,
          at: clock.now(),
          type: 'course_changed',
          data: { by, ...change },
        })
        changed('execution', row.project, id)
        return toExecution(select.get(id)!)
      }),
  }
}
