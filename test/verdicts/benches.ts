import { createHash } from 'node:crypto'
import { join } from 'node:path'
import type { Exercise } from './exercise.ts'
import { kits } from './languages/kits.ts'
import { published, type Options } from './options.ts'
import { filesOf, idFor, openRemote, shared, type Bench } from './repository.ts'
import { isRight, isVerdict, type Result } from './results.ts'
import { polyglot } from './sets/polyglot.ts'
import { quixbugs } from './sets/quixbugs.ts'
import { openSource } from './sets/source.ts'
import { bases, trialsOf, type Trial } from './trials.ts'

/** Beads for tries of one exercise, over all runs. */
const BEADS = 60

/** A repository and the trials that are left on it. */
export type Full = Bench & { trials: readonly Trial[] }

export function benchesOf(
  {
    state,
    sets,
    sources,
    only,
    kinds,
    sample,
    ways,
  }: Pick<Options, 'state' | 'sets' | 'sources' | 'only' | 'kinds' | 'sample' | 'ways'>,
  known: ReadonlyMap<string, Result>,
  commit: string,
): Full[] {
  const readers = { polyglot, quixbugs }
  return sets.flatMap((set) => {
    const { folder } = openSource(sources[set] ?? published[set], join(state, set))
    const exercises = readers[set](folder)
    return only.flatMap((language) => {
      const kit = kits[language]
      const own = exercises.filter((one) => one.language === language)
      const taken = new Set(sample === null ? own : spread(own, sample))
      return shared(own).flatMap((part, at) =>
        bases.flatMap((base): Full[] => {
          const trials = part
            .filter((one) => taken.has(one))
            .flatMap((one) => trialsOf(one, kit, own.indexOf(one), ways))
            .filter((trial) => trial.base === base && kinds.includes(trial.kind) && !hasVerdict(known, trial, commit))
          if (trials.length === 0) return []
          const files = filesOf(part, kit, base, BEADS)
          const id = idFor(`${set === 'quixbugs' ? 'quix' : 'poly'}-${language}-${base}-${at + 1}`, files)
          const remote = openRemote(join(state, 'remotes', `${id}.git`), files)
          return [{ id, base, kit, exercises: part, remote, trials: mixed(trials) }]
        }),
      )
    })
  })
}

/** In a random order that is always the same: an interrupted run has tried some of everything. */
const mixed = (trials: readonly Trial[]): Trial[] => {
  const place = ({ id }: Trial): string => createHash('sha256').update(id).digest('hex')
  return trials.toSorted((a, b) => (place(a) < place(b) ? -1 : 1))
}

/** Whether the verdict is known. A wrong verdict of another commit does not count: that fault may have been mended. */
const hasVerdict = (known: ReadonlyMap<string, Result>, { id }: Trial, commit: string): boolean => {
  const result = known.get(id)
  return result !== undefined && isVerdict(result) && (isRight(result) || result.commit === commit)
}

/** So many exercises, as far apart as possible. */
const spread = (exercises: readonly Exercise[], count: number): Exercise[] =>
  exercises.filter(
    (_, at) => Math.floor((at * count) / exercises.length) !== Math.floor(((at - 1) * count) / exercises.length),
  )
