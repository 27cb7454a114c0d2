import { describe, expect, test } from 'vitest'
import { findTampering } from '../tamper.ts'

const PATHS = ['src/sum.js', 'src/api.js', 'test/sum.test.js', 'test/fake.js', 'test/helpers.js']

function found(path: string, patch: string, fresh: readonly string[] = [], paths: readonly string[] = PATHS): string[] {
  const file = { path, status: 'M', cut: false, patch: `@@ -1 +1 @@\n${patch}` }
  const all = [...fresh.map((one) => ({ path: one, status: 'A' })), file]
  return findTampering({ files: [file], all, paths, collectedBefore: null, collectedAfter: null })
}

const js = (head: string, within = '') => `${head}\n test('adds', () => {\n${within}   expect(sum(1, 2)).toBe(3)\n })\n`
const own = ' import { sum } from "../src/sum.js"'

describe('something replaces the subject of a test', () => {
  test.each([
    ['imported from beside it', js('-import { sum } from "../src/sum.js"\n+import { sum } from "./fake.js"')],
    ['required from beside it', js("-const { sum } = require('../src/sum')\n+const { sum } = require('./fake')")],
    ['mocked', js(`${own}\n+vi.mock('../src/sum.js', () => ({ sum: () => 3 }))`)],
    ["mocked by Bun or Node's runner", js(`${own}\n+mock.module('../src/sum.js', () => ({ sum: () => 3 }))`)],
    ['defined in the test', js(own, '+  const sum = () => 3\n')],
    ['taken from an object in the test', js(own, '+  const { sum } = { sum: () => 3 }\n')],
    [
      'a class in the test',
      js('-import { Sum } from "../src/sum.js"\n+class Sum {\n import { sum } from "../src/sum.js"'),
    ],
    [
      'imported by another name',
      js('-import { sum } from "../src/sum.js"\n+import { sum as real } from "../src/sum.js"\n+const sum = () => 3'),
    ],
  ])('in JavaScript: %s', (_, patch) => {
    expect(found('test/sum.test.js', patch, ['test/fake.js'])).toEqual([
      expect.stringContaining('something of its own in the place of what it tests'),
    ])
  })

  test.each([
    [
      'the code moved',
      js('-import { sum } from "../lib/sum.js"\n+import { sum } from "../src/sum.js"'),
      ['src/sum.js'],
    ],
    [
      'a helper of tests moved',
      js('-import { make } from "./helpers.js"\n+import { make } from "./fake.js"'),
      ['test/fake.js'],
    ],
    ['it is imported from where all is', js(`-${own.slice(1)}\n+import { sum } from "../src/api.js"`), ['src/api.js']],
    [
      'something else is mocked',
      js(`${own}\n import { get } from "../src/api.js"\n+vi.mock('../src/api.js', () => ({ get: () => 3 }))`),
      [],
    ],
    [
      'a part is mocked',
      js(`${own}\n+vi.mock('../src/sum.js', async (own) => ({ ...(await own()), log: vi.fn() }))`),
      [],
    ],
    [
      'a value has the name of nothing that is called',
      js(' import { sum, one } from "../src/sum.js"', '+  const one = 1\n'),
      [],
    ],
  ])('not if %s', (_, patch, fresh) => {
    expect(found('test/sum.test.js', patch, fresh)).toEqual([])
  })

  const paths = ['shop/cart.py', 'shop/__init__.py', 'tests/test_cart.py', 'tests/fake.py']
  const python = (head: string, call = 'cart.total') =>
    `${head}\n def test_total():\n     assert ${call}([1, 2]) == 3\n`
  test.each([
    ['imported from beside it', python('-from shop.cart import total\n+from fake import total', 'total')],
    ['defined in the test', python(' from shop.cart import total\n+total = lambda x: sum(x)', 'total')],
    ['patched', python(' from shop import cart\n import shop.cart as cart\n+@patch.object(cart, "total", sum)')],
    ['set', python(' import shop.cart as cart\n+cart.total = sum')],
  ])('in Python: %s', (_, patch) => {
    expect(found('tests/test_cart.py', patch, ['tests/fake.py'], paths)).toEqual([
      expect.stringContaining('something of its own in the place of what it tests'),
    ])
  })
})
