/*
 * A name of a test has what it is in (files, classes, groups), what it is called, and often what it was given. Runners
 * write them in a few ways: "tests/a.py::TestCart::test_sum[1-2]", "shop tests::sums", "AuthModule > logs in",
 * "example.com/shop/cart TestTotal/empty".
 */

const GO = /^(\S+) ((?:Test|Fuzz|Example)[^\s/]*)(?:\/.*)?$/
const MARKS = [' > ', ' › ', '::', '#']
/** "packages/a: src/x.test.ts": what runs several packages has them in front. */
const PACKAGE = /^(@?[\w./-]{1,200}): (?=\S)/
/** "test_adds (tests.test_shop.Cart.test_adds)" */
const UNITTEST = /^(\w+) \([\w.]+\)$/

/** The name without parameters, subtests and amounts: the cases of one table have it in common. */
export function stemOf(name: string): string {
  if (isFileName(splitPackage(name).rest)) return name
  const open = withoutCase(name)
  return (
    open
      .replace(/\b0x[\da-f]+\b/gi, '#')
      // Hashes and the like, which a test may make anew each time.
      .replace(/(?<![\da-z])(?=[a-f]*\d)[\da-f]{7,128}(?![\da-z])/gi, '#')
      .replace(/#(?:-[\da-f]{4}){3}-#/gi, '#')
      .replace(/\d+(?:[.,]\d+)*/g, '#')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** What a test is called in its source, without where it is and without its parameters. */
export function leafOf(name: string): string {
  const go = GO.exec(name)
  if (go) return go[2] ?? name
  const unittest = UNITTEST.exec(name)?.[1]
  if (unittest !== undefined) return unittest
  const open = withoutCase(name)
  return open.slice(Math.max(0, ...MARKS.map((mark) => endOf(open, mark)))).trim()
}

/** Whether it is the name of a file, and not of a test or a class. */
export const isFileName = (name: string): boolean => /^[^\s:>]+\.[a-z]\w{0,5}$/.test(name)

/** `test_sum[1-2]` is a case of `test_sum`, `TestTotal/empty` one of `TestTotal`. */
function withoutCase(name: string): string {
  const go = GO.exec(name)
  if (go) return `${go[1]} ${go[2]}`
  const bracket = name.indexOf('[')
  return bracket > 0 && name.endsWith(']') ? name.slice(0, bracket) : name
}

/** The package that a name begins with, '' where it has none, and the rest. */
export function splitPackage(name: string): { pkg: string; rest: string } {
  const [head = '', pkg = ''] = PACKAGE.exec(name) ?? []
  return { pkg, rest: name.slice(head.length) }
}

/** The file that a name begins with, and whether it names more than that; null: it names none. */
export function fileOf(name: string): { pkg: string; file: string; whole: boolean } | null {
  const { pkg, rest } = splitPackage(name)
  const file = rest.split(/::| > | › /, 1)[0] ?? ''
  return isFileName(file) ? { pkg, file, whole: file === rest } : null
}

/** The file's path as far as it is known: from the root, where the package is told by its folder. */
export const pathIn = ({ pkg, file }: { pkg: string; file: string }): string =>
  pkg.includes('/') && !pkg.startsWith('@') ? `${pkg}/${file}` : file

/** Whether two paths may be of one file, as one of them is told from another folder. */
export const isSamePath = (one: string, other: string): boolean =>
  one === other || (other !== '' && one.endsWith(`/${other}`)) || (one !== '' && other.endsWith(`/${one}`))

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** What a name is a part of where another run may name just that: a file with its package, a package of Go. */
export function containerOf(name: string): string | null {
  const go = GO.exec(name)
  if (go) return go[1] ?? null
  const held = fileOf(name)
  return held === null || held.whole ? null : held.pkg === '' ? held.file : `${held.pkg}: ${held.file}`
}

/** Words alone, so that `Cart.Adds`, `Cart, Adds` and `cart > adds` of other runners are told alike: "Cart Adds". */
export const wordsIn = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** What a test may be called in its source, the likeliest first; none of them so short that it is found anywhere. */
export function calledIn(name: string): string[] {
  const plain = splitPackage(name).rest
  const leaf = leafOf(plain)
  const method = /^[\w.$]+$/.test(leaf) ? leaf.slice(leaf.lastIndexOf('.') + 1) : leaf
  // "Inst/Suite.Name/0" of a table of GoogleTest.
  const ofTable = /^(?:\w+\/)?(\w+\.\w+)\/\w+$/.exec(leaf)?.[1]
  const all = [leaf, leafOf(name), ofTable ?? '', method.replace(/\(.*\)$/, ''), leaf.replace(/^test /, '')]
  return [...new Set(all.map(wordsIn))].filter((one) => one.length >= SHORTEST)
}

const SHORTEST = 3

const endOf = (text: string, mark: string): number => {
  const at = text.lastIndexOf(mark)
  return at < 0 ? 0 : at + mark.length
}
