import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { sampleBeadView, sampleStatus, sampleView, type Named } from '@beadloom/core/testing/sample-views.ts'

/** Text that tries to control the reader's terminal. */
export const HOSTILE = 'a\u001b[2J\u001b]0;owned\u0007\nb\u009b1Ac\u202ed 日本語 👩‍👩‍👧 e\r\u0008'
// oxlint-disable-next-line no-control-regex
export const OBEYED = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/

/** A running execution. */
export const execution = (over: Named<ExecutionView> = {}): ExecutionView =>
  sampleView({
    project: 'library',
    beadTitle: 'Sort the list by name',
    state: 'RUNNING',
    branch: 'beads-bl-1-sort',
    attempt: 1,
    startedAt: 0,
    activity: 'running npm test',
    ...over,
  })

export const status = sampleStatus

/** A bead that has not run, and that nothing holds back. */
export const bead = (over: Partial<BeadView> = {}): BeadView =>
  sampleBeadView({
    project: 'library',
    title: 'Sort the list by name',
    priority: 1,
    type: 'feature',
    ready: false,
    ...over,
  })
