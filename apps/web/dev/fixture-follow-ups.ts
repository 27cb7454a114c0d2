import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { bead, execution, now, project, type FixtureBead, type FixtureProject } from './fixture-data.ts'

/* A project with a follow-up in every state, each inside the bead that it is about, and one that is left over. */

const MINUTE = 60_000
const p = 'follow-ups'

const failed = (id: string, title: string, given: Partial<BeadCard> = {}): FixtureBead =>
  bead(p, { id, title, status: 'in_progress', failed: true, ...given })
const filed = (id: string, of: string, title: string, given: Partial<BeadCard> = {}): FixtureBead =>
  bead(p, {
    id,
    title,
    type: 'bug',
    labels: ['beadloom'],
    reason: { code: 'manual', text: 'ready to run' },
    ready: true,
    baseBranch: `beads-${of}-something`,
    followUpOf: of,
    ...given,
  })
const busy = { reason: null, ready: false, status: 'in_progress' } as const

export function followUps(): FixtureProject {
  const beads = [
    failed('fu-a1', 'Escape the names of columns'),
    filed('fu-a1f4', 'fu-a1', '2 tests failing: Escape the names of columns'),
    failed('fu-b1', 'Read files with a byte order mark'),
    filed('fu-b1f4', 'fu-b1', '1 test failing: Read files with a byte order mark', busy),
    filed('fu-b1f5', 'fu-b1', 'Execution failed: Read files with a byte order mark', { type: 'task' }),
    bead(p, { id: 'fu-c1', title: 'Import two million rows', status: 'timeout' }),
    filed('fu-c1f4', 'fu-c1', 'Timed out: Import two million rows', { ready: false, reason: null, type: 'task' }),
    failed('fu-d1', 'Merge the two parsers of dates'),
    filed('fu-d1f4', 'fu-d1', 'Merge conflict: Merge the two parsers of dates', {
      status: 'blocked',
      ready: false,
      reason: null,
      type: 'task',
      labels: ['beadloom', 'needs-human'],
    }),
    failed('fu-e1', 'Round half to even'),
    filed('fu-e1f4', 'fu-e1', '1 test failing: Round half to even', { status: 'done', ready: false, reason: null }),
    bead(p, { id: 'fu-f1', title: 'Write the changelog', status: 'done' }),
    filed('fu-f1f4', 'fu-f1', 'Nothing committed: Write the changelog', { type: 'task' }),
  ]
  const gone: Partial<ExecutionView> = {
    reason: 'verification_exhausted',
    attempt: 3,
    detail: 'The checks still fail after 3 attempts.',
    queuedAt: now - 50 * MINUTE,
    endedAt: now - 30 * MINUTE,
  }
  const runs = [
    ...['fu-a1', 'fu-b1', 'fu-e1'].map((id) => {
      const { title, status } = beads.find((one) => one.id === `${id}f4`) ?? { title: '', status: 'open' }
      return execution(p, id, 'FAILED', {
        ...gone,
        followUps: [{ bead: `${id}f4`, kind: 'tests_failing', title, status }],
      })
    }),
    execution(p, 'fu-c1', 'TIMEOUT', {
      ...gone,
      reason: 'silence',
      detail: 'No output for 10 minutes; the limit of silence is 10 minutes.',
    }),
    execution(p, 'fu-d1', 'FAILED', {
      ...gone,
      reason: 'push_conflict',
      detail: 'It conflicts with other work in src/date.ts and src/calendar.ts.',
    }),
    execution(p, 'fu-b1f4', 'RUNNING', { attempt: 2, activity: 'running npm test' }),
    execution(p, 'fu-c1f4', 'QUEUED'),
    execution(p, 'fu-d1f4', 'BLOCKED', {
      blockedReason:
        'Both parsers accept "1/2". Is the month first, as in src/date.ts, or the day, as in src/calendar.ts?',
      detail: 'The agent needs an answer before it can continue.',
    }),
    execution(p, 'fu-e1f4', 'COMPLETED'),
    execution(p, 'fu-f1', 'COMPLETED'),
  ]
  return project(p, { autopilot: false }, beads, runs)
}
