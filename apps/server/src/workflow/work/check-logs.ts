import type { Verification } from '@beadloom/core/records/verification.ts'
import { stripAnsi } from '@beadloom/core/text/ansi.ts'
import type { LiveExecution } from '../../execution/live-execution.ts'

/** The limit of all of them together: an order has 2 MiB, and some characters take six bytes in it. */
const MOST_BYTES = 240_000
const MOST_LOGS = 6

export type CheckLog = { path: string; text: string }

/**
 * The output of failed checks, as files for the agent that mends them, the newest first: a digest in a prompt is short.
 * A file that would be too long has only its end, and says so.
 *
 * @param rows verifications in order; those that passed are left out
 * @param folder the files' folder in the execution's folder
 */
export async function checkLogs(
  { deps }: LiveExecution,
  rows: readonly Verification[],
  folder: (row: Verification) => string,
): Promise<CheckLog[]> {
  const logs: CheckLog[] = []
  let room = MOST_BYTES
  for (const row of failedIn(rows)) {
    const state = deps.logs.state(row.session)
    if (state === null || room <= 0) continue
    const from = Math.max(0, state.bytes - room)
    const text = (await deps.logs.bytes(row.session, from, state.bytes - from)).toString('utf8')
    room -= state.bytes - from
    const cut = from === 0 ? '' : `(the first ${from} bytes are left out)\n`
    logs.push({ path: `${folder(row)}/${nameOf(row)}`, text: `${cut}${stripAnsi(`${text}${state.partial}`)}\n` })
  }
  return logs
}

/** The last for each session: several checks may have run in one. */
function failedIn(rows: readonly Verification[]): Verification[] {
  const failed = rows.filter(({ passed }) => !passed).toReversed()
  return [...new Map(failed.map((row) => [row.session, row])).values()].slice(0, MOST_LOGS)
}

const nameOf = ({ session }: Verification): string => `check-${session.slice(session.lastIndexOf('.') + 1)}.log`
