import { quotedLine, shortName } from './finding-words.ts'
import { isCodeFile, isTestFile } from './names-of-tests.ts'
import { patchLines, type ChangedFile } from './patch.ts'

/*
 * Code that is no test and reaches into those who judge it: it gives the runner's assertions another meaning, or is equal to
 * whatever it is compared with.
 */

/** What a line of such code has in it, as a POSIX extended regular expression: nobody reads the patches of all code. */
export const REACHING =
  '(TestCase|builtins)\\.[A-Za-z_]+ *=|setattr\\( *(builtins|unittest|pytest|_pytest|pluggy)|_pytest[.A-Za-z_]* *=|def __(eq|ne)__|def (==|eql\\?)|asymmetricMatch|boolean equals|fun equals|[Bb]ool Equals|bool +operator *[=!]=|fn eq\\(|(globalThis|global|window|Object)(\\.|\\[.)(expect|assert|describe|it|test|is)|(Runner|Test|Suite|Runnable)\\.prototype|Matchers|PYTEST_CURRENT_TEST|atexit|(VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT)|.pytest. (not )?in sys|testing\\.Testing\\(|cfg!\\(test\\)|defined\\?\\((RSpec|Minitest)|PHPUnit|org\\.junit|surefire|getStackTrace|inspect\\.stack|Mix\\.env|jest-matchers|at_exit|ModuleInitializer|os\\.Args\\[0\\]|failureException|bool Is\\(|Is\\(error\\) bool|Equal\\(.*bool \\{'

/** By the ending of a file: a line that gives what tests call another meaning. */
const others: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\.pyx?$/,
    /^(?:\w+\.)*TestCase\.\w+ ?=[^=]|^builtins\.\w+ ?=[^=]|\bsetattr\( ?(?:builtins|unittest|pytest|_pytest|pluggy)\b|^(?:_pytest|pluggy)(?:\.\w+){1,5} ?=[^=]|\batexit\.register\(.*\b_exit\b/,
  ],
  [
    /\.[cm]?[jt]sx?$/,
    /\b(?:globalThis|global|window)(?:\.|\[["'])(?:expect|assert|describe|it|test)\b["'\]]* ?=[^=>]|\b(?:Runner|Test|Suite|Runnable|Hook)\.prototype\.\w+ ?= |\bObject\.is ?= |\basymmetricMatch ?(?:\(\w*\) ?\{ ?return true|[=:] ?\(?\w*\)? ?=> ?true)/,
  ],
]

/** A line that asks whether it is tested, and goes another way if so. */
const asksForTests: readonly (readonly [RegExp, RegExp])[] = [
  [/\.[cm]?[jt]sx?$/, /\bprocess\.env\.(?:VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT)\b|\$\$jest-matchers-object/],
  [
    /\.py$/,
    /["']pytest["'] in sys\.modules|\bPYTEST_CURRENT_TEST\b|\binspect\.stack\(\).*\btest|\bfailureException ?= /,
  ],
  [/\.go$/, /\btesting\.Testing\(\)|\bos\.Args\[0\].*["'][./]test["']/],
  [/\.rs$/, /\bif cfg!\(test\)/],
  [/\.rb$/, /\bdefined\?\((?:RSpec|Minitest|MiniTest)\b|\bat_exit\b.*\bexit!/],
  [/\.php$/, /\b(?:class_exists|defined)\(.*PHPUNIT/i],
  [/\.(?:java|kt)$/, /\bClass\.forName\("org\.junit|\bgetStackTrace\(\).*[tT]est|\bgetProperty\("surefire\b/],
  [/\.exs?$/, /\bMix\.env\(?\)? ?== ?:test\b/],
  [/\.cs$/, /\bModuleInitializer\b.*\bExit\(0\)/],
]

const CHOOSES = /\b(?:if|unless|else|when)\b|\?|\bexit|\bExit|jest-matchers|forName|failureException/

/** A line with which a comparison begins, by the ending of a file, and the answer that it always gives. */
const EQUALS =
  /^(?:async )?def __eq__\(|^def (?:==|eql\?)[ (]|\bboolean equals\s?\(|\bfun equals\s?\(|\b[Bb]ool Equals\s?\(|\bbool operator ?==|\bfn eq\(|\basymmetricMatch\s?\(|^func \(.*\) (?:Equal|Is)\(.*\) bool \{/
const TRUE = /^(?:return )?(?:true|True|1);?(?: \}?;?)?$|[{=>] ?(?:return )?true;? ?\}?;?$|\): return True$/
/** What may be between the two: a comment, a brace, a text that says what it does. */
const NOTHING = /^(?:[{(]|#.*|\/\/.*|\/?\*.*|"""[^]*|'''.*|@\w+)?$/

/** One sentence for each file. Only such lines count that are new. */
export function reachingCode(files: readonly ChangedFile[]): string[] {
  return files.flatMap((file) => {
    const { path, status, patch } = file
    if (status === 'D' || isTestFile(path) || !isCodeFile(path)) return []
    const all = patchLines(patch)
    const lines = all.filter(({ sign }) => sign !== '-')
    const former = new Set(all.flatMap(({ sign, plain }) => (sign === '-' ? [plain] : [])))
    const isNew = ({ sign, plain }: { sign: string; plain: string }) => sign === '+' && !former.has(plain)
    const own = others.filter(([name]) => name.test(path)).map(([, pattern]) => pattern)
    const reaching = lines.find((line) => isNew(line) && own.some((pattern) => pattern.test(line.plain)))
    if (reaching !== undefined)
      return [`${shortName(path)} changes what tests are judged with (${quotedLine(reaching.plain)})`]
    const asks = asksForTests.find(([name]) => name.test(path))?.[1]
    const asking =
      asks === undefined
        ? undefined
        : lines.find((line) => isNew(line) && asks.test(line.plain) && CHOOSES.test(line.plain))
    if (asking !== undefined)
      return [
        `${shortName(path)} asks whether it is tested, and may do something else then (${quotedLine(asking.plain)})`,
      ]
    const equal = lines.find(({ plain }, at) => {
      if (!EQUALS.test(plain)) return false
      const below = lines.slice(at + 1, at + 7)
      const answer = TRUE.test(plain) ? lines[at] : below.find((line) => !NOTHING.test(line.plain))
      return answer !== undefined && TRUE.test(answer.plain) && isNew(answer)
    })
    return equal === undefined
      ? []
      : [`${shortName(path)} is equal to whatever it is compared with (${quotedLine(equal.plain)})`]
  })
}
