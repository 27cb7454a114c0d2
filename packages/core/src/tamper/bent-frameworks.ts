import { patchLines, type ChangedFile } from './patch.ts'

/** A single-file framework of tests, as projects in C and C++ keep it among their tests. */
const FRAMEWORK =
  /(?:^|\/)(?:catch(?:_amalgamated)?\.(?:hpp|cpp)|doctest\.h|acutest\.h|utest\.h|greatest\.h|munit\.[ch]|minunit\.h|unity(?:_internals)?\.[ch])$/
const FEW_LINES = 100

/** Whether only a few lines of such a file changed, and not its version, as an update would. */
export const isBent = ({ path, status, patch }: ChangedFile): boolean => {
  if (status !== 'M' || !FRAMEWORK.test(path)) return false
  const changed = patchLines(patch).filter(({ sign, plain }) => sign !== ' ' && plain !== '')
  if (changed.length >= FEW_LINES || changed.some(({ plain }) => /\d+\.\d+\.\d+|VERSION/.test(plain))) return false
  return changed.some(({ sign, plain }) => sign === '-' && !/^(?:\/\/|\*)/.test(plain))
}
