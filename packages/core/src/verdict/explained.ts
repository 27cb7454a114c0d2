import type { ToolTests } from '../digest/tests-run.ts'
import { AlikePaths } from './alike-paths.ts'
import { arrivals, withoutBoth } from './came-and-went.ts'
import { isCoarse, type Lacking, type Missing } from './missing-tests.ts'
import { MeantFiles } from './meant-files.ts'
import { baseOf, calledIn, fileOf, isSamePath, splitPackage } from './names.ts'
import type { Declared, TouchedFile } from './touched.ts'

/*
 * The guard of tests judges tests that the change itself removes; any other missing test was kept from running. A test
 * is removed if its first line is, and no other line of its name is new; a name that is made at run time has the words
 * of the source, in order. The number of a file falls by as many. Lines that were only changed or added explain
 * nothing: they may be what keeps the others from running.
 */

export type Change = {
  touched: readonly TouchedFile[]
  /** The paths of the commit before the change: a name may fit several files. */
  paths: readonly string[]
  /** The folder that the command enters first, '' for the root: names are relative to it. */
  folder: string
  base: readonly ToolTests[]
  now: readonly ToolTests[]
  /** The titles, in words, of tests that the work's commit still has: these are no cases of a removed test. */
  titles?: ReadonlySet<string>
}

/** The missing tests that the change does not remove. Reads each of its lines once, however many tests are missing. */
export function unexplained(
  { names, unnamed }: Pick<Missing, 'names' | 'unnamed'>,
  change: Change,
): Pick<Missing, 'names' | 'unnamed'> {
  if (names.length === 0 && unnamed === 0) return { names, unnamed }
  const account = new Account(change)
  // A name that several tests have is first matched with a file that lost such a test.
  const near = names.map((one) => account.goneNear(one))
  const open = names.flatMap((one, at): Lacking[] => {
    const rest = { ...one, fewer: one.fewer - (near[at] ?? 0) }
    const left = rest.fewer === 0 ? 0 : Math.max(0, rest.fewer - account.explain(rest))
    return left === 0 ? [] : [{ ...one, fewer: left }]
  })
  // Removed tests that explain no other name may explain names that no source shows.
  const rest = account.rest
  const hidden = open.filter(({ name }) => isOfOne(name))
  const left = hidden.reduce((sum, { fewer }) => sum + fewer, 0)
  return left <= rest
    ? { names: open.filter(({ name }) => !isOfOne(name)), unnamed: Math.max(0, unnamed - rest + left) }
    : { names: open, unnamed: Math.max(0, unnamed - rest) }
}

/** Whether it is the name of a test, rather than of a file, a class or a package. */
const isOfOne = (name: string): boolean => {
  const { rest } = splitPackage(name)
  return /\s|::|#/.test(rest) || !/[./]/.test(rest)
}

/** The most texts in which made names are searched, and the most searches. */
const MOST_MADE = 200
const MOST_TRIES = 200_000
const ENDING = /\.\w{1,6}$/

/** The removals of a change; each explains one missing test. */
class Account {
  /** By a test's name: the files that lost it, and how many times. */
  readonly #gone = new Map<string, Map<string, number>>()
  readonly #made: { parts: readonly string[]; path: string }[] = []
  /** The number of tests that each file lost to no other file, beyond its own new ones. */
  readonly #lost = new Map<string, number>()
  /** By a file that lost tests: the files that got them. */
  readonly #moved = new Map<string, Map<string, number>>()
  readonly #meant: MeantFiles
  readonly #files = new Map<string, TouchedFile>()
  /** Files of classes by name, and folders that lost all files of Go's tests, with the place where they went. */
  readonly #classes = new Map<string, string[]>()
  readonly #folders = new Map<string, string | null>()
  /** The folders among them whose tests exist nowhere else. */
  readonly #goneFolders: AlikePaths
  /** The number of tests that ran in a file beyond its former, kept and new ones. */
  readonly #arrived: (path: string) => number
  readonly #titles: ReadonlySet<string>
  /** Files that a runner names without the number of their tests. */
  readonly #uncounted: ReadonlySet<string>
  #rows = 0
  #tries = 0
  rest = 0

  constructor(change: Change) {
    this.#titles = change.titles ?? new Set()
    this.#uncounted = new Set(change.base.filter(isCoarse).flatMap(({ units }) => units.map(([name]) => name)))
    const left = new Map<string, { path: string; tests: Declared[] }>()
    // A file's own losses, less its new tests: it runs so many fewer, without those that came from other files.
    const own = new Map<string, number>()
    const came = new Map<string, string[]>()
    const formerOf = new Map(change.touched.map(({ path, former }) => [path, former ?? path]))
    for (const file of change.touched) {
      this.#files.set(file.former ?? file.path, file)
      this.#rows += file.rows
      this.#note(file)
      const { removed, added } = withoutBoth(file)
      for (const one of added) push(came, one.title, file.path)
      own.set(file.path, removed.length + file.rows)
      left.set(file.former ?? file.path, { path: file.path, tests: removed })
      if (file.former !== null) this.#moves(file.former, file.path, Infinity)
    }
    for (const [from, { tests }] of left)
      for (const one of tests) {
        const to = came.get(one.title)?.pop()
        if (to === undefined) this.#goes(from, one)
        else this.#moves(from, to, 1)
      }
    // The guard also judges tests that are now skipped.
    for (const { path, former, skipped } of change.touched) for (const one of skipped) this.#goes(former ?? path, one)
    const places = change.touched.flatMap(({ path, former }) => [path, former ?? path])
    this.#meant = new MeantFiles([...change.paths, ...places], change.folder)
    for (const path of change.paths) {
      const file = path.endsWith('_test.go') ? this.#files.get(path) : null
      if (file !== null && file?.deleted !== true && !file?.former) this.#folders.delete(folderOf(path))
    }
    for (const { path, deleted } of change.touched)
      if (!deleted && path.endsWith('_test.go')) this.#folders.delete(folderOf(path))
    for (const place of [...came.values()].flat()) own.set(place, (own.get(place) ?? 0) - 1)
    // A test that replaces another has to run, whatever its name.
    for (const place of [...came.values()].flat()) this.#takeLost(formerOf.get(place) ?? place, 1)
    const more = arrivals(change)
    const arrived = new Map<string, number>()
    this.#arrived = (path) => {
      const count = arrived.get(path) ?? (path === ELSEWHERE ? 0 : Math.max(0, more(path) + (own.get(path) ?? 0)))
      arrived.set(path, count)
      return count
    }
    this.#goneFolders = new AlikePaths(goneOf(this.#folders, change.now))
  }

  /** The number of these tests that the change removes. */
  explain(lacking: Lacking): number {
    const { name, fewer, whole } = lacking
    const file = fileOf(name)
    if (file?.whole === true) return this.#ofFile(this.#meant.of(file), fewer, !this.#uncounted.has(name))
    const example = DOC_TEST.exec(splitPackage(name).rest)
    if (example) return this.#ofExample(example[1] ?? '', example[2] ?? '', fewer)
    const paths = file === null ? [] : this.#meant.of(file)
    const taken = this.#ofNames(lacking, paths)
    if (taken > 0) return taken
    const [only = ''] = paths
    if (paths.length === 1 && this.#files.get(only)?.deleted === true) return this.#ofGoneFile(only, fewer)
    const held = this.#classOf(name)
    if (held.length > 0) return this.#ofFile(held, fewer, !this.#uncounted.has(name))
    if (this.#isPackageGone(name)) return fewer
    const rows = whole ? 0 : Math.min(fewer, this.#rows)
    this.#rows -= rows
    return rows
  }

  #note({ path: present, former, deleted }: TouchedFile): void {
    const path = former ?? present
    if (ENDING.test(path)) {
      const held = baseOf(path).replace(ENDING, '')
      for (const key of [held, `${baseOf(folderOf(path))}/${held}`]) pushFew(this.#classes, key, path)
    }
    if ((deleted || former !== null) && path.endsWith('_test.go'))
      this.#folders.set(folderOf(path), former === null ? null : folderOf(present))
  }

  #goes(path: string, { title, parts }: Declared): void {
    this.rest += 1
    this.#lost.set(path, (this.#lost.get(path) ?? 0) + 1)
    if (parts !== null && this.#made.length < MOST_MADE) this.#made.push({ parts, path })
    const places = this.#gone.get(title) ?? new Map<string, number>()
    this.#gone.set(title, places)
    places.set(path, (places.get(path) ?? 0) + 1)
  }

  #moves(from: string, to: string, count: number): void {
    const targets = this.#moved.get(from) ?? new Map<string, number>()
    this.#moved.set(from, targets)
    const target = targets.size < MOST_TARGETS || targets.has(to) ? to : ELSEWHERE
    targets.set(target, (targets.get(target) ?? 0) + count)
  }

  /**
   * If the name fits several files, each explains no more than its removed lines.
   *
   * @param counted false: any test left would make the output name it, so removed lines do not explain its absence
   */
  #ofFile(paths: readonly string[], fewer: number, counted: boolean): number {
    const touched = paths.filter((path) => this.#files.has(path) && (counted || this.#isOut(path)))
    let open = fewer
    for (const path of touched) {
      const file = this.#files.get(path)
      const whole = paths.length === 1 && (file?.deleted === true || file?.former !== null)
      open -= Math.min(open, whole ? this.#ofGoneFile(path, open) : this.#ofLines(path, open))
    }
    return fewer - open
  }

  /** Whether the file no longer exists, or has tests that are marked to be skipped. */
  #isOut(path: string): boolean {
    const file = this.#files.get(path)
    return file !== undefined && (file.deleted || file.former !== null || file.skipped.length > 0)
  }

  /** Tests that moved have to have run in their new place. */
  #ofGoneFile(path: string, fewer: number): number {
    const targets = [...(this.#moved.get(path) ?? [])]
    const lost = this.#takeLost(path, fewer)
    const renamed = this.#files.get(path)?.former !== null
    const short = targets.reduce((sum, [to, count]) => sum + Math.max(0, Math.min(count, fewer) - this.#arrived(to)), 0)
    return renamed ? Math.min(fewer, lost + sumOf(targets, (to) => this.#arrived(to))) : Math.max(0, fewer - short)
  }

  #ofLines(path: string, fewer: number): number {
    const lost = this.#takeLost(path, fewer)
    const moved = sumOf([...(this.#moved.get(path) ?? [])], (to, count) => Math.min(count, this.#arrived(to)))
    const rows = Math.min(this.#rows, this.#files.get(path)?.rows ?? 0, Math.max(0, fewer - lost - moved))
    this.#rows -= rows
    return Math.min(fewer, lost + moved + rows)
  }

  #takeLost(path: string, most: number): number {
    const lost = Math.min(this.#lost.get(path) ?? 0, most)
    this.#lost.set(path, (this.#lost.get(path) ?? 0) - lost)
    this.rest = Math.max(0, this.rest - lost)
    return lost
  }

  /** The number of these tests that a file with the words of their names lost. */
  goneNear({ name, gone, fewer }: Lacking): number {
    return fileOf(name) !== null || DOC_TEST.test(name) ? 0 : this.#taken(gone.length > 0 ? gone : [name], fewer, [], 1)
  }

  /** One definition explains all of its cases. */
  #taken(names: readonly string[], fewer: number, paths: readonly string[], least: number): number {
    const done = new Set<string>()
    let count = 0
    for (const name of names) {
      const called = calledIn(name)
      if (!called.some((key) => done.has(key)) && !this.#takes(name, called, paths, least)) continue
      for (const key of called) done.add(key)
      count += 1
    }
    return count === names.length ? fewer : Math.min(fewer, count)
  }

  #takes(name: string, called: readonly string[], paths: readonly string[], least: number): boolean {
    return called.some((key) => {
      const places = this.#gone.get(key)
      const path = places === undefined ? null : nearest(name, places, paths, least)
      if (places === undefined || path === null) return false
      const count = places.get(path) ?? 0
      if (count > 1) places.set(path, count - 1)
      else places.delete(path)
      this.#takeLost(path, 1)
      return true
    })
  }

  /** @param paths files that may contain it; empty: unknown */
  #ofNames({ name, gone, fewer }: Lacking, paths: readonly string[]): number {
    const names = gone.length > 0 ? gone : [name]
    const taken = this.#taken(names, fewer, paths, 0)
    if (taken === fewer) return fewer
    const made = names.filter((one) => this.#isMade(one, paths)).length
    return Math.max(taken, made === names.length ? fewer : Math.min(fewer, made))
  }

  #isMade(name: string, paths: readonly string[]): boolean {
    if (this.#titles.size > 0 && calledIn(name).some((title) => this.#titles.has(title))) return false
    return this.#made.some(
      ({ parts, path }) =>
        (paths.length === 0 || paths.includes(path)) && ++this.#tries < MOST_TRIES && hasInOrder(name, parts),
    )
  }

  #ofExample(file: string, item: string, fewer: number): number {
    const path = this.#meant.of({ pkg: '', file }).find((one) => this.#files.has(one))
    const touched = path === undefined ? undefined : this.#files.get(path)
    if (touched === undefined) return 0
    const own = item.split('::').at(-1) ?? ''
    return touched.deleted || touched.former !== null || touched.examples || touched.documented.has(own) ? fewer : 0
  }

  /** The file of a class, "com.example.CartTest$Inner", or of a test program. */
  #classOf(name: string): string[] {
    const plain = splitPackage(name).rest
    if (!/^[\w.$-]+$/.test(plain)) return []
    const words = plain.split('$', 1)[0]?.split('.') ?? []
    const held = words.at(-1) ?? ''
    const folders = words.slice(0, -1).join('/')
    const known = this.#classes.get(held) ?? []
    const beside = folders === '' ? [] : (this.#classes.get(`${baseOf(folders)}/${held}`) ?? [])
    const near = beside.filter((path) => isSamePath(folderOf(path), folders))
    return near.length > 0 ? near : known
  }

  /** Whether a package of Go lost all test files in its folder. */
  #isPackageGone(name: string): boolean {
    const plain = splitPackage(name).rest
    if (!/^[\w.~-]+(?:\/[\w.~-]+)*$/.test(plain)) return false
    return this.#goneFolders.has(plain)
  }
}

/** The folders without any Go tests left, or whose tests moved and ran in the new place. */
function* goneOf(folders: ReadonlyMap<string, string | null>, now: readonly ToolTests[]): Iterable<string> {
  const hasMoved = [...folders.values()].some((to) => to !== null)
  const names = hasMoved ? now.flatMap(({ units }) => units.map(([name]) => name)) : []
  const ran = new AlikePaths(names.map((name) => splitPackage(name).rest.split(' ', 1)[0] ?? ''))
  for (const [folder, to] of folders) if (to === null || ran.has(to)) yield folder
}

/** An example in Rust's documentation: "shop src/lib.rs - cart::total (line 12)". */
const DOC_TEST = /^\S+ (\S+\.rs) - (\S+) \(line/

const MOST_OF_A_NAME = 50
/** The most files that can get tests from one file. Tests that went to further ones count as not arrived. */
const MOST_TARGETS = 100
/** No path. */
const ELSEWHERE = ''

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

const push = (lists: Map<string, string[]>, key: string, value: string): void => {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

const pushFew = (lists: Map<string, string[]>, key: string, value: string): void => {
  if ((lists.get(key)?.length ?? 0) < MOST_OF_A_NAME) push(lists, key, value)
}

const sumOf = (targets: readonly (readonly [string, number])[], of: (to: string, count: number) => number): number =>
  targets.reduce((sum, [to, count]) => sum + of(to, count), 0)

/** The place with the most words of a test's name; null if none has enough, or none is one of these files. */
function nearest(
  name: string,
  places: ReadonlyMap<string, number>,
  paths: readonly string[],
  least: number,
): string | null {
  if (paths.length > 0) return paths.find((path) => places.has(path)) ?? null
  const words = new Set(name.split(/[^\w-]+/))
  let [best, most]: [string | null, number] = [null, least - 1]
  let looks = 0
  for (const place of places.keys()) {
    if (looks++ >= MOST_OF_A_NAME) break
    const score = place.split(/[/.]/).filter((part) => words.has(part)).length
    if (score > most) [best, most] = [place, score]
  }
  return best
}

function hasInOrder(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}
