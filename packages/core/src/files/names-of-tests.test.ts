import { describe, expect, test } from 'vitest'
import { each, file, found, renamed } from '../testing/sample-patch.ts'
import { hasRunnerName, isCodeFile, isTestFile } from './names-of-tests.ts'

test.each([
  'src/base64/tests.ts',
  'src/base64/test.mjs',
  'lib/spec.js',
  'src/__tests__/x.ts',
  'types/index.test-d.ts',
  'test/test-parse.js',
  'tests/unit/helper-test.gts',
  'shop/tests.py',
  'shop/test.py',
  'shop/test_models.py',
  'shop/models_tests.py',
  'qa/TestCart.py',
  'qa/testCart2.py',
  'qa/CartTest.py',
  't/basic.t',
  'xt/pod.t',
  't/lib/Helper.pm',
  'src/test/kotlin/CartTest.kt',
  'app/src/androidTest/java/Cart.kt',
  'core/src/CartSuite.scala',
  'src/CartSpecs.cs',
  'Shop.Tests/Cart.cs',
  'ShopTests/Cart.swift',
  'ui-tests/cart.rs',
  'src/tests.rs',
  'src/parse/tests/numbers.rs',
  'src/parse_tests.rs',
  'test/cart.bats',
  'features/cart.feature',
  'features/steps/cart.py',
  'tests/cart.phpt',
  'tests/smoke',
  'cmd/cart_test.go',
  'lib/cart_spec.cr',
  'test/runtests.jl',
  'test/cart_SUITE.erl',
  'Cart.Tests.ps1',
  'contracts/Cart.t.sol',
  'src/signals_unittest.cc',
  'src/signals_unit_test.cpp',
  'src/signals-test.cpp',
  'src/signals.test.c',
  'base/signals_gtest.cc',
  'src/tst_signals.cpp',
  'unittests/ADT/signals.cpp',
  'src/__specs__/cart.ts',
  'scripts/cart-test.sh',
])('%s holds tests', (path) => {
  expect(isTestFile(path)).toBe(true)
})

test.each([
  'src/latest.js',
  'src/contest.py',
  'src/testing.py',
  'src/testimonials.py',
  'src/Attestation.java',
  'src/Latest.java',
  'src/protest.rb',
  'src/inspect.ts',
  'src/bits-latest.c',
  'src/tst.cpp',
  'src/aspects/a.ts',
  'src/test-utils.md',
  'tests/README',
  'tests/README.md',
  'tests/data/big.json',
  'test/fixtures/a.test.js',
  'node_modules/a/a.test.js',
  'src/tests.css',
  'src/features/auth/login.tsx',
])('%s holds none', (path) => {
  expect(isTestFile(path)).toBe(false)
})

test('a file is known by the name that its runner knows, wherever it is', () => {
  expect(hasRunnerName('src/base64/tests.ts')).toBe(true)
  expect(hasRunnerName('tests/helper.ts')).toBe(false)
  expect(isCodeFile('t/basic.t')).toBe(true)
})

describe('weaker tests in other forms', () => {
  test.each([
    ['src/base64/tests.ts', "test('encodes', () => {\n  expect(encode('a')).toBe('YQ==')\n})"],
    ['t/encode.t', "subtest 'encodes' => sub {\n  is(encode('a'), 'YQ==');\n  ok $done;\n};"],
    ['test/encode.bats', '@test "encodes" {\n  run encode a\n  [ "$status" -eq 0 ]\n  assert_output "YQ=="\n}'],
    ['features/encode.feature', 'Scenario: Encodes\n  Given the text "a"\n  Then it is "YQ=="'],
    ['src/encode.zig', 'test "encodes" {\n  try std.testing.expect(eql(encode("a"), "YQ=="));\n}'],
  ])('%s', (path, text) => {
    const [first = '', ...body] = text.split('\n')
    expect(found(file(path, each(text, '-')))).toEqual([
      expect.stringMatching(/the test "[eE]ncodes" is gone/),
      expect.stringMatching(/lost \d assertion/),
    ])
    expect(found(file(path, ` ${first}\n${each(body.join('\n'), '-')}\n+nothing`))).toEqual([
      expect.stringMatching(/lost \d assertion/),
    ])
  })

  test('a scenario that gets a tag by which runners leave it out', () => {
    expect(found(file('features/a.feature', '+@wip\n Scenario: Adds\n   Then it is 2'))).toEqual([
      'features/a.feature has 1 new marker that keeps tests from running (wip)',
    ])
  })
})

describe('snapshots', () => {
  const one = 'exports[`adds 1`] = `3`;\n'
  const snap = 'src/__snapshots__/add.test.js.snap'

  test('that are deleted, wholly or in part, while their tests stay', () => {
    expect(found(file(snap, each(one, '-'), 'D'))).toEqual([`${snap}, a snapshot, was deleted`])
    expect(found(file(snap, each(one, '-')))).toEqual([`${snap} lost 1 snapshot`])
    expect(found(file('tests/snapshots/api__add.snap', '-3', 'D'))).toEqual([
      'tests/snapshots/api__add.snap, a snapshot, was deleted',
    ])
  })

  test('that are new, changed, or moved with their tests are fine', () => {
    expect(found(file(snap, each(one, '+'), 'A'))).toEqual([])
    expect(found(file(snap, '-exports[`adds 1`] = `3`;\n+exports[`adds 1`] = `4`;'))).toEqual([])
    expect(found(renamed('src/add.test.js', 'src/sum.test.js'), file(snap, each(one, '-'), 'D'))).toEqual([])
    const inline = file('src/add.test.js', '-  expect(add(1, 2)).toMatchSnapshot()\n+  expect(add(1, 2)).toBe(3)')
    expect(found(inline, file(snap, each(one, '-'), 'D'))).toEqual([])
  })
})
