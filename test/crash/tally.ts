import { appendFileSync } from 'node:fs'
import type { Findings } from './nothing-lost.ts'

/**
 * A row of the table at the end of `npm run test:faults` (`scripts/fault-table.mjs`); rows of the same fault are
 * summed.
 */
export type Tally = {
  fault: string
  times: number
  /** The number of them that killed a process with SIGKILL. */
  sigkills?: number
  /** Bytes of agents' output that were compared with what they wrote. */
  bytes?: number
  lost?: number
  doubled?: number
}

/** Call it before any assertion, so that the table has the failures too. */
export function tally(row: Tally): void {
  const file = process.env['FAULT_TABLE']
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`)
}

/** The same, with a checker's findings. */
export const tallyFound = (fault: string, times: number, found: Findings, sigkills = 0): void =>
  tally({
    fault,
    times,
    sigkills,
    bytes: found.bytes,
    lost: found.lost.length - found.doubled,
    doubled: found.doubled,
  })
