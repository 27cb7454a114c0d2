import { quotedLine, shortName } from '../finding-words.ts'
import { formerPath, type ChangedFile, type PatchLine } from '../patch.ts'
import { importedFrom, importIn, isTestCode, type Places } from '../project-modules.ts'
import * as code from '../words.ts'

/*
 * Complete tests that no longer test the project, because something stands in for its code: it is imported from a new
 * file, defined in the test itself, or mocked in its own test.
 */

/** `paths` are those of the commit with the change; `changed` differ, and `fresh` are new. */
export type Around = { paths: readonly string[]; fresh: ReadonlySet<string>; changed: ReadonlySet<string> }

type Tests = { file: ChangedFile; lines: readonly PatchLine[] }

/** Around a mock: the rest of the module stays unchanged. */
const PARTLY = /importActual|requireActual|importOriginal|createMockFromModule|\bspy: true|\.\.\./
const NEAR = 12

/** One sentence for each file. */
export function standIns(tests: readonly Tests[], around: Around, known: Places): string[] {
  return tests.flatMap(({ file, lines }) => {
    if (file.status === 'D' || file.status === 'A') return []
    const found =
      importedElsewhere(file, lines, around, known) ??
      definedHere(file, lines, known) ??
      mocked(file, lines, known) ??
      ownModule(file, lines)
    return found === undefined
      ? []
      : [`${shortName(file.path)} has something of its own in the place of what it tests (${quotedLine(found)})`]
  })
}

function importedElsewhere(
  file: ChangedFile,
  lines: readonly PatchLine[],
  { fresh }: Around,
  known: Places,
): string | undefined {
  const before = formerPath(file)
  const gone = new Map<string, Set<string>>()
  for (const { names, from } of importsOf(file, lines, '-')) {
    const former = known.of(before, from)
    // A helper of the tests may be replaced, and code that moved is tested in its new place.
    if (former === undefined || isTestCode(former)) continue
    for (const name of names.length > 0 ? names : [NAMELESS]) gone.set(name, (gone.get(name) ?? new Set()).add(from))
  }
  return importsOf(file, lines, '+').find(({ names, from }) => {
    const target = known.of(file.path, from)
    if (target === undefined || !fresh.has(target) || !isTestCode(target)) return false
    return (names.length > 0 ? names : [NAMELESS]).some((name) => {
      const former = gone.get(name)
      return former !== undefined && (former.size > 1 || !former.has(from))
    })
  })?.plain
}

/** Used as the name for an import without names. */
const NAMELESS = ''

const importsOf = (file: ChangedFile, lines: readonly PatchLine[], sign: '-' | '+') =>
  lines.flatMap((line) => {
    const found = line.sign === sign ? importIn(file.path, line.plain) : null
    return found === null ? [] : [{ ...found, plain: line.plain }]
  })

/** The functions that assertions call, with their owners: `sum`, `cart.total`. */
const callsIn = (lines: readonly PatchLine[]): ReadonlySet<string> =>
  new Set(
    lines.flatMap(({ sign, plain }) =>
      sign !== '-' && code.isAssertion(plain)
        ? [...plain.matchAll(/(?<![\w.$])([\w.$]+)\(/g)].map(([, name = '']) => name)
        : [],
    ),
  )

const DEFINED = /^(?:export )?(?:async )?(?:function\*?|const|let|var|class|def) (\w+)\b|^(\w+) = (?!\2\b)/

/** `const { total } = { total: () => 6 }`; an import of that form is none. */
const TAKEN_APART = /^(?:const|let|var) \{ ?([^}=]{1,300}?) ?\} = (?!(?:await )?(?:import|require)\b|\(await import)/

function definedHere(file: ChangedFile, lines: readonly PatchLine[], known: Places): string | undefined {
  const names = importedFrom(file, lines, known, ' -')
  if (names.size === 0) return undefined
  const still = importedFrom(file, lines, known, ' +')
  const called = callsIn(lines)
  return lines.find(({ sign, plain }) => {
    const found = sign === '+' && importIn(file.path, plain) === null ? DEFINED.exec(plain) : null
    const apart = sign === '+' && importIn(file.path, plain) === null ? TAKEN_APART.exec(plain)?.[1] : undefined
    if (apart?.match(/\w+/g)?.some((one) => names.has(one) && called.has(one)) === true) return true
    const name = found?.[1] ?? found?.[2]
    if (name === undefined || !names.has(name)) return false
    // A class of that name replaces the former import.
    return called.has(name) || (/^(?:export )?class\b/.test(plain) && !still.has(name))
  })?.plain
}

/** A Rust test that uses only a module of its own, and no longer names the crate. */
function ownModule(file: ChangedFile, lines: readonly PatchLine[]): string | undefined {
  if (!/(?:^|\/)tests\/[^/]+\.rs$/.test(file.path)) return undefined
  const named = /^use (?!std\b|core\b|alloc\b|super\b|self\b|crate\b)(\w+)::/
  const there = lines.filter(({ sign }) => sign !== '-')
  const lost = lines.some(({ sign, plain }) => {
    const name = sign === '-' ? named.exec(plain)?.[1] : undefined
    return name !== undefined && !there.some((line) => line.plain.includes(`${name}::`))
  })
  const own = new Set(there.flatMap(({ plain }) => /^(?:pub )?mod (\w+)\b/.exec(plain)?.[1] ?? []))
  return lost
    ? there.find(({ sign, plain }) => sign === '+' && own.has(named.exec(plain)?.[1] ?? ''))?.plain
    : undefined
}

const MOCKS =
  /\b(?:(?:jest|vi)\.(?:mock|doMock|setMock|unstable_mockModule)|mock\.module)\((?:import\()?["'](\.[^"']{1,300})["']/
const SPIES =
  /\b(?:jest|vi|sinon|t\.mock|mock)\.(?:spyOn|stub|method|replace)\((\w+), ?["'](\w+)["']|\bmonkeypatch\.setattr\((\w+), ?["'](\w+)["']|\bpatch\.object\((\w+), ?["'](\w+)["']|^(\w+)\.(\w+) = /

const MEMBER = /\b(?:setattr|patch)\( ?["']([\w.]{1,200})\.(\w+)["']/

function mocked(file: ChangedFile, lines: readonly PatchLine[], known: Places): string | undefined {
  const names = importedFrom(file, lines, known, ' ')
  if (names.size === 0) return undefined
  const called = callsIn(lines)
  const asked = new Set([...names].flatMap(([name, { from }]) => (called.has(name) ? [from] : [])))
  return lines.find(({ sign, plain }, at) => {
    if (sign !== '+') return false
    const module = MOCKS.exec(plain)?.[1]
    if (module !== undefined) {
      const below = lines.slice(at, at + NEAR).filter((line) => line.sign !== '-')
      if (below.some((line) => PARTLY.test(line.plain))) return false
      return asked.has(module)
    }
    const [, whole = '', last = ''] = MEMBER.exec(plain) ?? []
    // The name is a text: it also changes the module for code that imported all of it.
    if (last !== '' && known.whole(whole) !== undefined)
      return endsOf(whole).some((name) => names.has(name) && called.has(`${name}.${last}`))
    const [owner, member] = (SPIES.exec(plain)?.slice(1) ?? []).filter(Boolean)
    return owner !== undefined && member !== undefined && names.has(owner) && called.has(`${owner}.${member}`)
  })?.plain
}

/** `a.b.c`, `b.c` and `c` */
const endsOf = (whole: string): string[] => {
  const parts = whole.split('.')
  return parts.map((_, at) => parts.slice(at).join('.'))
}
