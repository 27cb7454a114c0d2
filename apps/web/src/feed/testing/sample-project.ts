import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { defaultRetry } from '@beadloom/core/records/retry.ts'

export const sampleProject = (patch: Partial<ProjectView> = {}): ProjectView => ({
  id: 'lib',
  name: 'Library',
  source: '/srv/lib',
  baseBranch: 'main',
  workBranch: 'beadloom/work',
  autopilot: false,
  paused: false,
  problem: null,
  problemKind: null,
  warnings: [],
  agent: 'openai',
  model: 'gpt',
  modelNote: null,
  test: 'npm test',
  setup: null,
  retry: defaultRetry,
  maxAttempts: 3,
  beadCounts: { open: 1, in_progress: 0, blocked: 0, timeout: 0, done: 0, ready: 1 },
  syncedAt: null,
  tracker: null,
  pullRequest: null,
  ...patch,
})
