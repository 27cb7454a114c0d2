import { expect, test } from 'vitest'
import { Screen } from './screen.ts'

function screenOf() {
  let written = ''
  const screen = new Screen({ write: (text) => ((written += text), true) })
  const taken = (): string => {
    const text = written
    written = ''
    return text
  }
  return { screen, taken }
}
const size = { columns: 10, rows: 3 }

test('an unchanged picture writes nothing, and one changed line writes one line', () => {
  const { screen, taken } = screenOf()
  screen.draw(['one', 'two'], size)
  expect(taken()).toContain('\u001b[1;1Hone       \u001b[2;1Htwo       ')
  screen.draw(['one', 'two'], size)
  expect(taken()).toBe('')
  screen.draw(['one', '日本'], size)
  expect(taken()).toBe('\u001b[?2026h\u001b[2;1H日本      \u001b[?2026l')
})

test('nothing is erased between two pictures: old text goes under spaces', () => {
  const { screen, taken } = screenOf()
  screen.draw(['a long one', 'two', 'three'], size)
  taken()
  screen.draw(['\u001b[1mshort\u001b[22m'], size)
  const frame = taken()
  // oxlint-disable-next-line no-control-regex
  expect(frame).not.toMatch(/\u001b\[\d*[JK]/)
  expect(frame).toContain('\u001b[1;1H\u001b[1mshort\u001b[22m     ')
  expect(frame).toContain(`\u001b[2;1H${' '.repeat(10)}\u001b[3;1H${' '.repeat(10)}`)
})

test('a new size is drawn from scratch', () => {
  const { screen, taken } = screenOf()
  screen.draw(['one'], size)
  taken()
  screen.draw(['one'], { columns: 8, rows: 3 })
  expect(taken()).toContain('\u001b[2J\u001b[1;1Hone')
})

test('leaving restores the terminal, once', () => {
  const { screen, taken } = screenOf()
  screen.draw(['one'], size)
  expect(taken()).toMatch('\u001b[?1049h\u001b[?25l')
  screen.close()
  screen.close()
  expect(taken()).toBe('\u001b[?25h\u001b[?1049l')
})

test('a board that was never drawn leaves no trace', () => {
  const { screen, taken } = screenOf()
  screen.close()
  expect(taken()).toBe('')
})
