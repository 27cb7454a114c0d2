import { describe, expect, test } from 'vitest'
import { scanFixture, scanText } from '../../testing/scan-fixture.ts'
import { unittest } from './unittest.ts'

const report = (name: string) => scanFixture(unittest, `unittest/${name}`)

describe('unittest', () => {
  test.each(['failures', 'verbose'])('names failed tests, subtests, broken fixtures and modules: %s', (name) => {
    expect(report(name)).toMatchObject({ failures: 8, summary: '8 tests failed', collected: 8 })
    expect(report(name)?.findings.map(({ title }) => title)).toEqual([
      'tests.test_broken (unittest.loader._FailedTest.tests.test_broken)',
      'test_first (tests.test_cart.CartTest.test_first)',
      'setUpClass (tests.test_cart.DatabaseTest)',
      'test_each (tests.test_cart.CartTest.test_each) [times] (n=1)',
      'test_each (tests.test_cart.CartTest.test_each) [times] (n=3)',
      'test_list (tests.test_cart.CartTest.test_list)',
      'test_total (tests.test_cart.CartTest.test_total)',
    ])
  })

  test('shows the error and where it was raised', () => {
    const details = report('failures')?.findings.map((finding) => finding.detail) ?? []
    expect(details[0]).toBe("at /workspace/tests/test_broken.py:1\nModuleNotFoundError: No module named 'nowhere'")
    expect(details[1]).toBe('at /workspace/shop/cart.py:14\nIndexError: list index out of range')
    expect(details[5]).toContain("AssertionError: Lists differ: ['a', 'b', 'c'] != ['a', 'x', 'c']\nFirst differing")
  })

  test('counts an unexpected success', () => {
    expect(report('unexpected-success')).toMatchObject({
      failures: 1,
      summary: '1 test failed',
      findings: [{ title: 'test_c (__main__.T.test_c)', detail: '' }],
      collected: 3,
    })
  })

  test('counts a module that cannot be loaded if no test was found', () => {
    expect(report('nothing-collected')).toMatchObject({ failures: 1, collected: 1 })
  })

  test.each([
    ['passing', 1, '1 test passed'],
    ['passing-skips', 3, '3 tests passed'],
    ['no-tests', 0, '0 tests passed'],
  ])('is short when nothing failed, whatever was printed: %s', (name, ran, summary) => {
    expect(report(name)).toMatchObject({
      failures: 0,
      summary,
      findings: [],
      collected: ran,
    })
  })

  test('fails if it says itself that no tests ran, as it does since Python 3.12', () => {
    const output = `\n${'-'.repeat(70)}\nRan 0 tests in 0.000s\n\nNO TESTS RAN\n`
    expect(scanText(unittest, output)).toMatchObject({ failures: 1, summary: 'no tests ran', collected: 0 })
  })
})
