import { taskText } from '@beadloom/core/bead/task-text.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** The bead as agents are told of it beside its own prompt; `most` bounds the parts of its text. */
export function taskOf(
  { bead, project, deps: { store } }: LiveExecution,
  most: number,
): { id: string; title: string; description: string } {
  const words = {
    description: bead.description,
    acceptance: store.acceptanceOf(project.id, bead.id),
    design: store.designOf(project.id, bead.id),
  }
  return { id: bead.id, title: bead.title, description: taskText(words, most) }
}
