import { isRight, isVerdict, type Result } from './results.ts'
import { isHonest } from './sabotage.ts'

/** The measurements, for programs. `beadloom bench run` reads them. */
export type Summary = {
  /** Work that is not done. `passed`: it was COMPLETED all the same. */
  wrong: { tried: number; passed: number }
  /** Work that is done. `refused`: not COMPLETED. */
  right: { tried: number; refused: number }
  /** Requested trials that have not run yet. */
  left: number
  /** The false verdicts. */
  false: Pick<Result, 'id' | 'state' | 'reason'>[]
}

export function summaryOf(all: readonly Result[], left: number): Summary {
  const results = all.filter(isVerdict)
  const right = results.filter(({ kind }) => isHonest(kind))
  const wrong = results.filter(({ kind }) => !isHonest(kind))
  const isFalse = (one: Result): boolean => !isRight(one)
  return {
    wrong: { tried: wrong.length, passed: wrong.filter(isFalse).length },
    right: { tried: right.length, refused: right.filter(isFalse).length },
    left,
    false: results.filter(isFalse).map(({ id, state, reason }) => ({ id, state, reason })),
  }
}
