import { newTests } from '../blocks.ts'
import type { TestChange } from '../changed-tests.ts'
import { quotedLine, shortName } from '../finding-words.ts'
import { removedTexts, type PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/*
 * A test that produces the result that it expects: it raises the expected error, expects the code's own result, writes
 * the file that it compares with, or always exits well. Also tests that nothing calls any more.
 */

const NEAR = 6
export const EXPECTS_ERRORS =
  /\b(?:raises|assertRaises\w*|assertThrows\w*|Throws\w*|expectException\w*|assert_raises?|raise_error|should_panic|toThrow\w*|rejects|EXPECT_THROW|REQUIRE_THROWS\w*)\b/
const RAISES = /(?:^|\{ ?|-> ?|=> ?\{? ?)(?:raise [A-Z]\w*|throw new \\?[A-Z]\w*|throw [A-Z:]\w*|panic!\()/
/** `const wanted = cart.total()` */
const SET_TO =
  /^(?:(?:const|let|var|val|auto|final|int|long|String|double) ){0,2}([\w.]+) ?:?= (.{3,200}?\(.{0,200}?\));?$/

const OF_C = /\.(?:c|cc|cpp|cxx)$/

type Rule = (path: string, lines: readonly PatchLine[], at: number) => boolean

const rules: readonly Rule[] = [
  raisesItself,
  expectsWhatItGets,
  writesWhatItReads,
  (path, lines, at) =>
    OF_C.test(path) &&
    /^return (?:0|EXIT_SUCCESS|true);$/.test(lines[at]?.plain ?? '') &&
    lines
      .slice(Math.max(0, at - 3), at + 4)
      .some(
        ({ sign, plain }) => sign === '-' && /^return [^;]*\b\w*(?:fail|err|status|result|rc|ret)\w*\b/i.test(plain),
      ),
  (path, lines, at) =>
    path.endsWith('_test.go') && /\bflag\.Bool\("(?:update|golden|regen)\w*", ?true\b/.test(lines[at]?.plain ?? ''),
]

/** At most one sentence for each file. */
export const ownResults = (tests: readonly TestChange[]): string[] =>
  tests.flatMap(({ file, lines, blocks }) => {
    if (file.status === 'D' || file.status === 'A') return []
    const fresh = newTests(blocks)
    const former = removedTexts(lines)
    const found = lines.find(
      (line, at) =>
        line.sign === '+' &&
        !former.has(line.plain) &&
        !fresh.has(blocks.ownerOf.get(line) ?? '') &&
        rules.some((rule) => rule(file.path, lines, at)),
    )
    const name = shortName(file.path)
    if (found !== undefined) return [`${name} gives itself what it asks for (${quotedLine(found.plain)})`]
    const lost = lostCall(file.path, lines)
    return lost === undefined ? [] : [`${name} no longer asks what it asked (${quotedLine(lost)})`]
  })

/** Whether the test raises the error instead of calling the code. */
function raisesItself(_: string, lines: readonly PatchLine[], at: number): boolean {
  const own = lines[at]
  if (!own || !RAISES.test(own.plain)) return false
  const near = lines.slice(Math.max(0, at - NEAR), at + 1).filter(({ hunk, sign }) => hunk === own.hunk && sign !== '-')
  const begin = near.findLastIndex(({ plain }) => code.isDeclaration(plain))
  const expects = [...near.slice(Math.max(0, begin)), own].some(({ plain }) => EXPECTS_ERRORS.test(plain))
  const marked = lines
    .slice(Math.max(0, at - NEAR), at)
    .some(({ plain, sign }) => sign !== '-' && plain.startsWith('#[should_panic'))
  if (!expects && !marked) return false
  const gone = lines
    .slice(Math.max(0, at - NEAR), at + NEAR)
    .filter(({ sign, hunk }) => sign === '-' && hunk === own.hunk)
  return gone.some(({ plain }) => /\w\(.*\)/.test(plain) && !RAISES.test(plain))
}

/** Both sides of the comparison come from the same call. */
function expectsWhatItGets(_: string, lines: readonly PatchLine[], at: number): boolean {
  const own = lines[at]
  const [, name = '', value = ''] = SET_TO.exec(own?.plain ?? '') ?? []
  if (name === '' || !own) return false
  const word = new RegExp(`(?<![\\w.])${name.replaceAll('.', '\\.')}(?![\\w(])`)
  // A line between the two may change the result of the call.
  return lines
    .slice(at + 1, at + 1 + NEAR)
    .filter(({ sign }) => sign !== '-')
    .slice(0, 1)
    .some(
      ({ hunk, plain }) =>
        hunk === own.hunk &&
        code.asks(plain) &&
        (plain.startsWith('if') || !DIFFERS.test(plain.replace(value, ''))) &&
        plain.includes(value) &&
        word.test(plain.replace(value, '')),
    )
}

/** It asks for the distance between two values, or for a difference. */
const DIFFERS = / - |[<>]|!=|\bnot\b|[nN]ot[A-Z_]|_ne!/

/** `path.write_text(text)` before a comparison with the file, unless somebody asks for an update. */
function writesWhatItReads(_: string, lines: readonly PatchLine[], at: number): boolean {
  const own = lines[at]
  const [, written] =
    /^(?:await )?(\w+)\.write_(?:text|bytes)\(/.exec(own?.plain ?? '') ??
    /\b(?:writeFile(?:Sync)?|os\.WriteFile|fs::write|File\.write|file_put_contents)\(([^,]{1,100}),/.exec(
      own?.plain ?? '',
    ) ??
    []
  if (written === undefined || !own) return false
  const around = lines
    .slice(Math.max(0, at - NEAR), at + NEAR)
    .filter(({ sign, hunk }) => sign !== '-' && hunk === own.hunk)
  if (around.some(({ plain }) => /update|regen|bless|golden ?\)|record|overwrite/i.test(plain))) return false
  const reads = new RegExp(`${written.replace(/[^\w\s]/g, '\\$&')}(?:\\.read_|[,)])`)
  return around.some((line) => line !== own && line.sign === ' ' && reads.test(line.plain) && /read/i.test(line.plain))
}

/** A test in C that nothing calls any more, or the expected output of a Go example. */
function lostCall(path: string, lines: readonly PatchLine[]): string | undefined {
  const now = new Set(lines.flatMap(({ sign, plain }) => (sign === '+' ? [plain] : [])))
  const pattern = path.endsWith('_test.go')
    ? /^\/\/ (?:Unordered )?[oO]utput:/
    : OF_C.test(path)
      ? /^(?:RUN_TEST\(\w+\)|(?:test_\w+|\w+_test|check_\w+)\(\));$/
      : undefined
  if (pattern === undefined) return undefined
  const gone = lines.filter(({ sign, plain }) => sign === '-' && pattern.test(plain) && !now.has(plain))
  const came = lines.filter(({ sign, plain }) => sign === '+' && pattern.test(plain))
  if (gone.length <= came.length) return undefined
  // If the whole test was removed, another rule looks at that.
  const name = /(\w+)\)?(?:\(\))?;$/.exec(gone[0]?.plain ?? '')?.[1]
  const isDefinedYet = (one: string): boolean =>
    lines.some(({ sign, plain }) => sign === ' ' && new RegExp(`\\b${one}\\(`).test(plain))
  if (name !== undefined) return isDefinedYet(name) ? gone[0]?.plain : undefined
  return lines.some(({ sign, plain }) => sign === '-' && plain.startsWith('func Example')) ? undefined : gone[0]?.plain
}
