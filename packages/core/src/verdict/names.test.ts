import { expect, test } from 'vitest'
import { isFileName, leafOf, stemOf } from './names.ts'

test.each([
  ['tests/a.py::TestCart::test_sum[1-2]', 'tests/a.py::TestCart::test_sum'],
  ['example.com/shop TestTotal/empty cart', 'example.com/shop TestTotal'],
  ['adds 1 and 2.5', 'adds # and #'],
  ['keeps <0x7f00aa>', 'keeps <#>'],
  ['job 3f2b8c9d-1a2b-4c3d-8e4f-0123456789ab ends', 'job # ends'],
  ['is defaced', 'is defaced'],
])('%s is a case of %s', (name, stem) => {
  expect(stemOf(name)).toBe(stem)
})

test.each([
  ['tests/a.py::TestCart::test_sum[1-2]', 'test_sum'],
  ['shop tests::sums', 'sums'],
  ['AuthModule > logs in', 'logs in'],
  ['example.com/shop TestTotal/empty', 'TestTotal'],
  ['CartTest#test_total', 'test_total'],
])('%s is called %s', (name, leaf) => {
  expect(leafOf(name)).toBe(leaf)
})

test("the name of a file is no test's name", () => {
  expect(['tests/test_a.py', 'a.test.ts', 'src/lib.rs'].every(isFileName)).toBe(true)
  expect(['adds up', 'a.py::test_x', 'com.example.CartTest'].some(isFileName)).toBe(false)
})
