import { describe, expect, it } from 'vitest'
import { digestText } from './digest-reader.ts'
import { fixture } from './testing/fixture.ts'
import { addTests, MAX_UNITS, ranNothing, testsRun, TestUnits } from './tests-run.ts'

const runOf = (name: string, exitCode = 1) => digestText(fixture(name), {}, exitCode).tests[0]

describe('the count of tests that ran', () => {
  it('is zero if pytest collected tests and was interrupted by errors', () => {
    expect(runOf('pytest/collection-errors')).toMatchObject({
      ran: 0,
      passed: 0,
      unrun: ['tests/test_import.py', 'tests/test_syntax.py'],
      stopped: true,
    })
  })

  it('includes passed and failed tests of pytest, by file or by test, and none that are skipped or may fail', () => {
    expect(runOf('pytest/failures')).toMatchObject({ ran: 8, passed: 2, units: [['tests/test_cart.py', 8]] })
    const units = runOf('pytest/verbose')?.units.map(([name]) => name)
    expect(units).toContain('tests/test_cart.py::test_good')
    expect(units).not.toContain('tests/test_cart.py::test_known')
    expect(units).toHaveLength(8)
    expect(runOf('pytest/parallel')).toMatchObject({ ran: 8, units: [] })
  })

  it('notes that a runner stopped at its first failure', () => {
    expect(runOf('pytest/stop-at-first')).toMatchObject({ stopped: true })
    expect(runOf('cargo-test/stops-at-first')).toMatchObject({ stopped: true, ran: 6 })
    expect(runOf('cargo-test/failures')).toMatchObject({ stopped: false, ran: 9 })
  })

  it('names the crate of each test of cargo, and the programs that died', () => {
    expect(runOf('cargo-test/passing', 0)?.units).toEqual([['shop tests::good', 1]])
    expect(runOf('cargo-test/died')?.unrun).toEqual(['shop'])
  })

  it('consists of the packages of Go if tests are not announced, and of tests if they are', () => {
    expect(runOf('go-test/failures')).toMatchObject({ ran: null, passed: 1 })
    expect(runOf('go-test/failures')?.units.map(([name]) => name)).toEqual([
      'example.com/shop/api',
      'example.com/shop/cart',
      'example.com/shop/good',
    ])
    expect(runOf('go-test/passing-verbose', 0)).toMatchObject({ ran: 3, passed: 3 })
    expect(runOf('go-test/json')).toMatchObject({ ran: 11, passed: 6 })
  })

  it('notes which packages of Go were not built, whoever says why', () => {
    expect(runOf('go-test/build-failed')?.unrun).toEqual(['example.com/shop/broken', 'example.com/shop/vet'])
    expect(runOf('go-test/build-failed-json')).toMatchObject({
      passed: 0, // Go says that the only package that was built has no test to run
      units: [],
      unrun: ['example.com/shop/broken'],
    })
  })

  it('is by class for Maven', () => {
    expect(runOf('maven/failures')?.units).toEqual([
      ['com.example.BadTest$Inner', 9],
      ['com.example.CartTest', 2],
      ['com.example.SetupTest', 1],
    ])
    expect(runOf('maven/bad-pom')).toMatchObject({ ran: 0 })
  })

  it('is by name for Gradle if all are listed, and a number if some are', () => {
    expect(runOf('gradle/passing', 0)).toMatchObject({
      ran: 2,
      passed: 2,
      units: [
        ['x.CartTest > adds', 1],
        ['x.CartTest > fails', 1],
      ],
    })
    expect(runOf('gradle/failures')).toMatchObject({ ran: 4, passed: 2, units: [] })
  })

  it('leaves out tests that unittest skipped, wants to fail or could not load', () => {
    expect(runOf('unittest/verbose')?.units.map(([name]) => name)).not.toContainEqual(expect.stringContaining('known'))
    expect(runOf('unittest/failures')).toMatchObject({ ran: 5, unrun: ['tests.test_broken'] })
    expect(runOf('unittest/passing-skips', 0)).toMatchObject({ ran: 2 })
  })

  it('adds up several runners of one command', () => {
    const digest = digestText(`${fixture('node-test/pass')}\n${fixture('jest/pass')}`, {}, 0)
    const [node, jest] = digest.tests
    expect(digest.tests.map(({ tool }) => tool)).toEqual(['node-test', 'jest'])
    expect([node?.ran, jest?.ran]).toEqual([1, 2])
    expect(digest.summary).toBe('3 tests passed (1 node-test, 2 jest)')
    expect(digest.collected).toBe(5) // with skipped ones
  })

  it('does not include a runner in watch mode', () => {
    expect(digestText(fixture('make/googletest-address-sanitizer'), {}, 2).tests.map(({ tool }) => tool)).toEqual([
      'googletest',
    ])
  })
})

describe('the names of tests', () => {
  it('are bounded: too many become none, and the count is kept', () => {
    const units = new TestUnits()
    for (let at = 0; at <= MAX_UNITS; at++) units.add(`test ${at}`)
    expect(testsRun(MAX_UNITS + 1, 0, units)).toMatchObject({ ran: MAX_UNITS + 1, units: [] })
  })

  it('are dropped if only a part of the runs has them, because the rest would seem to have run nothing', () => {
    const units = new TestUnits()
    units.add('a', 2)
    const named = testsRun(2, 0, units)
    expect(addTests([named, testsRun(3, 1)])).toMatchObject({ ran: 5, passed: 4, units: [] })
    expect(addTests([named, named]).units).toEqual([['a', 4]])
  })

  it('say that nothing ran only if a runner says so', () => {
    expect(ranNothing([])).toBe(false)
    expect(ranNothing([testsRun(null, 0)])).toBe(true)
    expect(ranNothing([testsRun(0, 0), testsRun(1, 0)])).toBe(false)
  })
})

describe('the count of tests that ran in JavaScript', () => {
  it('leaves out skipped and todo tests', () => {
    expect(runOf('jest/pass', 0)).toMatchObject({ ran: 2, units: [['pass.test.js', 1]] })
    expect(runOf('vitest/pass', 0)).toMatchObject({ ran: 2, units: [['pass.test.ts', 2]] })
    expect(runOf('mocha/pass', 0)).toMatchObject({ ran: 2, passed: 2 })
    expect(runOf('tap/tape', 1)?.units).toHaveLength(6)
  })

  it('does not take a test that is named like a file for one that could not be loaded', () => {
    const listing = (name: string, place: string) =>
      `✖ ${name} (1ms)\nℹ tests 1\nℹ suites 0\nℹ pass 0\nℹ fail 1\nℹ cancelled 0\nℹ skipped 0\n\n✖ failing tests:\n\ntest at ${place}\n✖ ${name} (1ms)\n  'test failed'\n`
    const unrun = (text: string) => digestText(text, {}, 1).tests[0]?.unrun
    expect(unrun(listing('index.js', 'src/a.test.js:4:1'))).toEqual([])
    expect(unrun(listing('index.js', 'index.js:4:1'))).toEqual([])
    expect(unrun(listing('reads a file.js', 'src/a.test.js:1:1'))).toEqual([])
    expect(unrun(listing('src/a.test.js', 'src/a.test.js:1:1'))).toEqual(['src/a.test.js'])
    const tap = (name: string, place: string) =>
      `TAP version 13\n# Subtest: ${name}\nnot ok 1 - ${name}\n  ---\n  duration_ms: 1\n  location: '${place}'\n  error: 'test failed'\n  ...\n1..1\n# tests 1\n# suites 0\n# pass 0\n# fail 1\n# cancelled 0\n# skipped 0\n# todo 0\n`
    expect(unrun(tap('/workspace/a.test.mjs', '/workspace/a.test.mjs:1:1'))).toEqual(['/workspace/a.test.mjs'])
    expect(unrun(tap('index.js', '/workspace/a.test.mjs:3:1'))).toEqual([])
  })

  it('is incomplete if Jest ran only a part of its files', () => {
    const summary = (suites: string) =>
      digestText(
        `FAIL a.test.js\n  ● adds\n\n    x\n\nTest Suites: ${suites}\nTests:       1 failed, 1 total\nSnapshots:   0 total\n`,
        {},
        1,
      )
    expect(summary('1 failed, 1 of 3 total').tests[0]).toMatchObject({ stopped: true })
    expect(summary('1 failed, 1 total').tests[0]).toMatchObject({ stopped: false })
  })

  it('names files that could not be loaded as lacking', () => {
    expect(runOf('jest/crash')?.unrun).toEqual(['broken.test.js', 'empty.test.js', 'syntax.test.js', 'throws.test.js'])
    expect(runOf('node-test/crash')?.unrun).toEqual(['a.test.js', 'b.test.js'])
  })
})

describe('the count of tests that ran in C', () => {
  it('has the tests of GoogleTest by their names', () => {
    const run = digestText(fixture('googletest/failures'), {}, 1).tests[0]
    expect(run?.units.length).toBe(run?.ran)
  })

  it('has the test in which a program of GoogleTest ended, as failed, and none after it', () => {
    const began = (name: string) => `[ RUN      ] ${name}\n`
    const ok = (name: string) => `${began(name)}[       OK ] ${name} (0 ms)\n`
    const head = '[==========] Running 3 tests from 1 test suite.\n[----------] Global test environment set-up.\n'
    const died = `${head}[----------] 3 tests from Cart\n${ok('Cart.Adds')}${began('Cart.Crashes')}`
    const next = `${head.replace('3', '1')}[----------] 1 test from Shop\n${ok('Shop.Opens')}[==========] 1 test from 1 test suite ran. (0 ms total)\n`
    const alone = digestText(died, {}, 139)
    expect(alone.findings[0]).toContain('Cart.Crashes')
    expect(alone.tests).toMatchObject([{ ran: 2, passed: 1, failures: 1 }])
    expect(alone.tests[0]?.units.map(([name]) => name)).toEqual(['Cart.Adds', 'Cart.Crashes'])
    const both = digestText(`${died}Segmentation fault\n${next}`, {}, 139)
    expect(both.tests[0]).toMatchObject({ failures: 1 })
    expect(both.findings[0]).toContain('Cart.Crashes')
  })

  it('comes from CTest alone, which shows the output of failed tests', () => {
    const inner = fixture('googletest/failures')
    const digest = digestText(`${inner}\n${fixture('ctest/failures')}`, {}, 8)
    expect(digest.tests.map(({ tool }) => tool)).toEqual(['ctest'])
  })
})

describe('a program that failed under CTest, Meson or Automake', () => {
  const opaque = (text: string) => digestText(text, {}, 8).tests[0]?.opaque
  const ctest = (...lines: string[]) => fixture('ctest/output').replace('total: expected 3, got 2', lines.join('\n'))

  it.each([
    ['ctest/failures', ['cart.total', 'crash']],
    ['ctest/output', ['cart.total', 'crash']],
    ['meson/failures', ['x / red', 'x / slow']],
    ['automake/failures', ['red.sh']],
    ['ctest/passing', undefined],
  ])('may hide other failures, unless it names its failed tests: %s', (name, programs) => {
    expect(opaque(fixture(name))).toEqual(programs)
  })

  it.each([
    ['GoogleTest', '[  FAILED  ] Cart.Totals (0 ms)'],
    ['Catch2', 'cart.cpp:7: FAILED:'],
    ['doctest', 'TEST CASE:  totals'],
    ['Boost.Test', 'cart.cpp(7): error: in "cart/totals": check total == 3 has failed'],
    ['libcheck', 'cart.c:7:F:Core:totals:0: Assertion failed'],
    ['TAP', 'not ok 2 - totals'],
    ['unittest', 'FAIL: test_totals (test_cart.Cart.test_totals)'],
    ['pytest', 'FAILED tests/test_cart.py::test_totals - assert 2 == 3'],
  ])('does not, by the words of %s', (_, line) => {
    expect(opaque(ctest(line))).toEqual(['crash'])
  })

  it('may be one that could not be started, and so ran none', () => {
    const lost = fixture('ctest/output').replace('***Exception: SegFault', '***Not Run')
    expect(digestText(lost, {}, 8).tests[0]).toMatchObject({ unrun: ['crash'], opaque: ['cart.total'] })
  })

  it('is named with its test, if that comes from TAP', () => {
    const tap = fixture('automake/failures').replaceAll('FAIL: red.sh', 'FAIL: red.t 3 - totals')
    expect(digestText(tap, {}, 2).tests[0]?.opaque).toBe(undefined)
  })

  it('is kept for each package, and if several runs are added', () => {
    const { tests: [one] = [] } = digestText(fixture('ctest/failures'), {}, 8)
    expect(addTests([one!, one!])).toMatchObject({ opaque: ['cart.total', 'crash'] })
  })
})

describe('a program that ends before its last test', () => {
  it.each([
    ['boost-test/crashed', 'boost-test', 4, 'the_end'],
    ['catch2/crashed', 'catch2', 2, 'ends'],
    ['doctest/crashed', 'doctest', 2, 'ends'],
    ['googletest/died', 'googletest', 2, 'ListTest: Null'],
  ])('has stopped in the test that it died in: %s', (name, tool, ran, title) => {
    const digest = digestText(fixture(name), {}, 1)
    expect(digest.tests).toMatchObject([{ tool, ran, failures: 1, stopped: true }])
    expect(digest.summary).toContain(title)
  })

  it('has not run the announced tests, whatever its exit code', () => {
    const digest = digestText(fixture('boost-test/exits'), {}, 0)
    expect(digest).toMatchObject({ passed: false, tests: [{ ran: null, stopped: true }] })
    // A report goes to another stream than the counts, and may come first.
    const [counts = '', ...report] = fixture('boost-test/passing').split('\n')
    expect(digestText([...report, counts, ''].join('\n'), {}, 0)).toMatchObject({ passed: true })
    const both = digestText(`${fixture('boost-test/exits')}${fixture('boost-test/passing')}`, {}, 0)
    expect(both).toMatchObject({ passed: false, failures: 1 })
  })

  it('has failed in Jest, whatever the code printed before it ended the process', () => {
    const digest = digestText(fixture('jest/exits'), {}, 0)
    expect(digest).toMatchObject({ passed: false, failures: 1, tests: [{ ran: null, units: [], stopped: true }] })
    expect(digest.digest).toContain('process.exit called with "0"')
    // One of several workers ended: Jest says what happened to the others.
    const notice = fixture('jest/exits').slice(fixture('jest/exits').indexOf('  ●'))
    expect(digestText(`${notice}\n${fixture('jest/pass')}`, {}, 0)).toMatchObject({ passed: true })
  })

  it('may have printed the names of its tests itself', () => {
    const names = ['Cart.Adds', 'Cart.Totals'].map((name) => `[ RUN      ] ${name}\n[       OK ] ${name} (0 ms)\n`)
    const head = '[==========] Running 2 tests from 1 test suite.\n'
    const printed = digestText(`${head}${names.join('')}`, {}, 0)
    expect(printed).toMatchObject({ passed: false, failures: 1 })
    const end = '[==========] 2 tests from 1 test suite ran. (0 ms total)\n[  PASSED  ] 2 tests.\n'
    expect(digestText(`${head}${names.join('')}${end}`, {}, 0)).toMatchObject({ passed: true })
    expect(digestText(`${head}${names.join('')}no end of its line ${end}`, {}, 0)).toMatchObject({ passed: true })
    expect(digestText(`${head}${names.join('')}${head}${names.join('')}${end}`, {}, 0)).toMatchObject({ failures: 1 })
  })

  it.each(['go-test/printed-names', 'go-test/printed-names-json'])(
    'has failed in Go, which goes by its exit code alone: %s',
    (name) => {
      const digest = digestText(fixture(name), {}, 0)
      expect(digest).toMatchObject({ passed: false, failures: 1 })
      expect(digest.digest).toContain('example.com/shop/cart\n  the program ended before its last test')
    },
  )
})

it('the tests of a program that ended in the middle of them are lacking, whatever its exit code', () => {
  const text = [
    '     Running unittests src/lib.rs (target/debug/deps/shop-0123456789abcdef)',
    '',
    'running 5 tests',
    '   Doc-tests shop',
    '',
    'running 1 test',
    'test src/lib.rs - total (line 3) ... ok',
    '',
    'test result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s',
    '',
  ].join('\n')
  expect(digestText(text, {}, 0).tests[0]).toMatchObject({ ran: 1, unrun: ['shop'] })
})

it('a runner that the command starts beside CTest is counted', () => {
  const text = `${fixture('ctest/passing')}\n${fixture('pytest/passing')}`
  const tools = (command: string) => digestText(text, { command }, 0).tests.map(({ tool }) => tool)
  expect(tools('ctest --test-dir build && python -m pytest')).toEqual(['ctest', 'pytest'])
  expect(tools('ctest --test-dir build')).toEqual(['ctest'])
})
