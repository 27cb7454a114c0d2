import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_NAMED, MAX_LINE, type DigestTool, type ToolReport } from './digest-tool.ts'
import { cargoBuild, clippy } from './tools/rust/cargo-build.ts'
import { cargoTest } from './tools/rust/cargo-test.ts'
import { clang, gcc } from './tools/c/gcc.ts'
import { goBuild, goVet } from './tools/go/go-build.ts'
import { goTest } from './tools/go/go-test.ts'
import { javac } from './tools/java/javac.ts'
import { make } from './tools/any/make.ts'
import { maven } from './tools/java/maven.ts'
import { mypy } from './tools/python/mypy.ts'
import { pytest } from './tools/python/pytest.ts'
import { ruff } from './tools/python/ruff.ts'
import { fixture } from './testing/fixture.ts'
import { scanText } from './testing/scan-fixture.ts'
import { unittest } from './tools/python/unittest.ts'
import { longTest } from '../testing/long-test.ts'

const tools: DigestTool[] = [
  cargoBuild,
  clippy,
  cargoTest,
  gcc,
  clang,
  goBuild,
  goVet,
  goTest,
  javac,
  make,
  maven,
  mypy,
  pytest,
  ruff,
  unittest,
]

const outputs = (tool: string): string[] =>
  readdirSync(join(import.meta.dirname, 'fixtures', tool)).map((file) =>
    fixture(`${tool}/${file.replace(/\.txt$/, '')}`),
  )

const MAX_SUMMARY = 100
/** A title is one line of the output, with its place in front. */
const MAX_TITLE = 2 * MAX_LINE

function expectSound(report: ToolReport | null): void {
  if (report === null) return
  expect(report.failures).toBeGreaterThanOrEqual(report.findings.length)
  expect(report.findings.length).toBeLessThanOrEqual(MAX_NAMED)
  expect(report.summary.length).toBeLessThanOrEqual(MAX_SUMMARY)
  for (const { title, detail } of report.findings) {
    expect(title).toMatch(/^[^\n]+$/)
    expect(title.length).toBeLessThanOrEqual(MAX_TITLE)
    expect(detail.length).toBeLessThanOrEqual(MAX_LINE * 2)
  }
  if (report.collected !== null) expect(report.collected).toBeGreaterThanOrEqual(0)
}

describe.each(tools.map((tool) => [tool.name, tool] as const))('%s', (name, tool) => {
  const own = outputs(name)
  const ownLines = [...new Set(own.flatMap((text) => text.split('\n')))]

  test('gives a consistent report for each real output', () => {
    for (const text of own) {
      const report = scanText(tool, text)
      expectSound(report)
      if ((report?.failures ?? 0) > 0) expect(report?.findings.length).toBeGreaterThan(0)
    }
  })

  longTest('never throws, and never says more than it found, however its output is cut and mixed', () => {
    const line = fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...ownLines) },
      { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 80 }) },
      { weight: 1, arbitrary: fc.constantFrom(...tool.signs) },
      {
        weight: 2,
        arbitrary: fc
          .tuple(fc.constantFrom(...ownLines), fc.nat(), fc.string({ maxLength: 10 }))
          .map(([text, at, extra]) => `${text.slice(0, at % (text.length + 1))}${extra}`),
      },
    )
    fc.assert(
      fc.property(fc.array(line, { maxLength: 60 }), (lines) => expectSound(scanText(tool, lines.join('\n')))),
      { numRuns: 300 },
    )
  })

  test('can be cut at any place', () => {
    fc.assert(
      fc.property(fc.constantFrom(...own), fc.nat(), fc.nat(), (text, one, other) => {
        const [from = 0, to = 0] = [one % (text.length + 1), other % (text.length + 1)].toSorted((a, b) => a - b)
        expectSound(scanText(tool, text.slice(from, to)))
      }),
      { numRuns: 200 },
    )
  })

  test('keeps no more of a flood than its first lines', () => {
    const flood = Array.from({ length: 300 }, (_, at) =>
      own
        .join('\n')
        .replaceAll(/\d+/g, () => String(at))
        .slice(0, 4000),
    )
    expectSound(scanText(tool, flood.join('\n')))
  })
})

test('every real output of a failed tool has one of its signs, and the tool is found by its command', () => {
  for (const tool of tools)
    for (const text of outputs(tool.name)) {
      const failures = scanText(tool, text)?.failures ?? 0
      // oxlint-disable-next-line no-control-regex
      const plain = text.replaceAll(/\x1b(?:\[[\d;]*[A-Za-z]|\(B)/g, '')
      if (failures > 0) expect(tool.signs.some((sign) => plain.includes(sign))).toBe(true)
    }
})

test.each([
  ['pytest', 'python -m pytest -q tests'],
  ['unittest', 'python3 -m unittest discover'],
  ['ruff', 'ruff check .'],
  ['mypy', 'uv run mypy src'],
  ['go-build', 'go build ./...'],
  ['go-vet', 'go vet ./...'],
  ['go-test', 'cd api && go test -json ./...'],
  ['cargo-build', 'cargo +nightly build --release'],
  ['cargo-build', 'cargo check'],
  ['cargo-test', 'cargo test --workspace'],
  ['clippy', 'cargo clippy -- -D warnings'],
  ['javac', 'javac -d out src/*.java'],
  ['maven', './mvnw -B test'],
  ['gcc', 'x86_64-linux-gnu-gcc -c a.c'],
  ['clang', '/usr/bin/clang++-14 a.cpp'],
  ['make', 'make -j4 test'],
])('%s is named by the command %s, and no other of these', (name, command) => {
  expect(tools.filter((tool) => tool.command?.test(command)).map((tool) => tool.name)).toEqual([name])
})
