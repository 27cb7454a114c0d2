import { isCodeFile, isTestFile } from '../names-of-tests.ts'
import { patchLines, type ChangedFile } from '../patch.ts'

/*
 * npm runs `pretest` before `test` and `posttest` after it, whatever the command says: what they write decides what is tested.
 */

const ENTRY = /^"((?:pre|post)(?:tests?|check|verify|ci)(?:[:_-][^"\\]{0,80})?)" ?: ?"((?:[^"\\]|\\.){1,1000})"/
const WRITES =
  /\b(?:cp|mv|rm|ln|tee|rsync|install)\s|\bsed\s+(?:-\w+\s+)*-i|\bgit\s+(?:checkout|restore|apply|stash)\b|>|\b(?:write|copy|rename|unlink|symlink|append|rm|cp|remove)\w*\(|\bopen\(.*["'][wa]b?["']/
const PATH = /[\w@./*-]+/g

/** One sentence for each file of scripts. `files`: of the change, which a script may start. */
export function hookScripts(
  { path, patch, status }: ChangedFile,
  name: string,
  { files, paths }: { files: readonly ChangedFile[]; paths: readonly string[] },
): string[] {
  if (status === 'D' || !/(?:^|\/)package\.json$/.test(path)) return []
  const lines = patchLines(patch)
  const entries = lines.flatMap(({ sign, plain }) => {
    const [, key = '', command = ''] = (sign === '+' && ENTRY.exec(plain)) || []
    return key === '' ? [] : [{ key, command }]
  })
  if (entries.length === 0) return []
  const known = new Set(paths)
  const folder = path.slice(0, -'package.json'.length)
  const isTested = (word: string): boolean => {
    const whole = folder + word.replace(/^(?:\.{1,2}\/)+/, '')
    return isTestFile(whole) || (known.has(whole) && isCodeFile(whole))
  }
  const writes = (line: string): boolean => WRITES.test(line) && (line.match(PATH) ?? []).some(isTested)
  return entries
    .filter(({ command }) => {
      const parts = command.split(/&&|;/)
      const started = files.filter(
        (file) => command.includes(file.path.slice(folder.length)) && file.path.startsWith(folder),
      )
      const added = started.flatMap((file) =>
        patchLines(file.patch).flatMap(({ sign, plain }) => (sign === '+' ? [plain] : [])),
      )
      return parts.some(writes) || added.some(writes)
    })
    .slice(0, 1)
    .map(({ key }) => `${name}: the script "${key}" writes what is tested`)
}
