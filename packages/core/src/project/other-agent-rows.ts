import { agentNames } from '../agents/agent-names.ts'
import { planningApproval, planningWhen } from '../records/planning.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

const MODEL = { kind: 'text', longest: 200 } as const

/** Settings of the agents other than the author: the architect, who plans, and the reviewer. */
export const otherAgentRows: readonly ProjectSettingRow[] = [
  {
    key: 'planning.when',
    section: 'planning',
    label: 'Beads that are planned first',
    kind: 'choice',
    choices: planningWhen,
    of: ({ planning }) => planning.when,
  },
  {
    key: 'planning.approve',
    section: 'planning',
    label: 'Who approves a plan',
    kind: 'choice',
    choices: planningApproval,
    of: ({ planning }) => planning.approve,
  },
  {
    key: 'planning.maxParallelSubtasks',
    section: 'planning',
    label: 'Subtasks at the same time',
    kind: 'number',
    least: 1,
    most: 20,
    unit: '',
    of: ({ planning }) => planning.maxParallelSubtasks,
  },
  {
    key: 'planning.model',
    section: 'planning',
    label: "The architect's model",
    ...MODEL,
    of: ({ planning, model }) => planning.model ?? model,
  },
  {
    key: 'planning.agent',
    section: 'planning',
    label: "The architect's agent",
    kind: 'choice',
    choices: agentNames,
    of: ({ planning, agent }) => planning.agent ?? agent,
  },
  {
    key: 'review.model',
    section: 'review',
    label: "The reviewer's model",
    ...MODEL,
    of: ({ review, model }) => review.model ?? model,
  },
  {
    key: 'review.agent',
    section: 'review',
    label: "The reviewer's agent",
    kind: 'choice',
    choices: agentNames,
    of: ({ review, agent }) => review.agent ?? agent,
  },
]
