import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import { ANSWER_ATTEMPTS } from '@beadloom/core/review/ask-step.ts'
import { withAgent } from '../../sandbox/agent-order.ts'

/** The reviewer may be another agent with another model, also by a command of its own; the rest is the project's. */
export const settingsOfReview = (settings: ProjectSettings): ProjectSettings => ({
  ...withAgent(settings, settings.review.agent ?? (settings.review.command === null ? settings.agent : 'command')),
  command: settings.review.command ?? settings.command,
  model: settings.review.model ?? settings.model,
  maxAttempts: ANSWER_ATTEMPTS,
  beads: {},
})
