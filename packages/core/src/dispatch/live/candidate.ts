import type { BeadId, ExecutionId, ProjectId } from '../../records/ids.ts'
import type { Origin } from '../bead-reasons.ts'
import { byHead } from '../shares.ts'
import type { LinePlace, TurnLine } from './turn-line.ts'

/** A bead or execution that has no reason of its own to wait. `execution` null: a ready bead that is to be queued. */
export type Candidate = LinePlace & { project: ProjectId; id: BeadId; execution: ExecutionId | null; line: Line }

/** Candidates of one project that the same obstacles keep from starting. */
export type Line = { origin: Origin; mends: boolean; places: TurnLine<Candidate> }

/** The line with the best head; undefined: all are empty. */
export function bestLine(lines: readonly Line[]): Line | undefined {
  let best: Line | undefined
  let head: Candidate | undefined
  for (const line of lines) {
    const its = line.places.peek()
    if (its === undefined || (head !== undefined && byHead(its, head) >= 0)) continue
    best = line
    head = its
  }
  return best
}

export const isSamePlace = (a: Candidate, b: Candidate): boolean =>
  a.line === b.line && a.execution === b.execution && a.priority === b.priority && a.since === b.since
