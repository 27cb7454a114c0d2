import { shortName } from '../finding-words.ts'
import { isCodeFile, isTestFile } from '../../files/names-of-tests.ts'
import { patchLines, type ChangedFile } from '../patch.ts'
import { joined, type Places } from '../project-modules.ts'

/*
 * npm runs `pretest` before `test` and `posttest` after it, whatever the command says: they may write tested files.
 */

const ENTRY = /^"((?:pre|post)(?:tests?|check|verify|ci)(?:[:_-][^"\\]{0,80})?)" ?: ?"((?:[^"\\]|\\.){1,1000})"/
const WRITES =
  /\b(?:cp|mv|rm|ln|tee|rsync|install)\s|\bsed\s+(?:-\w+\s+)*-i|\bgit\s+(?:checkout|restore|apply|stash)\b|>|\b(?:write|copy|rename|unlink|symlink|append|rm|cp|remove)\w*\(|\bopen\(.*["'][wa]b?["']/
const MANIFEST = 'package.json'
const PATH = /[\w@./*-]+/g

/** Borders of file names in a command: the text between quotes, and each word. */
const QUOTES = /\\?["']/
const BETWEEN_WORDS = /[\s"'`\\;|&()<>=,{}$]+/
/** The most folders with such scripts above a file; the file's words name other files in each. */
const MOST_FOLDERS = 20

/** One sentence for each file of scripts. `files`: the change's, which a script may start; `known`: the commit's. */
export function hookScripts(read: readonly ChangedFile[], files: readonly ChangedFile[], known: Places): string[] {
  const manifests = read.flatMap((file) => {
    const entries = entriesOf(file)
    return entries.length === 0 ? [] : [{ path: file.path, entries }]
  })
  if (manifests.length === 0) return []
  const started = new StartedFiles(files)
  return manifests.flatMap(({ path, entries }) => {
    const folder = path.slice(0, -MANIFEST.length)
    const isTested = (word: string): boolean => {
      const whole = folder + word.replace(/^(?:\.{1,2}\/)+/, '')
      return isTestFile(whole) || (known.has(whole) && isCodeFile(whole))
    }
    const found = entries.find(
      ({ command }) =>
        command.split(/&&|;/).some((part) => writtenIn(part).some(isTested)) ||
        started.writeAny(command, folder, isTested),
    )
    return found ? [`${shortName(path)}: the script "${found.key}" writes what is tested`] : []
  })
}

/** The scripts that a change adds to a `package.json`. */
function entriesOf({ path, patch, status }: ChangedFile): { key: string; command: string }[] {
  if (status === 'D' || (path !== MANIFEST && !path.endsWith(`/${MANIFEST}`))) return []
  return patchLines(patch).flatMap(({ sign, plain }) => {
    const [, key = '', command = ''] = (sign === '+' && ENTRY.exec(plain)) || []
    return key === '' ? [] : [{ key, command }]
  })
}

/** Words of a line that writes, each a possible path. */
const writtenIn = (line: string): readonly string[] => (WRITES.test(line) ? (line.match(PATH) ?? []) : [])

/** The files of a change; each is read once, however many commands start it. */
class StartedFiles {
  readonly #files: ReadonlyMap<string, ChangedFile>
  readonly #written = new Map<string, ReadonlySet<string>>()
  /** By file and folder, because the words of a file name other files in each folder. */
  readonly #answers = new Map<string, Map<string, boolean>>()

  constructor(files: readonly ChangedFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]))
  }

  /** Whether a file that the command names, below this folder, writes a tested file. */
  writeAny(command: string, folder: string, isTested: (word: string) => boolean): boolean {
    const names = [...command.split(QUOTES), ...command.split(BETWEEN_WORDS)]
    return names.some((name) => {
      const file = this.#files.get(folder + joined([], name.trim().split('/')))
      return file !== undefined && this.#writes(file, folder, isTested)
    })
  }

  #writes(file: ChangedFile, folder: string, isTested: (word: string) => boolean): boolean {
    const answers = this.#answers.get(file.path) ?? new Map<string, boolean>()
    this.#answers.set(file.path, answers)
    const known = answers.get(folder)
    if (known !== undefined) return known
    const answer = answers.size >= MOST_FOLDERS || [...this.#words(file)].some(isTested)
    answers.set(folder, answer)
    return answer
  }

  #words({ path, patch }: ChangedFile): ReadonlySet<string> {
    const known = this.#written.get(path)
    if (known) return known
    const added = patchLines(patch).filter(({ sign }) => sign === '+')
    const words = new Set(added.flatMap(({ plain }) => writtenIn(plain)))
    this.#written.set(path, words)
    return words
  }
}
