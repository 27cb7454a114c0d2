import { quotedLine } from '../finding-words.ts'
import { isTestFile } from '../../files/names-of-tests.ts'
import { withBegin } from '../../text/sorted-texts.ts'
import { patchLines, removedTexts, type ChangedFile, type PatchLine } from '../patch.ts'
import { joined } from '../project-modules.ts'

/*
 * Settings that lead a build or a runner to something new, while the old target still exists: then the tests are about
 * a copy of the code, or the runner only finds the tests of the change.
 */

const IMPORTED = /(?<!__init__)\.py$|\.(?:h|hh|hpp|hxx)$/

/** The sorted files of a commit, and those from before: a change may have any number of lines that look one up. */
export class NewPlaces {
  readonly #paths: readonly string[]
  readonly #former: readonly string[]
  #formerTests: readonly string[] | null = null
  #all: ReadonlySet<string> | null = null

  constructor(paths: readonly string[], fresh: ReadonlySet<string>) {
    this.#paths = paths.toSorted()
    this.#former = this.#paths.filter((path) => !fresh.has(path))
  }

  /** Whether this is a file, or a folder with files. */
  has(place: string): boolean {
    return isIn(this.#paths, place)
  }

  /** Whether nothing of it existed before. */
  isNew(place: string): boolean {
    return isIn(this.#paths, place) && !isIn(this.#former, place)
  }

  /** Whether tests existed below a folder, outside of this place. */
  hasTestsBeside(folder: string, place: string): boolean {
    this.#formerTests ??= this.#former.filter(isTestFile)
    return this.#formerTests.some((path) => path.startsWith(folder) && !path.startsWith(`${place}/`))
  }

  /** Whether a folder has a Python module, or a header, that the project also has elsewhere. */
  hasTwin(folder: string, root: string): boolean {
    this.#all ??= new Set(this.#paths)
    const all = this.#all
    return this.#paths.some((path) => {
      if (!path.startsWith(`${folder}/`) || !IMPORTED.test(path)) return false
      const name = path.slice(folder.length + 1)
      return [name, `src/${name}`, `include/${name}`, `${root}${name}`, `${root}src/${name}`].some(
        (one) => one !== path && all.has(one),
      )
    })
  }
}

/** Whether one of these sorted paths is this one, or below it. */
const isIn = (sorted: readonly string[], place: string): boolean =>
  withBegin(sorted, place) === place || withBegin(sorted, `${place}/`) !== undefined

type Lines = readonly PatchLine[]
type Asked = { lines: Lines; added: Lines; folder: string; places: NewPlaces }

/** The most new lines of a file that are compared with all paths. */
const MOST_LINES = 200

/** One sentence for each file. */
export function leadsElsewhere({ path, patch, status }: ChangedFile, name: string, places: NewPlaces): string[] {
  const [, kind, rule] = (status === 'D' ? undefined : rules.find(([file]) => file.test(path))) ?? []
  if (kind === undefined || rule === undefined) return []
  const lines = patchLines(patch)
  const former = removedTexts(lines)
  const added = lines.filter(({ sign, plain }) => sign === '+' && kind.test(plain) && !former.has(plain))
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const found = rule({ lines, added: added.slice(0, MOST_LINES), folder, places })
  return found === undefined
    ? []
    : [`${name} leads to something new in the place of what is still there (${quotedLine(found.plain)})`]
}

/** The path from the root for a path in a file of this folder. */
const within = (folder: string, target: string): string =>
  joined(folder.split('/').filter(Boolean), target.replace(/^<rootDir>/, '.').split('/'))

const OF_CARGO = /^(?:lib\.)?path ?=|^lib ?= ?\{|^default-members ?=|^[\w-]{1,100} ?= ?\{.*\bpath ?=/
const PATH = /^(?:lib\.)?path ?= ?"([^"]{1,300})"|^lib ?= ?\{.*\bpath ?= ?"([^"]{1,300})"/
const DEPENDENCY = /^([\w-]{1,100}) ?= ?\{.*\bpath ?= ?"([^"]{1,300})"/
/** Crates that Rust's tests use for assertions. */
const ASSERTS = /^(?:pretty_assertions|assert_\w+|rstest|claims?)$/

/** The code of a package, in the table that names its file. */
function inCargo({ lines, added, folder, places }: Asked): PatchLine | undefined {
  const tables = tablesOf(lines)
  const own = tables.names.get('[package]')
  const former = (head: string): string[] => [
    ...lines.flatMap((line) => (line.sign === '-' && tables.headOf.get(line) === head ? pathIn(line) : [])),
    head === '[[bin]]' ? 'src/main.rs' : 'src/lib.rs',
  ]
  return added.find((line) => {
    const head = /^lib\b/.test(line.plain) ? '[lib]' : (tables.headOf.get(line) ?? '')
    const members = /^default-members ?= ?\[(.*)\]/.exec(line.plain)?.[1]
    if (members !== undefined) return areNew(members, folder, places)
    const [target] = pathIn(line)
    if (target !== undefined) {
      // A program with another name is additional.
      const isCode = head === '[lib]' || (head === '[[bin]]' && tables.names.get(head) === own)
      return (
        isCode && places.isNew(within(folder, target)) && former(head).some((one) => places.has(within(folder, one)))
      )
    }
    const [, key = '', where = '.'] = DEPENDENCY.exec(line.plain) ?? []
    const isItself = within(folder, where) === within(folder, '.')
    return !isItself && (key.replaceAll('-', '_') === own || ASSERTS.test(key.replaceAll('-', '_')))
  })
}

const pathIn = ({ plain }: PatchLine): string[] => PATH.exec(plain)?.slice(1).filter(Boolean) ?? []

/** The TOML table of each line, and the names in the current tables. */
function tablesOf(lines: Lines): { headOf: Map<PatchLine, string>; names: Map<string, string> } {
  const headOf = new Map<PatchLine, string>()
  const names = new Map<string, string>()
  let head = ''
  for (const line of lines) {
    if (line.sign !== '-' && line.plain.startsWith('[')) head = line.plain
    headOf.set(line, head)
    const name = line.sign === '-' ? undefined : /^name ?= ?"([\w-]+)"/.exec(line.plain)?.[1]
    if (name !== undefined && !names.has(head)) names.set(head, name.replaceAll('-', '_'))
  }
  return { headOf, names }
}

/** Whether all quoted places are new. */
function areNew(text: string, folder: string, places: NewPlaces): boolean {
  const all = quotedIn(text).map((one) => within(folder, one))
  return all.length > 0 && all.every((one) => one !== '' && places.isNew(one))
}

const MOST_PLACES = 10
const quotedIn = (text: string): string[] =>
  [...text.matchAll(/["'`]([^"'`]{1,300})["'`]/g)].slice(0, MOST_PLACES).map(([, one = '']) => one)

const REPLACE = /^(?:replace )?([\w./-]+)(?: v\S+)? => (\.{1,2}\/\S+)/

function inGoMod({ lines, added, folder, places }: Asked): PatchLine | undefined {
  return added.find(({ plain: now }) => {
    const [, module = '', target = ''] = REPLACE.exec(now) ?? []
    if (!places.isNew(within(folder, target))) return false
    const former = lines
      .filter(({ sign }) => sign === '-')
      .flatMap(({ plain }) => (REPLACE.exec(plain)?.[1] === module ? (REPLACE.exec(plain)?.[2] ?? []) : []))
    if (former.length > 0) return former.some((one) => places.has(within(folder, one)))
    return lines.some(({ sign, plain }) => sign === ' ' && plain.replace(/^require /, '').startsWith(`${module} v`))
  })
}

/** A workspace names no versions: whatever it replaces is a dependency of its modules. */
const inGoWork = ({ added, folder, places }: Asked): PatchLine | undefined =>
  added.find(({ plain }) => places.isNew(within(folder, REPLACE.exec(plain)?.[2] ?? '')))

/** Settings for a runner's folders of tests, or for its settings file. */
const OF_RUNNER =
  /["']?\b(preset|rootDir|roots|projects|modulePaths|moduleDirectories)["']? ?: ?(\[[^\]]{0,500}(?:\]|$)|["'`][^"'`]{1,300}["'`])/
const OPTION =
  /\b(?:jest|vitest|mocha|ava|playwright)\b.*\s(?:--(?:env|environment|root|rootDir|roots|projects|preset|config|testRunner|runner|spec|dir)|-c)[ =](\.{0,2}\/?[\w@][\w./@-]*)/

function inRunner({ lines, added, folder, places }: Asked): PatchLine | undefined {
  const known = new Set(lines.flatMap(({ sign, plain }) => (sign === ' ' ? (OF_RUNNER.exec(plain)?.[1] ?? []) : [])))
  return added.find((line) => {
    const [, key, value = ''] = OF_RUNNER.exec(line.plain) ?? []
    const target = OPTION.exec(line.plain)?.[1] ?? ''
    const isOpen = value.startsWith('[') && !value.endsWith(']')
    const words = key === undefined ? `"${target}"` : isOpen ? listBelow(lines, line) : value
    // An entry in an existing list is additional.
    if ((key !== undefined && known.has(key)) || !areNew(words, folder, places)) return false
    return places.hasTestsBeside(folder, within(folder, quotedIn(words)[0] ?? ''))
  })
}

/** Reads the rest of a list, one entry a line, up to its end. */
function listBelow(lines: Lines, line: PatchLine): string {
  const at = lines.indexOf(line)
  const below = lines.slice(at + 1, at + 1 + MOST_PLACES).filter(({ sign }) => sign !== '-')
  const end = below.findIndex(({ plain }) => plain.startsWith(']'))
  return end < 0
    ? ''
    : below
        .slice(0, end)
        .map(({ plain }) => plain)
        .join(' ')
}

const PYTHONPATH = /^pythonpath ?= ?(.+)$/

const inPytest = ({ added, folder, places }: Asked): PatchLine | undefined =>
  added.find(({ plain }) => leadsToTwin(PYTHONPATH.exec(plain)?.[1] ?? '', folder, places))

/** Whether one of these words is a new folder that has a module or header of the project, too. */
function leadsToTwin(words: string, folder: string, places: NewPlaces): boolean {
  const found = (words.match(/[\w./-]+/g) ?? []).slice(0, MOST_PLACES).map((one) => within(folder, one))
  return found.some((one) => one !== '' && places.isNew(one) && places.hasTwin(one, folder))
}

/** Entries by which others, and its own tests, import a package. */
const ENTRY =
  /^["'](main|module|browser|import|require|default|\.|[.#]\/?[\w./-]{1,100})["'] ?: ?["'](\.{0,2}\/?[\w./-]{1,300}\.[cm]?[jt]sx?)["']/

function inPackage(asked: Asked): PatchLine | undefined {
  const { lines, added, folder, places } = asked
  const gone = lines.filter(({ sign }) => sign === '-').flatMap(({ plain }) => [ENTRY.exec(plain)?.slice(1) ?? []])
  const entry = added.find(({ plain }) => {
    const [, key, target = ''] = ENTRY.exec(plain) ?? []
    if (key === undefined || !places.isNew(within(folder, target))) return false
    return gone.some(([other, former = '']) => other === key && places.has(within(folder, former)))
  })
  return entry ?? inRunner(asked)
}

const INCLUDES = /include_directories ?\(/

const inCMake = ({ added, folder, places }: Asked): PatchLine | undefined =>
  added.find(({ plain }) => {
    const words = plain.slice(plain.search(INCLUDES)).replace(/\$\{\w*SOURCE_DIR\}\/?/g, '')
    return leadsToTwin(words, folder, places)
  })

/** By the name of a file: the lines to examine, and their rule. */
const rules: readonly (readonly [RegExp, RegExp, (asked: Asked) => PatchLine | undefined])[] = [
  [/(?:^|\/)Cargo\.toml$/, OF_CARGO, inCargo],
  [/(?:^|\/)go\.mod$/, REPLACE, inGoMod],
  [/(?:^|\/)go\.work$/, REPLACE, inGoWork],
  [/(?:^|\/)(?:CMakeLists\.txt|[^/]*\.cmake)$/, INCLUDES, inCMake],
  [/(?:^|\/)package\.json$/, new RegExp([ENTRY, OF_RUNNER, OPTION].map(({ source }) => source).join('|')), inPackage],
  [/(?:^|\/)(?:\.?pytest\.(?:ini|toml)|pyproject\.toml|setup\.cfg|tox\.ini)$/, PYTHONPATH, inPytest],
  [
    /(?:^|\/)(?:(?:vitest|vite|jest|playwright)\.(?:config|workspace)\.[\w.]+|jest\.config\.json)$/,
    OF_RUNNER,
    inRunner,
  ],
]
