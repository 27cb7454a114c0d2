import { appendFileSync } from 'node:fs'
import type { Findings } from './nothing-lost.ts'

/** A row of the table that `npm run test:faults` ends with (`scripts/fault-table.mjs`); rows of the same fault are added up. */
export type Tally = {
  fault: string
  times: number
  /** How many of them ended a process with SIGKILL. */
  sigkills?: number
  /** Bytes of agents' output that were compared with what they wrote. */
  bytes?: number
  lost?: number
  doubled?: number
}

/** To be called before anything is expected of it, so that the table has what went wrong, too. */
export function tally(row: Tally): void {
  const file = process.env['FAULT_TABLE']
  if (file) appendFileSync(file, `${JSON.stringify(row)}\n`)
}

/** The same, of what a checker found. */
export const tallyFound = (fault: string, times: number, found: Findings, sigkills = 0): void =>
  tally({
    fault,
    times,
    sigkills,
    bytes: found.bytes,
    lost: found.lost.length - found.doubled,
    doubled: found.doubled,
  })
