import { expect, test } from 'vitest'
import { file } from '../../testing/sample-patch.ts'
import { findTampering } from '../tamper.ts'

const about = (path: string, others: readonly string[], text = '') =>
  findTampering({
    files: text === '' ? [] : [file(path, text.replace(/^/gm, '+'), 'A')],
    all: [{ path, status: 'A' }],
    paths: [path, ...others],
    collectedBefore: null,
    collectedAfter: null,
  })

const ofCs = 'namespace Shop.Tests;\npublic class Cart\n{\n}'

test.each([
  ['tests/shop/cart.py', 'shop/cart.py'],
  ['shop/cart/__init__.py', 'shop/cart.py'],
  ['src/test/java/com/shop/Cart.java', 'src/main/java/com/shop/Cart.java'],
  ['src/test/groovy/com/shop/Cart.groovy', 'src/main/java/com/shop/Cart.java'],
  ['src/test/scala/com/shop/Cart.scala', 'src/main/scala/com/shop/Cart.scala'],
  ['src/main/resources/com/shop/Cart.class', 'src/main/java/com/shop/Cart.java'],
  ['Shop.Tests/Cart.cs', 'Shop/Cart.cs', ofCs],
  ['spec/cart.rb', 'lib/cart.rb', 'class Cart\nend'],
  ['gems/shop/test/shop/cart.rb', 'gems/shop/lib/shop/cart.rb', 'module Shop\nend'],
  ['src/cart.js', 'src/cart.ts'],
  ['__mocks__/@shop/cart.js', 'packages/cart/package.json'],
])('%s is found before %s', (fresh, code, text = '') => {
  expect(about(fresh, [code], text)).toEqual([`${fresh} is found in the place of ${code}`])
  expect(about(fresh.replace(/[cC]art/, 'other'), [code], text)).toEqual([])
})

test('a header beside sources of tests is found first', () => {
  const project = ['src/cart.h', 'src/config.h', 'tests/test_cart.c']
  expect(about('tests/cart.h', project)).toEqual(['tests/cart.h is found in the place of src/cart.h'])
  expect(about('tests/config.h', project)).toEqual([])
  expect(about('tests/stubs/cart.h', project)).toEqual([])
})

test.each([
  ['the file is one of tests', 'Shop.Tests/Cart.cs', 'Shop/Cart.cs', '[Fact]\npublic void Total() {'],
  ['the class is another', 'Shop.Tests/Cart.cs', 'Shop/Cart.cs', 'public class CartTests {'],
  ['it is a program', 'Shop.Tests/Program.cs', 'Shop/Program.cs', 'class Program {'],
  ['it has tests', 'spec/cart.rb', 'lib/cart.rb', "describe Cart do\n  it 'adds' do"],
  ['it only declares types', 'src/cart.js', 'src/cart.d.ts', ''],
  ['the mock is one of another package', '__mocks__/axios.js', 'packages/cart/package.json', ''],
  ['the mock has to be asked for', 'src/__mocks__/cart.js', 'packages/cart/package.json', ''],
  ['it is for tests', 'test/cart.js', 'src/cart.ts', ''],
  ['it lies elsewhere', 'spec/support/cart.rb', 'lib/cart.rb', 'class Basket'],
])('not if %s', (_, fresh, code, text) => {
  expect(about(fresh, [code], text)).toEqual([])
})

test('not if it takes the place of one that is gone', () => {
  expect(about('src/cart.js', [])).toEqual([])
  expect(about('shop/cart/__init__.py', ['shop/cart/total.py'])).toEqual([])
})
