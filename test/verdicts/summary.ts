import { isRight, isVerdict, type Result } from './results.ts'
import { isHonest } from './sabotage.ts'

/** What was measured, for programs. `beadloom bench run` reads it. */
export type Summary = {
  /** Work that is not done. `passed`: COMPLETED all the same. */
  wrong: { tried: number; passed: number }
  /** Work that is done. `refused`: not COMPLETED. */
  right: { tried: number; refused: number }
  /** Not tried yet, of what was asked for. */
  left: number
  /** Each verdict that is false. */
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
