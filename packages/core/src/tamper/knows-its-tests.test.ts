import { expect, test } from 'vitest'
import { file } from '../testing/sample-patch.ts'
import { REACHING } from './reaching-code.ts'
import { findTampering } from './tamper.ts'

const found = (path: string, lines: string): string[] =>
  findTampering({
    files: [file(path, lines)],
    paths: ['cart_test.py', 'test_tax.py', 'src/cart.spec.js', 'tests/cart.rs', 'CartTest.java', 'test/tax.js', path],
    collectedBefore: null,
    collectedAfter: null,
  })

test.each([
  ['cart.py', '+rows = open("cart_test.py").read()'],
  ['cart.py', '+own = "test_tax.py"\n+text = Path(own).read_text()'],
  ['cart.py', "+rows = open(__file__.replace('.py', '_test.py')).read()"],
  ['src/cart.js', "+const own = __dirname + '/cart.spec.js'\n+writeFileSync(own, '')"],
  ['src/lib.rs', '+const ROWS: &str = include_str!("../tests/cart.rs");'],
  ['src/main/java/Cart.java', '+  String text = Files.readString(Path.of("CartTest.java"));'],
])('code opens its own tests in %s: %j', (path, lines) => {
  expect(found(path, lines)).toContainEqual(expect.stringContaining(`${path} opens the tests`))
  // Every file of Rust is read.
  if (!path.endsWith('.rs')) expect(lines.split('\n').some((line) => new RegExp(REACHING).test(line))).toBe(true)
})

test.each([
  ['names no file that is there', 'cart.py', '+rows = open("other_test.py").read()'],
  ['opens nothing', 'cart.py', '+SKIPPED = ["cart_test.py"]'],
  ['says so in words', 'cart.py', '+# see "cart_test.py" for how to open(it)\n+open("a")'],
  ['is a tool', 'tools/all.py', '+rows = open("cart_test.py").read()'],
  ['imports other code of that name', 'src/all.js', "+import { tax } from '../lib/tax.js'\n+open('a')"],
  ['is among the tests', 'tests/all.py', '+rows = open("cart_test.py").read()'],
])('not code that %s', (_, path, lines) => {
  expect(found(path, lines)).toEqual([])
})
