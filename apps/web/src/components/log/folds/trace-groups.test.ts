import { describe, expect, test } from 'vitest'
import { tracesIn } from './trace-groups.ts'

/** Heads of traces with the number of lines below each. */
const tracesOf = (text: string) => {
  const lines = text.split('\n')
  return tracesIn((n) => lines[n], { first: 0, end: lines.length }).map(({ first, end }) => [
    lines[first]?.trim(),
    end - first - 1,
  ])
}
const frames = (count: number, indent = '    ') =>
  Array.from({ length: count }, (_, n) => `${indent}at step${n} (file:///app/src/part-${n}.ts:${n + 1}:7)`).join('\n')

describe('a stack trace', () => {
  test('is the indented lines below its head: JavaScript', () => {
    expect(tracesOf(`before\nTypeError: no\n${frames(5)}\nafter`)).toEqual([['TypeError: no', 5]])
  })

  test('of Python has code between its frames, and its message after them', () => {
    const frame = (n: number) => `  File "/app/part.py", line ${n}, in step\n    step(${n})\n    ^^^^^^^`
    expect(tracesOf(`Traceback (most recent call last):\n${[1, 2, 3].map(frame).join('\n')}\nValueError: bad`)).toEqual(
      [['Traceback (most recent call last):', 9]],
    )
  })

  test('of Java is separated from its causes, each with its own', () => {
    const at = '\tat org.example.Part.run(Part.java:7)\n'
    expect(
      tracesOf(
        `Exception in thread "main" A: no\n${at.repeat(3)}Caused by: B: never\n${at.repeat(4)}\t... 12 more\nok`,
      ),
    ).toEqual([
      ['Exception in thread "main" A: no', 3],
      ['Caused by: B: never', 5],
    ])
  })

  test('of Rust and of Ruby is one as well', () => {
    const rust = [0, 1, 2].map((n) => `   ${n}: part::step\n             at ./src/part.rs:${n}:5`).join('\n')
    expect(tracesOf(`stack backtrace:\n${rust}`)).toEqual([['stack backtrace:', 6]])
    expect(tracesOf(`part.rb:1:in 'x': no (Error)\n${"\tfrom part.rb:2:in 'y'\n".repeat(3)}`)).toHaveLength(1)
  })

  test('is below the nearest line with less indentation, in whatever colours', () => {
    const coloured = frames(4, '\x1b[90m       ')
    expect(tracesOf(`suite\n  a test\n     \x1b[31mError: no\x1b[39m\n${coloured}\n  another`)).toEqual([
      ['\x1b[31mError: no\x1b[39m', 4],
    ])
  })

  test('that an agent prints, or a tool returns to it, is one without the marks of the log', () => {
    const said = `Error: no\n${frames(3)}`.replaceAll(/^/gm, '› ')
    expect(tracesOf(`${said}\n  what a tool gave\n  Error: its own\n${frames(3)}`)).toEqual([
      ['› Error: no', 3],
      ['Error: its own', 3],
    ])
  })

  test("ends at an empty line and at the log's own words between texts", () => {
    expect(tracesOf(`Error: no\n${frames(3)}\n\n${frames(3)}`)).toEqual([['Error: no', 3]])
    expect(tracesOf(`§ test\n${frames(5)}`)).toEqual([])
  })
})

test('lists, code and files with numbers are indented, too, but are not traces', () => {
  const list = Array.from({ length: 40 }, (_, n) => `    ✓ test ${n} (${n} ms)`).join('\n')
  const code = Array.from({ length: 40 }, (_, n) => `  ${n}: const at = go(${n})`).join('\n')
  expect(tracesOf(`a suite\n${list}`)).toEqual([])
  expect(tracesOf(`function go() {\n${code}\n}`)).toEqual([])
  expect(tracesOf(`notes\n    at noon (or later)\n    at one (sharp)\n${list}`)).toEqual([])
})

test('text that is made to be slow takes no longer than any other', () => {
  const deep = `Error\n${'    at x (\n'.repeat(20_000)}`
  const long = `Error\n${`    at ${'('.repeat(1_000_000)}\n`.repeat(3)}`
  const stairs = Array.from({ length: 2000 }, (_, n) => `${' '.repeat(2000 - n)}at x (`).join('\n')
  for (const text of [deep, long, stairs]) expect(tracesOf(text).length).toBeLessThan(20)
})
