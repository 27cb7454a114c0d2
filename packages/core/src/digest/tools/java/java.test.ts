import { describe, expect, test } from 'vitest'
import type { DigestTool } from '../../digest-tool.ts'
import { javac } from './javac.ts'
import { maven } from './maven.ts'
import { scanFixture, scanText } from '../../testing/scan-fixture.ts'

const titles = (tool: DigestTool, name: string) => scanFixture(tool, name)?.findings.map(({ title }) => title) ?? []

describe('javac', () => {
  test.each(['failures', 'mixed'])('lists errors and no warnings: %s', (name) => {
    expect(scanFixture(javac, `javac/${name}`)).toMatchObject({ failures: 5, summary: '5 build errors:' })
    expect(titles(javac, `javac/${name}`)).toEqual([
      'src/Cart.java:2: error: cannot find symbol',
      'src/Cart.java:4: error: Cart is not abstract and does not override abstract method run() in Runnable',
      'src/Cart.java:8: error: incompatible types: int cannot be converted to String',
      'src/Cart.java:9: error: cannot find symbol',
      'src/Cart.java:10: error: incompatible types: String cannot be converted to int',
    ])
  })

  test('shows the code and the symbol', () => {
    expect(scanFixture(javac, 'javac/failures')?.findings[0]?.detail).toBe(
      [
        'import java.util.Nowhere;',
        '                ^',
        '  symbol:   class Nowhere',
        '  location: package java.util',
      ].join('\n'),
    )
  })

  test('counts errors that it did not show', () => {
    expect(scanFixture(javac, 'javac/many')).toMatchObject({ failures: 120 })
    expect(titles(javac, 'javac/many')).toHaveLength(100)
  })

  test.each([
    ['syntax', 3, "src/Broken.java:3: error: ';' expected"],
    ['missing-file', 1, 'error: file not found: src/Absent.java'],
    ['werror', 1, 'error: warnings found and -Werror specified'],
  ])('counts errors that kept it from compiling: %s', (name, failures, title) => {
    expect(scanFixture(javac, `javac/${name}`)).toMatchObject({ failures })
    expect(titles(javac, `javac/${name}`)[0]).toBe(title)
  })

  test.each([
    ['compile-error', "/workspace/src/main/java/com/example/Cart.java:15:65: error: ';' expected", ''],
    [
      'test-compile-error',
      '/workspace/src/test/java/com/example/CartTest.java:17:29: error: cannot find symbol',
      'symbol:   method nowhere()\nlocation: variable cart of type com.example.Cart',
    ],
  ])('counts once in Maven, which repeats it: %s', (name, title, detail) => {
    expect(scanFixture(javac, `maven/${name}`)).toMatchObject({ failures: 1, findings: [{ title, detail }] })
    expect(scanFixture(maven, `maven/${name}`)).toBeNull()
  })

  test('passed with warnings, and is silent without', () => {
    expect(scanFixture(javac, 'javac/warnings-only')).toMatchObject({ failures: 0, findings: [] })
    expect(scanFixture(javac, 'javac/passing')).toBeNull()
    expect(titles(javac, 'maven/old-source')).toEqual([
      'error: Source option 5 is no longer supported. Use 7 or later.',
      'error: Target option 5 is no longer supported. Use 7 or later.',
    ])
    expect(scanText(javac, '2 errors\n')).toBeNull()
  })
})

describe('Maven Surefire', () => {
  test.each(['failures', 'colour', 'quiet'])('names tests that failed, with their parameters: %s', (name) => {
    expect(scanFixture(maven, `maven/${name}`)).toMatchObject({
      failures: 9,
      summary: '9 tests failed',
      collected: 13,
    })
    expect(titles(maven, `maven/${name}`).toSorted()).toEqual([
      'com.example.BadTest$Inner.deep',
      'com.example.BadTest.even(int)[1]',
      'com.example.BadTest.even(int)[3]',
      'com.example.BadTest.lines',
      'com.example.BadTest.named',
      'com.example.BadTest.negative',
      'com.example.BadTest.slow',
      'com.example.BadTest.sum',
      'com.example.SetupTest',
    ])
  })

  test('shows the thrown error and the first line of code outside the framework', () => {
    const of = (title: string) =>
      scanFixture(maven, 'maven/failures')?.findings.find((finding) => finding.title.endsWith(title))?.detail
    expect(of('.negative')).toBe(
      'java.lang.IllegalArgumentException: price must not be negative: -1\nat com.example.Cart.add(Cart.java:10)',
    )
    expect(of('.lines')).toBe(
      'org.opentest4j.AssertionFailedError:\nexpected: <a\nb\nc> but was: <a\nx\nc>\nat com.example.BadTest.lines(BadTest.java:31)',
    )
    expect(of('.slow')).toContain('execution timed out after 50 ms')
  })

  test('gives the tests of Surefire 2 their class', () => {
    expect(scanFixture(maven, 'maven/old-surefire')).toMatchObject({ failures: 9, collected: 13 })
    expect(titles(maven, 'maven/old-surefire').slice(0, 2)).toEqual([
      'com.example.BadTest.sum',
      'com.example.BadTest.even{int}[1]',
    ])
  })

  test.each(['surefire-2.12', 'surefire-2.19'])('counts lines without a level: %s', (name) => {
    const report = scanFixture(maven, `maven/${name}`)
    expect(report).toMatchObject({ failures: 1, summary: '1 test failed', collected: 4 })
    expect(report?.tests).toMatchObject({
      ran: 3,
      passed: 2,
      units: [
        ['x.ATest', 2],
        ['x.BTest', 1],
      ],
    })
    expect(report?.findings).toMatchObject([
      {
        title: 'x.ATest.two',
        detail: 'java.lang.AssertionError: expected:<2> but was:<1>\nat x.ATest.two(ATest.java:3)',
      },
    ])
  })

  test('believes no line without a level beside a Surefire that writes them', () => {
    const output =
      '[INFO] --- surefire:3.2.5:test (default-test) @ y ---\nResults :\nTests run: 9, Failures: 0, Errors: 0, Skipped: 0\n[INFO] BUILD SUCCESS\n'
    expect(scanText(maven, output)).toMatchObject({ collected: null })
  })

  test('counts a test that failed in both runs once, and one that then passed not at all', () => {
    expect(scanFixture(maven, 'maven/rerun-flaky')).toMatchObject({ failures: 1, collected: 1 })
    expect(scanFixture(maven, 'maven/flaky')).toMatchObject({
      failures: 0,
      summary: '3 tests passed',
      findings: [],
      collected: 3,
    })
  })

  test('names the class in which the program died', () => {
    expect(titles(maven, 'maven/died')).toEqual(['com.example.CartTest'])
    expect(scanFixture(maven, 'maven/died')).toMatchObject({ failures: 1, collected: null })
  })

  test.each([
    ['nothing-collected', 'No tests matching pattern "Zebra*" were executed!'],
    ['missing-dependency', 'Could not resolve dependencies for project com.example:shop:jar:1.0'],
    ['bad-pom', 'Non-parseable POM /workspace/pom.xml'],
  ])('says why no tests were run: %s', (name, start) => {
    expect(scanFixture(maven, `maven/${name}`)).toMatchObject({ failures: 1, summary: 'the Maven build failed' })
    expect(titles(maven, `maven/${name}`)[0]?.startsWith(start)).toBe(true)
  })

  test('takes no warning about a project for a failure', () => {
    expect(scanFixture(maven, 'maven/warned-model')).toMatchObject({
      failures: 0,
      summary: '2 tests passed',
      findings: [],
    })
  })

  test('is short when all passed', () => {
    expect(scanFixture(maven, 'maven/passing')).toMatchObject({
      failures: 0,
      summary: '2 tests passed',
      findings: [],
      collected: 2,
    })
  })
})
