import { patchLines, removedTexts, type ChangedFile } from './patch.ts'

/*
 * Go's list of vendored packages, which tells an update of a library of assertions from a bent copy: an update changes
 * the line of the module, and a package that is used for the first time gets a line of its own.
 */

const LIST = /(?:^|\/)vendor\/modules\.txt$/
const MODULE = /^# ([\w./~-]{1,300}) v\S/
const PACKAGE = /^[\w./~-]{1,300}$/

export const isListOfVendor = (path: string): boolean => LIST.test(path)

/** Whether a file below `vendor` came with a new version of its module, or with a package that is new there. */
export function cameWithModule(files: readonly ChangedFile[]): (file: ChangedFile) => boolean {
  const modules = new Set<string>()
  const packages = new Set<string>()
  for (const { path, patch, status } of files) {
    if (!LIST.test(path) || status === 'D') continue
    const folder = path.slice(0, -'modules.txt'.length)
    const lines = patchLines(patch)
    const former = removedTexts(lines)
    for (const { sign, plain } of lines) {
      if (sign !== '+' || former.has(plain)) continue
      const module = MODULE.exec(plain)?.[1]
      if (module !== undefined) modules.add(folder + module)
      else if (PACKAGE.test(plain)) packages.add(folder + plain)
    }
  }
  return ({ path, status }) => {
    let end = path.lastIndexOf('/')
    if (status === 'A' && packages.has(path.slice(0, end))) return true
    for (; end > 0; end = path.lastIndexOf('/', end - 1)) if (modules.has(path.slice(0, end))) return true
    return false
  }
}
