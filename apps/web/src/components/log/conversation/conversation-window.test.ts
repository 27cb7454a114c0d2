import { expect, test } from 'vitest'
import { around, atEnd, blocksOf, holds, MOST_LINES, newer, older, trimmed } from './conversation-window.ts'

const MILLION = 1_000_000

test('a log of a million lines opens with at most its last thousand', () => {
  const window = atEnd(MILLION)
  expect(window.to).toBeNull()
  expect(MILLION - window.from).toBeLessThanOrEqual(1024)
  expect(blocksOf(window, MILLION).length).toBeLessThanOrEqual(2)
})

test('scrolling to the beginning never holds more than 4096 lines, and gets there', () => {
  let window = atEnd(MILLION)
  for (let steps = 0; window.from > 0; steps++) {
    expect(steps).toBeLessThan(2000)
    window = older(window, MILLION)
    expect((window.to ?? MILLION) - window.from).toBeLessThanOrEqual(MOST_LINES)
  }
  expect(window).toEqual({ from: 0, to: MOST_LINES })
})

test('scrolling down from the beginning gets to the end and follows it there', () => {
  let window = around(0, MILLION)
  for (let steps = 0; window.to !== null; steps++) {
    expect(steps).toBeLessThan(2000)
    window = newer(window, MILLION)
    expect((window.to ?? MILLION) - window.from).toBeLessThanOrEqual(MOST_LINES)
  }
})

test('a window that follows a growing log stays bounded and keeps whole blocks', () => {
  const window = trimmed({ from: 0, to: null }, 50_000)
  expect(50_000 - window.from).toBeLessThanOrEqual(MOST_LINES)
  expect(window.from % 512).toBe(0)
})

test.each([0, 5, 511, 512, 700_000, 999_999])('a window around line %i holds it', (line) => {
  expect(holds(around(line, MILLION), line)).toBe(true)
})
