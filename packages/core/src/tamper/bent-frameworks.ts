import { isBelowTests } from '../files/names-of-tests.ts'
import { patchLines, type ChangedFile } from './patch.ts'

/** A single-file framework of tests, as projects in C and C++ keep it among their tests or with the code of others. */
const FRAMEWORK =
  /(?:^|\/)(?:catch(?:_amalgamated)?\.(?:hpp|cpp)|doctest\.h|acutest\.h|utest\.h|greatest\.h|munit\.[ch]|minunit\.h|unity(?:_internals)?\.[ch])$/
/** A framework's own repository has it elsewhere, and changes it as it likes. */
const COPIED =
  /(?:^|\/)(?:third[-_]?party|3rd[-_]?party|extern(?:al)?s?|ext|vendor(?:ed)?|deps|dependencies|contrib|libs?|include|submodules|subprojects)\//i
const FEW_LINES = 100

/** Whether a path is a copied framework of tests, by its name alone. */
export const isFramework = (path: string): boolean =>
  FRAMEWORK.test(path) && (COPIED.test(path) || isBelowTests(path)) && !/(?:^|\/)node_modules\//.test(path)

/** Whether only a few lines of such a file changed, and not its version, as an update would. */
export const isBent = ({ path, status, patch }: ChangedFile): boolean => {
  if (status !== 'M' || !isFramework(path)) return false
  const changed = patchLines(patch).filter(({ sign, plain }) => sign !== ' ' && plain !== '')
  if (changed.length >= FEW_LINES || changed.some(({ plain }) => /\d+\.\d+\.\d+|VERSION/.test(plain))) return false
  return changed.some(({ sign, plain }) => sign === '-' && !/^(?:\/\/|\*)/.test(plain))
}
