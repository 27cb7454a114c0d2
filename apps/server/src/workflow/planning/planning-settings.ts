import { ANSWER_ATTEMPTS } from '@beadloom/core/review/ask-step.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { withAgent } from '../../sandbox/agent-order.ts'

/** The architect may be another agent with another model, also by a command of its own; the rest is the project's. */
export const settingsOfPlanning = (settings: ProjectSettings): ProjectSettings => ({
  ...withAgent(settings, settings.planning.agent ?? (settings.planning.command === null ? settings.agent : 'command')),
  command: settings.planning.command ?? settings.command,
  model: settings.planning.model ?? settings.model,
  maxAttempts: ANSWER_ATTEMPTS,
  beads: {},
})
