import { expect, test } from 'vitest'
import { planTree, type PhaseStatus } from './plan-tree.ts'
import type { SubtaskType } from '../records/plan.ts'

const subtask = (title: string, type: SubtaskType, status: PhaseStatus) => ({ id: title, title, type, status })

test('a plan is a tree of phases and subtasks, each with its progress', () => {
  const tree = planTree([
    {
      status: 'completed',
      subtasks: [subtask('User model tests', 'test', 'completed'), subtask('Post model tests', 'test', 'completed')],
    },
    {
      status: 'running',
      subtasks: [subtask('User model', 'impl', 'completed'), subtask('Post model', 'impl', 'running')],
    },
    { status: 'retrying', subtasks: [subtask('Tidy', 'refactor', 'failed'), subtask('CLI', 'impl', 'pending')] },
    { status: 'running', subtasks: [subtask('Seeds', 'impl', 'asking')] },
    { status: 'pending', subtasks: [subtask('API tests', 'test', 'pending')] },
    { status: 'failed', subtasks: [subtask('API', 'impl', 'failed')] },
  ])
  expect(tree).toEqual([
    'Phase 1 (test): ✓ User model tests, Post model tests',
    '  ├── ✓ [test] User model tests',
    '  └── ✓ [test] Post model tests',
    'Phase 2 (impl): ● Running (1/2 subtasks complete)',
    '  ├── ✓ [impl] User model',
    '  └── ● [impl] Post model (running)',
    'Phase 3 (refactor and impl): ● Running again (0/2 subtasks complete)',
    '  ├── ✕ [refactor] Tidy (failed)',
    '  └── ○ [impl] CLI',
    'Phase 4 (impl): ● Running (0/1 subtasks complete)',
    '  └── ? [impl] Seeds (asking)',
    'Phase 5 (test): ○ Pending - API tests',
    '  └── ○ [test] API tests',
    'Phase 6 (impl): ✕ Failed - API',
    '  └── ✕ [impl] API (failed)',
  ])
})
