import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { QueueExecution } from '@beadloom/core/api/executions/execution-requests.ts'

/** The most fresh starts of the built-in agent, for one run; `usual`: the project's setting. */
export const freshStartChoices = ['usual', 'none', '1', '2', '3', '5', '10'] as const
export type FreshStartChoice = (typeof freshStartChoices)[number]

type Wish = Pick<QueueExecution, 'retryOnFailure' | 'maxRetries'>

/** The request for a choice. Only the built-in agent has fresh starts. */
export function freshStartWish(choice: FreshStartChoice, agent: string): Wish {
  if (choice === 'usual' || agent !== 'openai') return {}
  return choice === 'none' ? { retryOnFailure: false } : { retryOnFailure: true, maxRetries: Number(choice) }
}

export function freshStartWords(
  choice: FreshStartChoice,
  project: Pick<ProjectView, 'freshStarts'> | undefined,
): string {
  if (choice === 'none') return 'None'
  if (choice !== 'usual') return `Up to ${choice}`
  const { retryOnFailure, maxRetries } = project?.freshStarts ?? { retryOnFailure: false, maxRetries: 0 }
  return `Project default: ${retryOnFailure && maxRetries > 0 ? `up to ${maxRetries}` : 'none'}`
}
