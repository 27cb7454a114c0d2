import { expect, test } from 'vitest'
import { file, found } from '../../testing/sample-patch.ts'

test.each([
  ['a.test.js', '+jest.retryTimes(20)'],
  ['test/a.spec.js', '+  this.retries(50)'],
  ['a.test.ts', "-it('adds', () => {\n+it('adds', { retry: 20 }, () => {"],
  ['e2e/a.spec.ts', '+test.describe.configure({ retries: 10 })'],
  ['test_a.py', '+@pytest.mark.flaky(reruns=50)'],
  ['test_a.py', '+@flaky(max_runs=9, min_passes=1)'],
  ['ATests.cs', '+    [Retry(10)]'],
  ['ATest.java', '+    @RetryingTest(10)'],
  ['spec/a_spec.rb', "-  it 'adds' do\n+  it 'adds', retry: 10 do"],
  ['build.gradle.kts', '+        maxRetries.set(20)'],
  ['build.gradle', '+        maxRetries = 20'],
])('%s repeats a failing test: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([expect.stringContaining('repeats a failing test until it passes')])
})

test.each([
  ['a.test.js', '+jest.retryTimes(1)'],
  ['a.test.ts', "+it('adds', { retry: 2 }, () => {\n+  expect(add(1)).toBe(2)\n+})"],
  ['a.test.ts', '+  const got = await fetchAll({ retries: 5 })'],
  ['a.test.ts', '-jest.retryTimes(5)'],
  ['test_a.py', '+    client = Client(retries=5)'],
  ['build.gradle.kts', '+        maxRetries.set(1)'],
])('%s may: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})
