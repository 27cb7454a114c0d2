import { quotedLine, shortName } from './finding-words.ts'
import { isCodeFile, isTestFile } from '../files/names-of-tests.ts'
import { patchLines, removedTexts, type ChangedFile } from './patch.ts'
import { importIn } from './project-modules.ts'

/*
 * Code that opens the files of its own tests: it finds the expected results there, or rewrites them. A project's code
 * names a test file only if it works on tests; such programs are in a folder of tools.
 */

const NAMED = /["'`/]([\w.-]{1,100}\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|c|cc|cpp|cxx))["'`]/g
/** The other file of the same name: `__file__.replace('.py', '_test.py')`. */
const BESIDE =
  /\b(?:__file__|__filename|import\.meta\.(?:url|filename)|__FILE__|file!\(\)).*["'`](?:_test|\.test|\.spec|test_)/
const OPENS =
  /\b(?:open|fopen|ifstream|ofstream|fstream|include_str!|include!|read\w*|write\w*|unlink\w*|rename\w*|copy\w*|rm|rmSync|Read\w*|Write\w*|Remove\w*|Rename\w*|Files\.\w+|Scanner|FileReader|FileWriter)\b!?\s*[({<.]|\binclude(?:_str)?!\(/
export const OF_TOOLS =
  /(?:^|\/)(?:bin|cmd|tools?|scripts?|build\w*|ci|dev|tasks?|gulp\w*|generators?|examples?|hack|\.\w+)\/|(?:^|\/)(?:gen|build|setup|noxfile|tasks|[Gg]ulpfile|[Gg]runtfile)[^/]*$|config|eslint/

/** One sentence for each file. `paths` are the commit's. */
export function opensItsTests(files: readonly ChangedFile[], paths: readonly string[]): string[] {
  let names: ReadonlySet<string> | null = null
  return files.flatMap(({ path, status, patch }) => {
    if (status === 'D' || isTestFile(path) || !isCodeFile(path) || OF_TOOLS.test(path)) return []
    const lines = patchLines(patch)
    if (!lines.some(({ sign, plain }) => sign !== '-' && OPENS.test(plain))) return []
    const former = removedTexts(lines)
    const found = lines.find(({ sign, plain }) => {
      if (sign !== '+' || former.has(plain) || /^(?:\/\/|#|\*)/.test(plain)) return false
      if (BESIDE.test(plain)) return true
      // Other code may have the name of a helper of the tests.
      const imported = importIn(path, plain)?.from
      if (imported !== undefined && !isTestFile(imported)) return false
      const named = [...plain.matchAll(NAMED)].map(([, name = '']) => name)
      if (named.length === 0) return false
      names ??= new Set(paths.filter(isTestFile).map((one) => one.slice(one.lastIndexOf('/') + 1)))
      return named.some((name) => names?.has(name))
    })
    return found === undefined
      ? []
      : [`${shortName(path)} opens the tests that it is tested by (${quotedLine(found.plain)})`]
  })
}
