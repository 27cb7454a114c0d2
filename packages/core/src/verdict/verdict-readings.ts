import { declaresTests, isNamedBy, readable } from '../tamper/tamper.ts'
import type { ChangedFile } from '../tamper/patch.ts'
import { frameworkOf } from './c-frameworks.ts'
import { unexplained } from './explained.ts'
import { withFormerTests } from './inline-tests.ts'
import { excusedBy, namedInTexts, originalFiles, type OriginalFiles, type RedBase } from './original-tests.ts'
import { missingTests } from './missing-tests.ts'
import { partsByHeads, unrunIn } from './not-checked.ts'
import { tablesOfTests } from './tables-of-tests.ts'
import { titlesIn, touchedFile } from './touched.ts'

type OriginalsWish = {
  all: readonly Pick<ChangedFile, 'path' | 'oldPath' | 'status'>[]
  task: string
  allowed: readonly string[]
  red: RedBase | null
  tables: readonly string[]
}

/** The readings of strangers' text for a verdict. Each is a function of plain values, so a thread aside can do it. */
export const verdictReadings = {
  missing: missingTests,
  unexplained,
  unrun: unrunIn,
  about: partsByHeads,
  touched: (files: readonly ChangedFile[]) => readable(files).map(touchedFile),
  titles: (texts: readonly string[]) => texts.flatMap(titlesIn),
  frameworks: (texts: readonly string[]) => texts.map(frameworkOf),
  formerTests: (files: readonly { path: string; now: string; before: string }[]) =>
    files.flatMap(({ path, now, before }) => {
      const text = withFormerTests(now, before)
      return text === null ? [] : [{ path, text }]
    }),
  /** Wrapped in an object, because "nothing to bring back" is an answer, too. */
  originals: ({ all, task, allowed, ...how }: OriginalsWish): { files: OriginalFiles | null } => ({
    files: originalFiles(all, { excused: excusedBy(task, allowed), ...how }),
  }),
  named: ({ paths, texts }: { paths: readonly string[]; texts: readonly string[] }) => namedInTexts(paths, texts),
  namedBySettings: (deciding: readonly ChangedFile[], paths: readonly string[]) => paths.filter(isNamedBy(deciding)),
  tables: tablesOfTests,
  declare: (texts: readonly string[]) => texts.map(declaresTests),
}
export type VerdictReadings = typeof verdictReadings
