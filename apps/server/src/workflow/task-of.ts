import { taskText, type TaskWords } from '@beadloom/core/bead/task-text.ts'
import type { LiveExecution } from '../execution/live-execution.ts'
import { saidBefore } from '../execution/said-before.ts'

/** The bead in the form that agents get beside its own prompt; `most` bounds the parts of its text. */
export function taskOf(live: LiveExecution, most: number): { id: string; title: string; description: string } {
  const { id, title, description } = live.bead
  return { id, title, description: taskText({ description, ...besideOf(live), said: saidBefore(live) }, most) }
}

/** The texts that a tracker keeps apart from the description. */
export const besideOf = ({
  bead,
  project,
  deps: { store },
}: LiveExecution): Pick<TaskWords, 'acceptance' | 'design'> => ({
  acceptance: store.acceptanceOf(project.id, bead.id),
  design: store.designOf(project.id, bead.id),
})
