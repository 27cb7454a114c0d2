import { expect, test } from 'vitest'
import { failedTests, isUnread } from './failed-tests.ts'

const nameOf = (finding: string) => failedTests([finding])[0]?.name

test.each([
  ['vitest: auth.test.ts > AuthModule > testLogin | AssertionError: expected a > b', 'testLogin'],
  ['jest: ● AuthModule › testLogout (auth.test.js) | expect(received).toBe(expected)', 'testLogout'],
  ['node-test: AuthModule > logs in (auth.test.js) | AssertionError', 'logs in'],
  ['mocha: waits for what never comes | Error: Timeout of <time> exceeded', 'waits for what never comes'],
  ['minitest: CartTest#test_total | mt.rb:#: Expected: #', 'test_total'],
  ['phpunit: CartTest::testTotals | wrong total', 'testTotals'],
  ['cargo-test: tests::first_of_none | panicked at lib.rs', 'first_of_none'],
  ['unittest: test_first (tests.test_cart.CartTest.test_first) | at cart.py', 'test_first'],
  ['exunit: ShopTest: totals | Assertion with == failed', 'totals'],
  ['maven: com.example.BadTest.even(int)[#] | org.opentest#j.AssertionFailedError', 'even'],
  ['gradle: ListTest > isEmpty() | java.lang.NullPointerException', 'isEmpty'],
  ['googletest: CartTest.Empty | test_cart.cpp:#', 'Empty'],
  ['playwright: [chromium] › auth.spec.ts:#:# › AuthModule › testLogin | Error', 'testLogin'],
])('the name of a failed test is found in %s', (finding, name) => {
  expect(nameOf(finding)).toBe(name)
})

test.each([
  ['adds # and #', `test('adds 1 and 2', () => {})`],
  ['testLogin', 'def testLogin(self):'],
  ['TestAdds', 'func TestAdds(t *testing.T) {'],
  ['Empty', 'TEST(CartTest, Empty) {'],
  ['adds (a+b)?', 'it("adds (a+b)?", () => {})'],
])('the name %j is found where it is written', (name, source) => {
  const [found] = failedTests([`vitest: a.test.ts > ${name} | x`])
  const pattern = new RegExp((found?.inSource ?? '').replaceAll('[[:space:]]', '\\s'))
  expect(source).toMatch(pattern)
  expect('  // something about testing it').not.toMatch(pattern)
})

test('a text that is no name is left out, and a name is there once', () => {
  expect(failedTests(['generic: ', 'pytest: a', 'go-test: TestA | one', 'go-test: TestA | two'])).toHaveLength(1)
})

test('a file whose tests cannot be collected is told from a test that fails', () => {
  for (const finding of [
    'vitest: broken.test.ts | Error: Cannot find module',
    'jest: ● Test suite failed to run (broken.test.js) | Cannot find module',
    'pytest: test_import.py | ModuleNotFoundError',
    'playwright: broken.spec.ts failed to load | Error',
  ])
    expect([finding, isUnread(finding)]).toEqual([finding, true])
  for (const finding of ['vitest: a.test.ts > adds | Error', 'phpunit: CartTest::testTotals | x', 'mocha: adds'])
    expect([finding, isUnread(finding)]).toEqual([finding, false])
})
