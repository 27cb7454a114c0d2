import { describe, expect, test } from 'vitest'
import type { DigestTool } from '../../digest-tool.ts'
import { goBuild, goVet } from './go-build.ts'
import { goTest } from './go-test.ts'
import { scanFixture, scanText } from '../../testing/scan-fixture.ts'

const titles = (tool: DigestTool, name: string) => scanFixture(tool, name)?.findings.map(({ title }) => title) ?? []

const compiled = [
  'broken/broken.go:3:8: "os" imported and not used',
  'broken/broken.go:6:6: declared and not used: unused',
  'broken/broken.go:7:9: cannot use "text" (untyped string constant) as int value in return statement',
  'broken/broken.go:10:12: undefined: missing',
  'broken/broken.go:10:26: too many arguments in call to F',
]

describe('go build', () => {
  test.each(['go-build/failures', 'go-build/json', 'go-test/build-failed', 'go-test/build-failed-json'])(
    'lists compile errors, also for a test and as JSON: %s',
    (name) => {
      expect(scanFixture(goBuild, name)).toMatchObject({ failures: 5, summary: '5 build errors:', collected: null })
      expect(titles(goBuild, name)).toEqual(compiled)
      expect(scanFixture(goBuild, name)?.findings[4]?.detail).toBe('have (number)\nwant ()')
    },
  )

  test.each([
    ['many', 10, 'many/many.go:2:24: cannot use "1" (untyped string constant) as int value in return statement'],
    ['many-all', 30, 'many/many.go:2:24: cannot use "1" (untyped string constant) as int value in return statement'],
    ['syntax', 2, 'syntax/a.go:3:9: syntax error: unexpected {, expected )'],
    ['link', 1, 'main.main: relocation target main.missing not defined'],
    ['missing-packages', 2, 'imports/a.go:4:2: no required module provides package example.com/nowhere/x; to add it:'],
    ['no-module', 1, 'pattern ./...: directory prefix . does not contain main module or its selected dependencies'],
  ])('counts the errors of a compiler, a linker and a missing package: %s', (name, failures, title) => {
    expect(scanFixture(goBuild, `go-build/${name}`)).toMatchObject({ failures })
    expect(titles(goBuild, `go-build/${name}`)[0]).toBe(title)
  })

  test("leaves vet's words to vet", () => {
    for (const name of ['failures', 'type-error', 'json']) expect(scanFixture(goBuild, `go-vet/${name}`)).toBeNull()
    for (const name of ['failures', 'many', 'missing-packages'])
      expect(scanFixture(goVet, `go-build/${name}`)).toBeNull()
  })

  test('ignores places that a test prints', () => {
    const output = '=== RUN   TestA\nmain.go:3:4: only printed\n--- PASS: TestA (0.00s)\nPASS\nok  \ta\t0.1s\n'
    expect(scanText(goBuild, output)).toBeNull()
    expect(scanText(goVet, output)).toBeNull()
  })
})

describe('go vet', () => {
  test.each([
    ['failures', 4, 'vet/vet.go:6:14: fmt.Printf format %s has arg n of wrong type int'],
    ['json', 4, '/workspace/vet/vet.go:6:14: fmt.Printf format %s has arg n of wrong type int'],
  ])('counts its findings, and the files: %s', (name, failures, title) => {
    const summary = `${failures} lint errors in 2 files:`
    expect(scanFixture(goVet, `go-vet/${name}`)).toMatchObject({ failures, summary })
    expect(titles(goVet, `go-vet/${name}`)[0]).toBe(title)
  })

  test('reports code that does not even have types', () => {
    expect(titles(goVet, 'go-vet/type-error')).toHaveLength(5)
    expect(titles(goVet, 'go-vet/type-error')[4]).toBe(compiled[2])
  })

  test('is recognised when go test runs it', () => {
    expect(titles(goVet, 'go-test/build-failed')).toEqual([
      'vet/vet.go:6:14: fmt.Printf format %s has arg n of wrong type int',
      'vet/vet_test.go:5:38: (*testing.common).Errorf format %d has arg "a" of wrong type string',
    ])
  })

  test.each(['go-vet/passing', 'go-build/passing'])('prints nothing when all is well: %s', (name) => {
    for (const tool of [goVet, goBuild]) {
      expect(scanFixture(tool, name)).toBeNull()
      expect(tool.silent).toBe(true)
    }
  })
})

describe('go test', () => {
  const failing = [
    'example.com/shop/api TestFirst',
    'example.com/shop/cart TestFatal',
    'example.com/shop/cart TestTotal/one_price',
    'example.com/shop/cart TestTotal/several',
  ]

  test.each(['verbose', 'json'])('names failed tests and subtests, not their parents: %s', (name) => {
    expect(scanFixture(goTest, `go-test/${name}`)).toMatchObject({
      failures: 4,
      summary: '4 tests failed',
      collected: 12,
    })
    expect(titles(goTest, `go-test/${name}`).toSorted()).toEqual(failing)
  })

  test('believes a printed failure only if the output does not say which tests ran', () => {
    expect(titles(goTest, 'go-test/failures').toSorted()).toEqual(
      [...failing, 'example.com/shop/cart TestPrinted'].toSorted(),
    )
    expect(scanFixture(goTest, 'go-test/failures')).toMatchObject({ failures: 5, collected: null })
  })

  test.each(['failures', 'verbose', 'json'])("shows a test's output, and the origin of a panic: %s", (name) => {
    const of = (title: string) =>
      scanFixture(goTest, `go-test/${name}`)?.findings.find((finding) => finding.title.endsWith(title))?.detail
    expect(of('one_price')).toBe('cart_test.go:20: Total([2]) = 2, want 3')
    expect(of('TestFatal')).toBe('cart_test.go:34: no cart:\n    expected "a"\n    actual   "b"')
    expect(of('TestFirst')?.split('\n').slice(0, 2)).toEqual([
      'panic: runtime error: index out of range [0] with length 0 [recovered, repanicked]',
      'at /workspace/cart/cart.go:11',
    ])
  })

  test.each([
    ['panic', 'example.com/shop/api TestFirst', 'at /workspace/cart/cart.go:11'],
    ['timeout', 'example.com/shop/slow TestSlow', 'panic: test timed out after 1s\nat /workspace/slow/slow_test.go:8'],
    ['deadlock', 'example.com/shop/dead', 'fatal error: all goroutines are asleep - deadlock!'],
    ['exits', 'example.com/shop/exit', 'exit status 3'],
    ['race', 'example.com/shop/race TestRace', 'WARNING: DATA RACE\nat /workspace/race/race_test.go:8'],
  ])('says how a test program died: %s', (name, title, detail) => {
    expect(scanFixture(goTest, `go-test/${name}`)).toMatchObject({ failures: 1, findings: [{ title }] })
    expect(scanFixture(goTest, `go-test/${name}`)?.findings[0]?.detail).toContain(detail)
  })

  test.each(['build-failed', 'build-failed-json', 'setup-failed'])(
    'leaves compile errors to the compiler: %s',
    (name) => {
      expect(scanFixture(goTest, `go-test/${name}`)).toMatchObject({ failures: 0, findings: [] })
    },
  )

  test('names packages whose tests were not built if nothing says why', () => {
    expect(scanText(goTest, 'FAIL\texample.com/shop/cart [build failed]\nFAIL\n')).toMatchObject({
      failures: 1,
      summary: '1 package failed to build',
      findings: [{ title: 'example.com/shop/cart [build failed]', detail: '' }],
      collected: null,
    })
  })

  test.each([
    ['passing', '1 package passed', null],
    ['passing-verbose', '3 tests passed', 3],
    ['passing-json', '3 tests passed', 3],
    ['nothing-collected', '0 tests passed', 0],
  ])('is short when all passed: %s', (name, summary, collected) => {
    expect(scanFixture(goTest, `go-test/${name}`)).toMatchObject({ failures: 0, summary, findings: [], collected })
  })
})
