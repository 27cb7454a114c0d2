import { shortName } from '../finding-words.ts'
import { isCodeFile, isTestFile } from '../names-of-tests.ts'
import { patchLines, type ChangedFile } from '../patch.ts'
import { joined, type Places } from '../project-modules.ts'

/*
 * npm runs `pretest` before `test` and `posttest` after it, whatever the command says: what they write decides what is tested.
 */

const ENTRY = /^"((?:pre|post)(?:tests?|check|verify|ci)(?:[:_-][^"\\]{0,80})?)" ?: ?"((?:[^"\\]|\\.){1,1000})"/
const WRITES =
  /\b(?:cp|mv|rm|ln|tee|rsync|install)\s|\bsed\s+(?:-\w+\s+)*-i|\bgit\s+(?:checkout|restore|apply|stash)\b|>|\b(?:write|copy|rename|unlink|symlink|append|rm|cp|remove)\w*\(|\bopen\(.*["'][wa]b?["']/
const MANIFEST = 'package.json'
const PATH = /[\w@./*-]+/g

/** Where the names of files in a command end: each piece between quotes, and each word. */
const QUOTES = /\\?["']/
const BETWEEN_WORDS = /[\s"'`\\;|&()<>=,{}$]+/
/** A file lies below so many folders with such scripts at most; nobody needs more, and each means other files by its words. */
const MOST_FOLDERS = 20

/** One sentence for each file of scripts. `files`: of the change, which a script may start; `known`: of the commit. */
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

/** Words of a line that writes, which may be paths. */
const writtenIn = (line: string): readonly string[] => (WRITES.test(line) ? (line.match(PATH) ?? []) : [])

/** The files of a change, each of which is read once, however many commands start it. */
class StartedFiles {
  readonly #files: ReadonlyMap<string, ChangedFile>
  readonly #written = new Map<string, ReadonlySet<string>>()
  /** By file and folder, as the words of a file mean others in each. */
  readonly #answers = new Map<string, Map<string, boolean>>()

  constructor(files: readonly ChangedFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]))
  }

  /** Whether a file that the command names, below this folder, writes what is tested. */
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
