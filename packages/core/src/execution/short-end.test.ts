import { expect, test } from 'vitest'
import { committedText } from './left-text.ts'
import { shortEnd } from './short-end.ts'

const NAMED = ' Not done: subtask a "A" (1 of 3), subtask c "C" (3 of 3).'

test('an end that is short enough is left as it is, and another one is cut', () => {
  expect(shortEnd(`The agent failed.${NAMED}`, 100)).toBe(`The agent failed.${NAMED}`)
  expect(shortEnd('a'.repeat(200), 100)).toBe('a'.repeat(100))
})

test('a cut end keeps the names of what was not done, without what follows them', () => {
  const long = `The agent failed: ${'x'.repeat(500)}.${NAMED}`
  for (const behind of ['', '\n=== output ===\nmany lines', committedText('beads-a', 'git fetch origin beads-a')]) {
    const cut = shortEnd(`${long}${behind}`, 200)
    expect(cut).toMatch(/^The agent failed: x+… Not done: subtask a "A" \(1 of 3\), subtask c "C" \(3 of 3\)\.$/)
    expect(cut).toHaveLength(200)
  }
})

test('however many are named, the beginning has half of the room', () => {
  const cut = shortEnd(`${'x'.repeat(300)} Not done: ${'subtask, '.repeat(100)}`, 200)
  expect(cut).toHaveLength(200)
  expect(cut).toMatch(/^x{99}… Not done: subtask, /)
})
