import type { Verification } from '@beadloom/core/execution/verification.ts'
import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import type { PhaseHistory } from '@beadloom/core/plan/phase-step.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'

/** All of them together: an order has 2 MiB, and some characters take six bytes in it. */
const MOST_BYTES = 240_000
const MOST_LOGS = 6

export type CheckLog = { path: string; text: string }

/**
 * The output of a phase's failed checks, as files for whoever mends it, the newest first: a digest in a prompt is short. A
 * file that would be too long has the end of it, and says so.
 */
export async function checkLogs({ deps }: LiveExecution, history: PhaseHistory, phase: number): Promise<CheckLog[]> {
  const rows = failedIn(history, phase)
  const logs: CheckLog[] = []
  let room = MOST_BYTES
  for (const row of rows) {
    const state = deps.logs.state(row.session)
    if (state === null || room <= 0) continue
    const from = Math.max(0, state.bytes - room)
    const text = (await deps.logs.bytes(row.session, from, state.bytes - from)).toString('utf8')
    room -= state.bytes - from
    const cut = from === 0 ? '' : `(the first ${from} bytes are left out)\n`
    logs.push({ path: pathOf(phase, row), text: `${cut}${stripAnsi(`${text}${state.partial}`)}\n` })
  }
  return logs
}

/** The last for each session: several checks may have run in one. */
function failedIn({ rounds, verifications }: PhaseHistory, phase: number): Verification[] {
  const numbers = new Set(rounds.filter((one) => one.phase === phase).map(({ number }) => number))
  const failed = verifications.filter((row) => !row.passed && numbers.has(row.attempt)).toReversed()
  return [...new Map(failed.map((row) => [row.session, row])).values()].slice(0, MOST_LOGS)
}

const pathOf = (phase: number, { session }: Verification): string =>
  `phase-${phase}/check-${session.slice(session.lastIndexOf('.') + 1)}.log`
