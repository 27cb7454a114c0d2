/*
 * A name of a test has what it is in (files, classes, groups), what it is called, and often what it was given. Runners
 * write them in a few ways: "tests/a.py::TestCart::test_sum[1-2]", "shop tests::sums", "AuthModule > logs in",
 * "example.com/shop/cart TestTotal/empty".
 */

const GO = /^(\S+) ((?:Test|Fuzz|Example)[^\s/]*)(?:\/.*)?$/
const MARKS = [' > ', ' › ', '::', '#']

/** The name without parameters, subtests and amounts: the cases of one table have it in common. */
export function stemOf(name: string): string {
  if (isFileName(name)) return name
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

const endOf = (text: string, mark: string): number => {
  const at = text.lastIndexOf(mark)
  return at < 0 ? 0 : at + mark.length
}
