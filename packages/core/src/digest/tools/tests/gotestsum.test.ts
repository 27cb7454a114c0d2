import { expect, test } from 'vitest'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'
import { missingTests } from '../../../verdict/missing-tests.ts'

const testsOf = (text: string, command: string, exitCode = 0) => digestText(text, { command }, exitCode).tests

/** Output of gotestsum 1.13 for three packages; one has no test to run, and one skips its only test. */
const end = '\n=== Skipped\n=== SKIP: skip TestAdd (0.00s)\n    a_test.go:5: no\n\nDONE 5 tests, 1 skipped in 0.006s\n'
const testname = `PASS ex.ExampleAdd (0.00s)
PASS ex (cached)
EMPTY bench (cached)
PASS real.TestAdd (0.00s)
PASS real.TestSub/a_b (0.00s)
PASS real.TestSub (0.00s)
PASS real (cached)
SKIP skip.TestAdd (0.00s)
PASS skip (cached)
${end}`
const verbose = `=== RUN   ExampleAdd
--- PASS: ExampleAdd (0.00s)
PASS
ok  \texample.com/shop/ex\t(cached)
=== RUN   TestAdd
--- PASS: TestAdd (0.00s)
=== RUN   TestSub
=== RUN   TestSub/a_b
--- PASS: TestSub/a_b (0.00s)
--- PASS: TestSub (0.00s)
PASS
ok  \texample.com/shop/real\t0.018s
=== RUN   TestAdd
    a_test.go:5: no
--- SKIP: TestAdd (0.00s)
PASS
ok  \texample.com/shop/skip\t0.017s
${end}`
const packages = `∅  bench (cached)\n✓  real (cached)\n✓  skip (cached)\n✓  ex (cached)\n${end}`

/** `go test -v` prints this about the same tests, and gotestsum repeats it in its verbose form. */
const go = verbose.slice(0, verbose.indexOf('\n=== Skipped'))

test('gotestsum names its tests in the formats that have names, and skipped ones did not run', () => {
  const names = (text: string) => testsOf(text, 'gotestsum')[0]?.units.map(([name]) => name)
  expect(names(testname)).toEqual(['ex ExampleAdd', 'real TestAdd', 'real TestSub', 'real TestSub/a_b'])
  expect(names(verbose)).toEqual(['ExampleAdd', 'TestAdd', 'TestSub', 'TestSub/a_b'])
  for (const text of [testname, verbose, packages])
    expect(testsOf(text, 'gotestsum')).toMatchObject([{ tool: 'gotestsum', ran: 4, passed: 4 }])
  expect(testsOf(fixture('gotestsum/testname'), 'gotestsum', 1)).toMatchObject([{ ran: 4, passed: 1 }])
})

test('tests that ran under go test are found by their names under gotestsum', () => {
  const base = testsOf(go, 'go test -v ./...')
  const lost = (text: string) => missingTests(base, testsOf(text, 'gotestsum'))
  for (const text of [testname, verbose, packages])
    expect(lost(text)).toMatchObject({ names: [], unnamed: 0, unknown: [] })
  const other = testname.replace('real.TestAdd', 'real.TestOther')
  expect(lost(other).names.map(({ name }) => name)).toEqual(['example.com/shop/real TestAdd'])
  expect(missingTests(base, testsOf(go, 'go test -v ./...'))).toMatchObject({ names: [], unnamed: 0 })
})
