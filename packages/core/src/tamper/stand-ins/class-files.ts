import { isInTestFolder, isTestFile } from '../../files/names-of-tests.ts'

/* Finds the project's own files of Ruby, Elixir and PHP by the classes in them. */

const snake = (name: string): string => name.replace(/([a-z\d])([A-Z])/g, '$1_$2').toLowerCase()

const isOfTests = (path: string): boolean => isTestFile(path) || isInTestFolder(path)

/** Folders below which autoloaders look for a class by its full name. */
const ROOT = /(?<=^|\/)(?:lib|src|app)\//g
const MOST_ROOTS = 10

/** The paths of a commit; each index is made on first use, as few changes look for a class. */
export class ClassFiles {
  readonly #paths: ReadonlySet<string>
  #stems: ReadonlyMap<string, readonly string[]> | null = null
  #rooted: ReadonlySet<string> | null = null

  constructor(paths: ReadonlySet<string>) {
    this.#paths = paths
  }

  /** The file of a class or module in Ruby and Elixir: `ShoppingCart` in `lib/shopping_cart.rb`. */
  of(name: string): string | undefined {
    const parts = name.split(/::|\./).map(snake)
    this.#stems ??= byStem(this.#paths)
    const found = this.#stems.get(parts.at(-1) ?? '') ?? []
    return parts.length === 1 ? found[0] : found.find((path) => `/${path}`.includes(`/${parts[0]}/`))
  }

  /** Whether an autoloader of Ruby finds the full name in a file of the project. */
  isRuby(name: string): boolean {
    return this.#isRooted(`${name.split('::').map(snake).join('/')}.rb`)
  }

  /** The same for PHP. The first parts of a namespace may stand for a folder. */
  isPhp(namespace: readonly string[], name: string): boolean {
    if (namespace.some((part) => /^Tests?$/i.test(part))) return false
    return [...namespace.keys(), namespace.length].some((from) =>
      this.#isRooted(`${[...namespace.slice(from), name].join('/')}.php`),
    )
  }

  #isRooted(end: string): boolean {
    this.#rooted ??= belowRoots(this.#paths)
    return this.#rooted.has(end)
  }
}

/** The most files of one name that are compared. */
const MOST_ALIKE = 100

function byStem(paths: Iterable<string>): Map<string, string[]> {
  const stems = new Map<string, string[]>()
  for (const path of paths) {
    const stem = /(?:^|\/)([^/]+)\.(?:rb|ex)$/.exec(path)?.[1]
    if (stem === undefined || isOfTests(path)) continue
    const alike = stems.get(stem) ?? []
    if (alike.length < MOST_ALIKE) alike.push(path)
    stems.set(stem, alike)
  }
  return stems
}

function belowRoots(paths: Iterable<string>): Set<string> {
  const rooted = new Set<string>()
  for (const path of paths) {
    if (!/\.(?:rb|php)$/.test(path) || isOfTests(path)) continue
    rooted.add(path)
    const roots = [...path.matchAll(ROOT)].slice(0, MOST_ROOTS)
    for (const { index, 0: root } of roots) {
      const below = path.slice(index + root.length)
      rooted.add(below)
      // Each folder of Rails' `app` is one by itself.
      if (root === 'app/' && path.endsWith('.rb')) rooted.add(below.replace(/^[^/]+\/(?:concerns\/)?/, ''))
    }
  }
  return rooted
}
