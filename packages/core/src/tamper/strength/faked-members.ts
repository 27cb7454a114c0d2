import { newTests } from '../blocks.ts'
import type { TestChange } from '../changed-tests.ts'
import { quotedLine, shortName } from '../finding-words.ts'
import { removedTexts, type PatchLine } from '../patch.ts'
import * as code from '../words.ts'

/*
 * A test that fakes what it checks: it sets, stubs or overrides a method that its own assertions call, or their object
 * is now a mock, or of a class from the tests.
 */

/** The member that a line sets, by language: the first matching group. */
const SETS: readonly (readonly [RegExp, RegExp])[] = [
  [
    /\.[cm]?[jt]sx?$/,
    /^(?:[\w$]+\.)+(\w+) = (?:async )?(?:function\b|\(.*\) =>|\w+ =>|(?:vi|jest|sinon)\.)|\b(?:spyOn|stub|replace)\([\w.$]+, ?["'](\w+)["']\)\.(?:mock(?:Return|Impl|Res)|returns|resolves|callsFake)|\bmock\.method\([\w.$]+, ?["'](\w+)["'], |\b(?:Object\.defineProperty|Reflect\.set)\([\w.$]+, ?["'](\w+)["'], |\bObject\.assign\([\w.$]+, ?\{ ?(\w+)(?::|\()/,
  ],
  [
    /\.py$/,
    /^(?!self\.)(?:\w+\.)+(\w+)(?:\.return_value)? = (?:lambda\b|(?:mock\.)?(?:Magic)?Mock\()|\bpatch(?:\.object)?\(["'\w., ]{1,200}[.,] ?["']?(\w+)["'], |\bmonkeypatch\.setattr\([\w.]+, ?["'](\w+)["']/,
  ],
  [
    /\.rb$/,
    /\ballow(?:_any_instance_of)?\([\w@.]+\)\.to receive\(:(\w+[?!]?)\)|^def @?[a-z]\w*\.(\w+[?!]?)|\.stub\(:(\w+[?!]?),|\.define_singleton_method\(:(\w+)/,
  ],
  [/\.(?:java|kt|groovy|scala)$/, /\bwhen\(\w+\.(\w+)\(|\bwhen\(\w+\)\.(\w+)\(|\bevery \{ \w+\.(\w+)\(/],
  [/\.php$/, /->method\(["'](\w+)["']\)->will/],
  [/\.cs$/, /\.Setup\(\w+ => \w+\.(\w+)/],
]
/** An anonymous class. */
const OVERRIDES =
  /\bnew \w+\([^;]*\) ?\{$|\bClass\.new(?:\(\w+\))? (?:\{|do)|\bnew class\b.* extends \w|^(?:(?:private|static|final|public|internal) )*(?:class|struct) \w+\s?(?:extends|:|<|\()\s?(?:public )?[A-Z]\w*/
/** It may have been stubbed before. */
const STUBS = /patch|spyOn|[sS]tub|[mM]ock|setattr|allow|when\(|doReturn|\.(?:\w+) = /
const METHOD =
  /\b(?:def|fun|function|override|int|long|bool|boolean|double|float|String|string|void|auto|new \w+)\s(\w+)\s?[(=]|^(?:async )?(\w+)\(.*\) ?\{$/
const BELOW = 8
/** The most candidate lines that are compared with the assertions of their file. */
const MOST_ASKED = 1000
const MOST_TRIED = 1000
const MOST_TEXT = 20_000
const MAY_SET = /=|\(|\{|\bdef\b|\bclass\b/

/** About calls, not about their results. */
const OF_CALLS =
  /\b(?:toHaveBeen\w*|called\w*|verify|have_received|received|assert_called\w*|assert_(?:any|has)_calls?|Received|mock\.\w+)\b/

const FAKES =
  /\b(?:mock|spy|mockk|spyk|createMock|createStub|createConfiguredMock|createConfiguredStub|createPartialMock|getMockBuilder|instance_double|class_double|double|Mock|MagicMock|create_autospec|Substitute\.For|A\.Fake|mocked|createMockInstance|createStubInstance|SimpleNamespace|OpenStruct\.new|Data\.define)\b ?[(<]|\bnew class\b/
/** `cart = new Cart()`, `subject(:cart) { described_class.new }`, `return Cart()`, `private readonly Cart cart = new()`. */
const MADE = /^((?:.*\s)?(?:\$this->|this\.|self\.|@)?(\w+) ?:?=|(?:subject|let!?)\(:(\w+)\) ?\{|return) (.+?)[;}]?$/
const MAKES = /\bnew [A-Z]\w*\(|\bnew\(|\b[A-Z]\w*\(|\.new\b|\b[A-Z]\w*\{|\b\w+_of\(/

/** One sentence for each file, with the line that fakes. */
export function fakedMembers(tests: readonly TestChange[]): string[] {
  const brought = new Set(
    tests.flatMap(({ lines }) =>
      lines.flatMap(({ sign, plain }) =>
        sign === '+'
          ? (/\b(?:class|struct) ([A-Z]\w*)|^type (\w+) struct\b/.exec(plain)?.slice(1).find(Boolean) ?? [])
          : [],
      ),
    ),
  )
  const makers = new Set(tests.flatMap(makersIn))
  return tests.flatMap(({ file, lines, blocks }) => {
    if (file.status === 'D' || file.status === 'A') return []
    const fresh = newTests(blocks)
    const own = (line: PatchLine, at: number): boolean =>
      line.sign === '+' && !fresh.has(blocks.ownerOf.get(line) ?? '') && !isOnNewTest(lines, at)
    const before = removedTexts(lines)
    const asked = lines
      .filter((line) => line.sign !== '-' && !fresh.has(blocks.ownerOf.get(line) ?? ''))
      .filter(({ plain }) => code.asks(plain) && !OF_CALLS.test(plain))
      .slice(0, MOST_ASKED)
    let tried = 0
    const end = file.path.endsWith('.rb') ? '(?![\\w$])' : '\\('
    const isAsked = (member: string): boolean => {
      if (++tried >= MOST_TRIED) return false
      const call = new RegExp(`(?:\\.|->)${member.replace(/[?!]$/, '\\$&')}${end}`)
      return asked.some(({ plain }) => call.test(plain))
    }
    const stubbed = [...before]
      .filter((plain) => STUBS.test(plain))
      .join('\n')
      .slice(0, MOST_TEXT)
    const isStubbed = (member: string): boolean => new RegExp(`\\b${member.replace(/[?!]$/, '')}\\b`).test(stubbed)
    const found = lines.find(
      (line, at) =>
        own(line, at) &&
        !before.has(line.plain) &&
        MAY_SET.test(line.plain) &&
        (membersSet(file.path, lines, at).some((member) => isAsked(member) && !isStubbed(member)) ||
          ((FAKES.test(line.plain) || brought.size > 0 || makers.size > 0) &&
            MADE.test(line.plain) &&
            ++tried < MOST_TRIED &&
            isMadeOtherwise(lines, line, { brought, makers }, asked, file.path))),
    )
    return found === undefined
      ? []
      : [`${shortName(file.path)} has something answer in the place of what it tests (${quotedLine(found.plain)})`]
  })
}

/** New helpers of tests with fake answers, by an anonymous class or a mock. */
function makersIn({ file, lines }: TestChange): string[] {
  if (file.status !== 'A') return []
  const name = /(?:^|\/)([A-Z]\w*)\.(?:java|kt|groovy|scala|cs|php)$/.exec(file.path)?.[1]
  const answers = lines.some(
    ({ plain }) => /\bnew [A-Z]\w*\([^;]*\) ?\{$|\bobject : [A-Z]\w*\(/.test(plain) || FAKES.test(plain),
  )
  return name !== undefined && answers ? [name] : []
}

/** A decorator belongs to the function below it. */
function isOnNewTest(lines: readonly PatchLine[], at: number): boolean {
  if (lines[at]?.plain.startsWith('@') !== true) return false
  const below = lines.slice(at + 1, at + 1 + BELOW).find(({ plain }) => code.functionOf(plain) !== null)
  return below?.sign === '+'
}

function membersSet(path: string, lines: readonly PatchLine[], at: number): string[] {
  const plain = lines[at]?.plain ?? ''
  for (const [name, pattern] of SETS) {
    const member = name.test(path) ? pattern.exec(plain)?.slice(1).find(Boolean) : undefined
    if (member !== undefined) return /^assert|^expect/.test(member) ? [] : [member]
  }
  if (!OVERRIDES.test(plain)) return []
  const below = lines.slice(at, at + 1 + BELOW).filter(({ sign }) => sign === lines[at]?.sign)
  return below.flatMap((line) => METHOD.exec(line.plain)?.slice(1).find(Boolean) ?? [])
}

/** A real object became a mock, or an object of a class from the tests. */
function isMadeOtherwise(
  lines: readonly PatchLine[],
  line: PatchLine,
  { brought, makers }: { brought: ReadonlySet<string>; makers: ReadonlySet<string> },
  asked: readonly PatchLine[],
  path: string,
): boolean {
  const [, left, variable, subject, right = ''] = MADE.exec(line.plain) ?? []
  if (left === undefined) return false
  const classes = [...right.matchAll(/\b([A-Za-z]\w*)(?=[({<]|\.new)/g)].map(([, name]) => name ?? '')
  const maker = /\b([A-Z]\w*)\.\w+\(/.exec(right)?.[1]
  const own = [
    ...classes.filter((one) => brought.has(one)),
    ...(maker !== undefined && makers.has(maker) ? [maker] : []),
  ]
  if (!FAKES.test(right) && own.length === 0) return false
  const name = variable ?? subject
  // A fixture may use another name for its result.
  const isFixture = /(?:^|\/)conftest\.py$/.test(path)
  const was = lines.some((other) => {
    const former = other.sign === '+' || other.hunk !== line.hunk ? null : MADE.exec(other.plain)
    if (former === null) return false
    const [, start, itsVariable, itsSubject, made = ''] = former
    const isSame = (itsVariable ?? itsSubject ?? 'return') === (name ?? 'return')
    return (
      (isSame || (isFixture && (start === 'return' || other.sign === '-'))) &&
      (own.length > 0 ? /\w\(/ : MAKES).test(made) &&
      !FAKES.test(made) &&
      !own.some((one) => other.plain.includes(one)) &&
      (!isFixture || other.sign === '-' || isOfOneFunction(lines, line, other))
    )
  })
  if (!was || isFixture) return was
  return name !== undefined && asked.some((line) => new RegExp(`(?<![\\w$])${name}(?:\\.|->)`).test(line.plain))
}

/** Whether no other function begins between two lines. */
function isOfOneFunction(lines: readonly PatchLine[], one: PatchLine, other: PatchLine): boolean {
  const [from, to] = [lines.indexOf(one), lines.indexOf(other)].toSorted((a, b) => a - b)
  return !lines.slice(from, to).some(({ plain }) => code.functionOf(plain) !== null)
}
