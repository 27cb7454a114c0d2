import { OWN_CHECKS } from '@beadloom/core/execution/next-step.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { LiveExecution } from '../execution/live-execution.ts'

/** The common values of the rows of one run of a verification. */
export type CommonOfRows = Pick<Verification, 'attempt' | 'purpose' | 'run' | 'session' | 'commit' | 'made'>

/** A check of Beadloom's own that failed; the next attempt reads its digest like any other. */
export function ownCheck(
  { deps: { clock } }: LiveExecution,
  row: CommonOfRows & Pick<Verification, 'step' | 'name' | 'summary' | 'digest'>,
): Verification {
  return {
    ...row,
    type: 'custom',
    command: '',
    passed: false,
    exitCode: null,
    durationMs: 0,
    tool: OWN_CHECKS,
    failures: null,
    collected: null,
    fingerprint: row.name,
    findings: [row.name],
    verdict: null,
    at: clock.now(),
  }
}
