import type { Refused } from '@beadloom/core/records/bead.ts'
import type { Course } from '@beadloom/core/records/course.ts'
import type { Execution } from '@beadloom/core/records/execution.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'

/** Changes by a person to executions that run. */
export interface CourseStore {
  /** Refused unless it runs. Fields that are left out stay as they are. */
  changeCourse(execution: ExecutionId, change: Course, by: string): Execution | Refused
}
