import { describe, expect, test } from 'vitest'
import { cargoBuild, clippy } from './cargo-build.ts'
import { cargoTest } from './cargo-test.ts'
import type { DigestTool } from '../../digest-tool.ts'
import { digestText } from '../../digest-reader.ts'
import { fixture } from '../../testing/fixture.ts'
import { scanFixture, scanText } from '../../testing/scan-fixture.ts'

const titles = (tool: DigestTool, name: string) => scanFixture(tool, name)?.findings.map(({ title }) => title) ?? []

const compiled = [
  'src/lib.rs:17:1: error[E0046]: not all trait items implemented, missing: `next`',
  'src/lib.rs:5:24: error[E0308]: mismatched types',
  'src/lib.rs:6:5: error[E0308]: mismatched types',
  'src/lib.rs:12:5: error[E0425]: cannot find function `missing` in this scope',
]

describe('cargo build', () => {
  test.each([
    'cargo-build/failures',
    'cargo-build/colour',
    'cargo-build/json',
    'cargo-build/check',
    'cargo-test/build-failed',
  ])('lists errors, without warnings and the note that it could not compile: %s', (name) => {
    expect(scanFixture(cargoBuild, name)).toMatchObject({ failures: 4, summary: '4 build errors:', collected: null })
    expect(titles(cargoBuild, name)).toEqual(compiled)
    expect(scanFixture(clippy, name)).toBeNull()
  })

  test("shows the code with the compiler's notes beside it", () => {
    expect(scanFixture(cargoBuild, 'cargo-build/failures')?.findings[3]?.detail).toBe(
      ['12 |     missing(t)', '   |     ^^^^^^^ not found in this scope'].join('\n'),
    )
  })

  test('reads the short form', () => {
    expect(titles(cargoBuild, 'cargo-build/short').map((title) => title.split(']')[0])).toEqual(
      compiled.map((title) => title.split(']')[0]),
    )
  })

  test.each([
    ['syntax', 'src/main.rs:1:21: error: mismatched closing delimiter: `}`', 'unclosed delimiter'],
    ['manifest', 'Cargo.toml:1:9: error: unclosed table, expected `]`', '[package'],
    ['link', 'error: linking with `cc` failed: exit status: 1', 'rust-lld: error: undefined symbol: nowhere'],
    ['build-script', 'error: failed to run custom build command for `shop v0.1.0 (/workspace)`', 'no protoc on this'],
  ])('reports other reasons for a broken build: %s', (name, title, detail) => {
    expect(scanFixture(cargoBuild, `cargo-build/${name}`)).toMatchObject({ failures: 1, findings: [{ title }] })
    expect(scanFixture(cargoBuild, `cargo-build/${name}`)?.findings[0]?.detail).toContain(detail)
  })

  test('knows an error by its code if the line of JSON was cut before the rendered text', () => {
    const line = `{"reason":"compiler-message","target":{},"message":{"$message_type":"diagnostic","message":"mismatched types","code":{"code":"E0308","explanation":"${'x'.repeat(50)}`
    expect(scanText(cargoBuild, line)?.findings).toEqual([{ title: 'error[E0308]: mismatched types', detail: '' }])
  })

  test.each(['warnings-only', 'passing'])('passed with warnings as without: %s', (name) => {
    expect(scanFixture(cargoBuild, `cargo-build/${name}`)).toMatchObject({ failures: 0, findings: [] })
  })

  test("ignores the errors of others, and a program's output", () => {
    expect(scanText(cargoBuild, 'error: pathspec did not match\n\nerror: failed to push some refs\n')).toBeNull()
    const output = '    Finished `dev` profile\n     Running `target/debug/shop`\nerror: no such file\n'
    expect(scanText(cargoBuild, output)).toMatchObject({ failures: 0 })
  })
})

describe('clippy', () => {
  test.each(['failures', 'json', 'deny-warnings'])('lists denied lints: %s', (name) => {
    expect(scanFixture(clippy, `clippy/${name}`)).toMatchObject({
      failures: 4,
      summary: '4 lint errors in 1 file:',
    })
    expect(titles(clippy, `clippy/${name}`).map((title) => title.replace(/:\d+:\d+/, ''))).toEqual([
      'src/lib.rs: error: writing `&Vec` instead of `&[_]` involves a new object where a slice will do',
      'src/lib.rs: error: length comparison to zero',
      'src/lib.rs: error: match can be simplified with `.unwrap_or_default()`',
      'src/lib.rs: error: approximate value of `f{32, 64}::consts::PI` found',
    ])
    expect(scanFixture(cargoBuild, `clippy/${name}`)).toBeNull()
  })

  test('does not count warnings', () => {
    expect(scanFixture(clippy, 'clippy/warnings-only')).toMatchObject({ failures: 0, findings: [] })
  })

  test('cannot be told from a check if it found nothing', () => {
    expect(scanFixture(clippy, 'clippy/passing')).toBeNull()
    expect(digestText(fixture('clippy/passing'))).toMatchObject({ tool: 'cargo-build', passed: true })
  })
})

describe('cargo test', () => {
  const unit = ['does_not_panic', 'first_of_none', 'panics', 'returns_error', 'sums'].map((name) => `tests::${name}`)

  test('names the tests of every binary, and examples of the documentation', () => {
    expect(scanFixture(cargoTest, 'cargo-test/failures')).toMatchObject({
      failures: 8,
      summary: '8 tests failed',
      collected: 10,
    })
    expect(titles(cargoTest, 'cargo-test/failures')).toEqual([...unit, 'flow', 'unwraps', 'src/lib.rs - (line 1)'])
  })

  test.each(['stops-at-first', 'colour', 'quiet'])('names them in each of its forms: %s', (name) => {
    expect(scanFixture(cargoTest, `cargo-test/${name}`)).toMatchObject({ failures: 5, collected: 7 })
    expect(titles(cargoTest, `cargo-test/${name}`)).toEqual(unit)
  })

  test.each(['failures', 'stops-at-first'])('shows panics and errors without the backtrace: %s', (name) => {
    const findings = scanFixture(cargoTest, `cargo-test/${name}`)?.findings ?? []
    expect(findings.slice(0, 5).map(({ detail }) => detail)).toEqual([
      'note: test did not panic as expected at src/lib.rs:41:8',
      'panicked at src/lib.rs:9:5:\nindex out of bounds: the len is 0 but the index is 0',
      'panicked at src/lib.rs:36:9:\nsomething else\nnote: panic did not contain expected string\n      panic message: "something else"\n expected substring: "negative"',
      'Error: "no cart"',
      'panicked at src/lib.rs:18:9:\nassertion `left == right` failed: sum of [1, 2]\n  left: 3\n right: 4',
    ])
  })

  test('counts many failures', () => {
    expect(scanFixture(cargoTest, 'cargo-test/many')).toMatchObject({ failures: 40, collected: 40 })
  })

  test('says how a test program died', () => {
    expect(scanFixture(cargoTest, 'cargo-test/died')).toMatchObject({
      failures: 1,
      summary: '1 test failed',
      findings: [
        {
          title: 'unittests src/lib.rs died: signal: 6, SIGABRT: process abort signal',
          detail: "thread 'overflows' (29424) has overflowed its stack\nfatal runtime error: stack overflow, aborting",
        },
      ],
      collected: 1,
    })
  })

  test('leaves compile errors to the compiler', () => {
    expect(scanFixture(cargoTest, 'cargo-test/build-failed')).toBeNull()
  })

  test.each([
    ['passing', 1, '1 test passed'],
    ['nothing-collected', 0, '0 tests passed'],
  ])('is short when all passed: %s', (name, ran, summary) => {
    expect(scanFixture(cargoTest, `cargo-test/${name}`)).toMatchObject({
      failures: 0,
      summary,
      findings: [],
      collected: ran,
    })
  })
})
