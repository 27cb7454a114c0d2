import { describe, expect, test } from 'vitest'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { sendPlan } from './send-plan.ts'
import { issueOf, reviewOf } from '../testing.ts'

const known =
  (states: Record<string, { status?: string; state?: string }>) =>
  (bead: string): { card: BeadCard | undefined; execution: ExecutionView | null } => {
    const { status = 'open', state } = states[bead] ?? {}
    return {
      card: { id: bead, status } as BeadCard,
      execution: state === undefined ? null : ({ state } as ExecutionView),
    }
  }

describe('sending the issues of a bead’s review', () => {
  test('runs the bead again with them as a note; a done one is opened first', () => {
    const issues = [issueOf(1), issueOf(2)]
    const plan = sendPlan(reviewOf(), issues, known({ 'bl-1': { status: 'done', state: 'COMPLETED' } }))
    expect(plan).toMatchObject({ steps: [{ bead: 'bl-1', reopen: true }], left: [] })
    expect(plan.steps[0]?.context).toContain('## 2. Issue 2')
    expect(plan.steps[0]?.says).toMatch(/^bl-1 will be reopened and queued with these 2 issues/)
    const failed = sendPlan(reviewOf(), issues, known({ 'bl-1': { status: 'in_progress', state: 'FAILED' } }))
    expect(failed.steps).toMatchObject([{ reopen: false }])
  })

  test('waits while the bead runs', () => {
    const plan = sendPlan(reviewOf(), [issueOf(1)], known({ 'bl-1': { state: 'RUNNING' } }))
    expect(plan).toEqual({ steps: [], left: ['bl-1 is already queued or running'] })
  })
})

test('sending the issues of the work branch’s review queues the bead of each, once, and names the omitted ones', () => {
  const review = reviewOf({ bead: null, branch: 'beadloom/work' })
  const issues = [
    issueOf(1),
    issueOf(2, { bead: 'bl-r1' }),
    issueOf(3),
    issueOf(4),
    issueOf(5, { bead: null, title: 'Nowhere' }),
  ]
  const plan = sendPlan(review, issues, known({ 'bl-r3': { state: 'QUEUED' }, 'bl-r4': { status: 'done' } }))
  expect(plan.steps).toEqual([{ bead: 'bl-r1', reopen: false, context: '', says: 'bl-r1 will be queued: “Issue 1”.' }])
  expect(plan.left).toEqual(['bl-r3 is already queued or running', 'bl-r4 is done', '“Nowhere” has no bead'])
})
