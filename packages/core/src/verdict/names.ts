/*
 * The name of a test has its place (files, classes, groups), its title, and often its parameters. Runners use a few
 * forms: "tests/a.py::TestCart::test_sum[1-2]", "shop tests::sums", "AuthModule > logs in",
 * "example.com/shop/cart TestTotal/empty".
 */

const GO = /^(\S+) ((?:Test|Fuzz|Example)[^\s/]*)(?:\/.*)?$/
const MARKS = [' > ', ' › ', '::', '#']
/** "packages/a: src/x.test.ts": a program that runs several packages prints the package in front. */
const PACKAGE = /^(@?[\w./-]{1,200}): (?=\S)/
/** "test_adds (tests.test_shop.Cart.test_adds)" */
const UNITTEST = /^(\w+) \([\w.]+\)$/

/** The name without parameters, subtests and amounts: all cases of one table share it. */
export function stemOf(name: string): string {
  if (isFileName(splitPackage(name).rest)) return name
  const open = withoutCase(name)
  return (
    open
      .replace(/\b0x[\da-f]+\b/gi, '#')
      // Hashes and the like, which a test may create anew each time.
      .replace(/(?<![\da-z])(?=[a-f]*\d)[\da-f]{7,128}(?![\da-z])/gi, '#')
      .replace(/#(?:-[\da-f]{4}){3}-#/gi, '#')
      .replace(/\d+(?:[.,]\d+)*/g, '#')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** The name of a test in its source, without its place and its parameters. */
export function leafOf(name: string): string {
  const go = GO.exec(name)
  if (go) return go[2] ?? name
  const unittest = UNITTEST.exec(name)?.[1]
  if (unittest !== undefined) return unittest
  const open = withoutCase(name)
  return open.slice(Math.max(0, ...MARKS.map((mark) => endOf(open, mark)))).trim()
}

/** Whether it is the name of a file, rather than of a test or a class. */
export const isFileName = (name: string): boolean => /^[^\s:>]+\.[a-z]\w{0,5}$/.test(name)

/** `test_sum[1-2]` is a case of `test_sum`, `TestTotal/empty` is one of `TestTotal`. */
function withoutCase(name: string): string {
  const go = GO.exec(name)
  if (go) return `${go[1]} ${go[2]}`
  const bracket = name.indexOf('[')
  return bracket > 0 && name.endsWith(']') ? name.slice(0, bracket) : name
}

/** The package in front of a name, or '', and the rest. */
export function splitPackage(name: string): { pkg: string; rest: string } {
  const [head = '', pkg = ''] = PACKAGE.exec(name) ?? []
  return { pkg, rest: name.slice(head.length) }
}

/** The file in front of a name; `whole`: the name has nothing more. Null: it names no file. */
export function fileOf(name: string): { pkg: string; file: string; whole: boolean } | null {
  const { pkg, rest } = splitPackage(name)
  const file = rest.split(/::| > | › /, 1)[0] ?? ''
  return isFileName(file) ? { pkg, file, whole: file === rest } : null
}

/** The known part of the file's path: from the root, if the package's folder is known. */
export const pathIn = ({ pkg, file }: { pkg: string; file: string }): string =>
  pkg.includes('/') && !pkg.startsWith('@') ? `${pkg}/${file}` : file

/** Whether two paths may be the same file, one of them relative to another folder. */
export const isSamePath = (one: string, other: string): boolean =>
  one === other || (other !== '' && one.endsWith(`/${other}`)) || (one !== '' && other.endsWith(`/${one}`))

export const baseOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** The container of a name, if another run may name just that: a file with its package, a package of Go. */
export function containerOf(name: string): string | null {
  const go = GO.exec(name)
  if (go) return go[1] ?? null
  const held = fileOf(name)
  return held === null || held.whole ? null : held.pkg === '' ? held.file : `${held.pkg}: ${held.file}`
}

/** Only words, so that `Cart.Adds`, `Cart, Adds` and `cart > adds` of different runners are alike: "Cart Adds". */
export const wordsIn = (name: string): string => name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** Possible names of a test in its source, the likeliest first; none is so short that it is found anywhere. */
export function calledIn(name: string): string[] {
  const plain = splitPackage(name).rest
  const leaf = leafOf(plain)
  const method = /^[\w.$]+$/.test(leaf) ? leaf.slice(leaf.lastIndexOf('.') + 1) : leaf
  // "Inst/Suite.Name/0" in a table of GoogleTest.
  const ofTable = /^(?:\w+\/)?(\w+\.\w+)\/\w+$/.exec(leaf)?.[1]
  const all = [leaf, leafOf(name), ofTable ?? '', method.replace(/\(.*\)$/, ''), leaf.replace(/^test /, '')]
  return [...new Set(all.map(wordsIn))].filter((one) => one.length >= SHORTEST)
}

const SHORTEST = 3

const endOf = (text: string, mark: string): number => {
  const at = text.lastIndexOf(mark)
  return at < 0 ? 0 : at + mark.length
}
