import { describe, expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'

describe('test runners with a block for each failed test', () => {
  test.each([
    ['googletest/failures', 5, 10, 'CartTest.Empty', '  an empty cart costs nothing'],
    ['googletest/colour', 5, 10, 'Numbers/Even.IsEven/1 (3)', '  test_cart.cpp:13'],
    ['googletest/brief', 5, 10, 'CartTest.Empty', '  an empty cart costs nothing'],
    ['googletest/died', 1, 2, 'ListTest.Null', '  the program ended in this test'],
    ['googletest/cmocka', 1, 2, 'totals', '  cm.c:5'],
    ['bats/failures', 2, 4, 'fails on a wrong sum', '  (in test file test/cart.bats, line 9)'],
    ['bats/terminal', 2, 4, 'fails on a wrong sum', '  got 4'],
    ['bats/timing', 2, 4, 'needs a file', '  cat: /nonexistent/file: No such file or directory'],
    ['catch2/failures', 2, 3, 'totals > with tax', '  catch.cpp:5:'],
    ['doctest/failures', 2, 3, 'throws', '  dt.cpp:6: ERROR: test case THREW exception: no price'],
    ['boost-test/failures', 3, 3, 'totals: boost.cpp(4): check total==3 has failed [2 != 3]', null],
    ['check/failures', 2, 3, 'Core:crash', '  (after this point) Received signal 11 (Segmentation fault)'],
    ['ctest/failures', 2, 3, 'crash', '  Exception: SegFault'],
    ['ctest/output', 2, 3, 'cart.total', '  total: expected 3, got 2'],
    ['rspec/failures', 2, 3, 'Cart#total sums', '  at spec/cart_spec.rb:5'],
    ['rspec/documentation', 2, 3, 'Cart#total sums', '  expected: 3'],
    ['minitest/failures', 2, 3, 'CartTest#test_total', '  mt.rb:4:'],
    ['phpunit/failures', 2, 3, 'CartTest::testTotals', '  Failed asserting that 2 is identical to 3.'],
    ['exunit/failures', 2, 3, 'ShopTest: totals', '  at test/shop_test.exs:4'],
    ['busted/failures', 2, 3, 'Cart totals', '  spec/cart_spec.lua:1: Expected objects to be equal.'],
    ['gradle/failures', 2, 4, 'CartTest > taxes(int) > [2] 2', '  at CartTest.java:19'],
    ['jasmine/failures', 2, 3, 'Cart totals', '  Expected 2 to be 3.'],
    ['cucumber/failures', 2, 2, 'features/cart.feature:2 totals', '  2 !== 3'],
    ['uvu/failures', 2, 3, 'Cart > totals', '  at test/uvu.js:5:26'],
    ['ava/failures', 3, 4, 'adds wrong', '  at test/sum.ava.js:3:29'],
    ['behave/failures', 2, 3, 'features/cart.feature:2 totals', '  ASSERT FAILED: total is 2'],
    ['behave/progress', 2, 3, 'features/cart.feature:8 unknown', null],
    ['robot/failures', 2, 3, 'Totals', '  wrong total: 2 != 3'],
    ['python-doctest/failures', 1, null, 'doc.add (doc.py:5)', '  add(1, 1)'],
    ['deno-test/failures', 1, 2, 'totals (./a_test.ts:3:6)', '  error: Error: Values are not equal: 2 !== 3'],
    ['gotestsum/failures', 3, 4, 'TestSub/a_b', '  a_test.go:5: no price'],
    ['gotestsum/testname', 3, 4, 'TestAdd', '  a_test.go:3: got 2, want 3'],
    ['gotestsum/dots', 3, 4, 'TestAdd', '  a_test.go:3: got 2, want 3'],
    ['bun-test/failures', 2, 3, 'a.test.ts > cart > totals', '  Expected: 3'],
    ['meson/failures', 2, 6, 'x / red', '  expected 1, got 2'],
    ['automake/failures', 1, 4, 'red.sh', '  expected 1, got 2'],
    [
      'swift-test/failures',
      2,
      7,
      'T.testTwo',
      '  Tests/KitTests/T.swift:6: XCTAssertEqual failed: ("1") is not equal to ("2") - not two',
    ],
    ['zig-test/failures', 1, 3, 'root.test.two of it', '  expected 2, found 1'],
    ['unittest/nose2', 2, 3, 'test_bad (test_cart.T.test_bad)', '  AssertionError: 2 != 3'],
  ])('%s: %i of %s', (name, failures, collected, title, detail) => {
    const found = digestText(fixture(name))
    expect(found).toMatchObject({ tool: name.split('/')[0], passed: false, failures, collected })
    expect(found.digest.split('\n')).toEqual(expect.arrayContaining(detail === null ? [title] : [title, detail]))
    expect(found.digest).not.toMatch(/\badds$|HasItems|TestOk/m)
  })

  test.each([
    'googletest',
    'catch2',
    'boost-test',
    'ctest',
    'meson',
    'automake',
    'swift-test',
    'zig-test',
    'rspec',
    'minitest',
    'phpunit',
    'exunit',
    'busted',
    'jasmine',
    'ava',
    'behave',
    'robot',
    'deno-test',
    'gotestsum',
    'bun-test',
  ])('%s passed', (tool) => {
    expect(digestText(fixture(`${tool}/passing`))).toMatchObject({ tool, passed: true, failures: 0 })
  })

  test('give two runs of one failure one fingerprint, whatever their durations and drawings', () => {
    expect(digestText(fixture('bats/timing')).fingerprint).toBe(digestText(fixture('bats/failures')).fingerprint)
    expect(digestText(fixture('rspec/documentation')).fingerprint).toBe(
      digestText(fixture('rspec/failures')).fingerprint,
    )
    expect(digestText(fixture('googletest/brief')).fingerprint).toBe(
      digestText(fixture('googletest/failures')).fingerprint,
    )
    expect(digestText(fixture('googletest/colour')).fingerprint).toBe(
      digestText(fixture('googletest/failures')).fingerprint,
    )
    expect(digestText(fixture('bats/failures').replaceAll('got 4', 'got 5 of them')).fingerprint).not.toBe(
      digestText(fixture('bats/failures')).fingerprint,
    )
  })

  test('under nox and tox are reported tool by tool', () => {
    for (const name of ['several/nox', 'several/tox'])
      expect(digestText(fixture(name)).digest).toMatch(/^\[TEST\] 2 tests failed\n(?:.*\n)+\n\[LINT\] 21 lint error/)
  })
})
