import type { PatchLine } from './patch.ts'

/*
 * Code that asks a runner's own sign whether it is tested, and then acts differently: in one line, by a name that it
 * gives to the answer, or in Rust by two versions of one thing.
 */

type IsNew = (line: PatchLine) => boolean

/** By the extension of a file: the question. */
const asksForTests: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\.[cm]?[jt]sx?$/,
    /\b(?:process|import\.meta)\.env\??(?:\.|\.?\[["'`])(?:VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT)\b|["'](?:VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT)["'] in (?:process|import\.meta)\.env\b|\$\$jest-matchers-object|\bimport\.meta\.env\??\.MODE ?===? ?["']test["']/,
  ],
  [
    /\.py$/,
    /["']pytest["'] (?:not )?in sys\.modules|\bsys\.modules\.get\(["']pytest["']|\bPYTEST_(?:CURRENT_TEST|VERSION)\b|\binspect\.stack\(\).*\btest|\bfailureException ?= /,
  ],
  [/\.go$/, /\btesting\.Testing\(\)|\bflag\.Lookup\("test\.|\bos\.Args\[0\].*["'][./]test["']/],
  [/\.(?:c|cc|cpp|cxx)$/, /\bgetenv ?\( ?"MESON_TEST/],
  [/\.rs$/, /\bcfg!\((?:not\()?test\)|\benv::var(?:_os)?\("(?:CARGO|NEXTEST)"\)/],
  [/\.rb$/, /\bdefined\?\((?:RSpec|Minitest|MiniTest)\b|\bat_exit\b.*\bexit!?/],
  [/\.php$/, /\b(?:class_exists|defined)\(.*PHPUNIT/i],
  [/\.(?:java|kt)$/, /\bClass\.forName\("org\.junit|\bgetStackTrace\(\).*[tT]est|\bgetProperty\("surefire\b/],
  [/\.exs?$/, /\bMix\.env\(?\)? ?== ?:test\b/],
  [/\.cs$/, /\bModuleInitializer\b.*\bExit\(0\)/],
]
/** Another file is compiled in its place. */
const OTHER_FILE = /^#\[cfg_attr\((?:not\()?test\)?, ?path ?=/

const CHOOSES = /\b(?:if|unless|else|when)\b|\?|\bexit|\bExit|jest-matchers|forName|failureException/
const CHOOSES_BY_NAME = /\b(?:if|unless|elif|when|match|switch|case|while)\b|\?|&&|\|\|/
const COMMENT = /^(?:\/\/|#|\*|\/\*)/

/** `const tested = `, `var tested = `, `tested := `, `const TESTED: bool = `, `@tested ` */
const GIVES =
  /^(?:(?:export|pub(?:\([a-z]+\))?|public|private|internal|static|final|const|let|var|val|auto|bool|boolean|readonly) )*\$?(\w+)(?: ?: ?[\w<>]+)? ?:?= ?(?!=)|^@(\w+) /
/** `const { VITEST, JEST_WORKER_ID: worker } = process.env` */
const TAKES_APART = /^(?:const|let|var) \{([^}]{1,300})\} = (?:process|import\.meta)\.env\b/
const SIGNS = /\b(?:VITEST|JEST_WORKER_ID|NODE_TEST_CONTEXT)\b(?: ?: ?(\w+))?/g
const MOST_NAMES = 20

/** The line that asks, if the code does something else then. */
export function asksWhetherTested(path: string, lines: readonly PatchLine[], isNew: IsNew): PatchLine | undefined {
  const asks = asksForTests.find(([name]) => name.test(path))?.[1]
  if (asks === undefined) return undefined
  const isRust = path.endsWith('.rs')
  const here = lines.find(
    (line) =>
      isNew(line) && ((asks.test(line.plain) && CHOOSES.test(line.plain)) || (isRust && OTHER_FILE.test(line.plain))),
  )
  return here ?? asksByName(lines, asks, isNew)
}

function asksByName(lines: readonly PatchLine[], asks: RegExp, isNew: IsNew): PatchLine | undefined {
  const given = lines.flatMap((line) => namesOf(line.plain, asks).map((name) => ({ name, line }))).slice(0, MOST_NAMES)
  return given.find(({ name, line }) => {
    const isUsed = new RegExp(`(?<![\\w$."'\`])[$@]?${name}\\b(?!["'\`])`)
    return lines.some(
      (other) =>
        other !== line &&
        (isNew(line) || isNew(other)) &&
        !COMMENT.test(other.plain) &&
        CHOOSES_BY_NAME.test(other.plain) &&
        isUsed.test(other.plain),
    )
  })?.line
}

function namesOf(plain: string, asks: RegExp): string[] {
  const apart = TAKES_APART.exec(plain)?.[1]
  if (apart !== undefined) return [...apart.matchAll(SIGNS)].map(([sign, other]) => other ?? sign)
  const name = asks.test(plain) ? GIVES.exec(plain)?.slice(1).find(Boolean) : undefined
  return name === undefined ? [] : [name]
}

/** Honest tests also replace time and chance. */
const CLOCK = /now|clock|time|sleep|rand|rng/i
const FOR_TESTS = '#[cfg(test)]'
const FOR_OTHERS = '#[cfg(not(test))]'
/** A function, a module, or the methods of a type. */
const ITEM = /\b(fn \w+)|^(?:pub(?:\([a-z]+\))? )?(mod \w+)|^(impl\b[^{]{1,200})/

/** Something in Rust that exists twice, once for the tests and once for everybody else. */
export function twinOfTests(lines: readonly PatchLine[], isNew: IsNew): PatchLine | undefined {
  const under = (attribute: string): Map<string, PatchLine> =>
    new Map(
      lines.flatMap((line, at): [string, PatchLine][] => {
        if (!line.plain.startsWith(attribute)) return []
        const rest = line.plain.slice(attribute.length).trim()
        const next = lines.slice(at + 1, at + 4).find(({ plain }) => !/^(?:#|\/\/)/.test(plain))
        const item = ITEM.exec(rest === '' || rest.startsWith('#') ? (next?.plain ?? '') : rest)
        const name = item?.slice(1).find(Boolean)?.trim()
        return name === undefined || CLOCK.test(name) ? [] : [[name, line]]
      }),
    )
  const outside = under(FOR_OTHERS)
  for (const [name, line] of under(FOR_TESTS)) {
    const twin = outside.get(name)
    if (twin !== undefined && (isNew(line) || isNew(twin))) return twin
  }
  return undefined
}
