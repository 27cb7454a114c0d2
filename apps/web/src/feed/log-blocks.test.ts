import { describe, expect, test } from 'vitest'
import { LogBlocks, MOST_BLOCKS, MOST_CHARACTERS } from './log-blocks.ts'
import { BLOCK_LINES } from './log-cursor.ts'

const lines = (from: number, count: number) => Array.from({ length: count }, (_, n) => `line ${from + n}`)

describe('the held lines', () => {
  test('are found by number across blocks, however they came', () => {
    const blocks = new LogBlocks()
    for (let at = 0; at < 2000; at += 7) blocks.append(at, lines(at, 7))
    expect(blocks.line(0)).toBe('line 0')
    expect(blocks.line(1999)).toBe('line 1999')
    expect(blocks.line(513)).toBe('line 513')
    expect(blocks.size).toBe(4)
  })

  test('never have a line in the wrong place: one that does not continue its block is ignored', () => {
    const blocks = new LogBlocks()
    blocks.append(10, lines(10, 5))
    expect(blocks.line(10)).toBeUndefined()
    expect(blocks.line(0)).toBeUndefined()
  })

  test('let go of the least recently used blocks, and never of the tail', () => {
    const blocks = new LogBlocks()
    const all = (MOST_BLOCKS + 4) * BLOCK_LINES
    blocks.append(0, lines(0, all))
    blocks.touch(0)
    blocks.trim(MOST_BLOCKS + 2)
    expect(blocks.size).toBe(MOST_BLOCKS)
    expect(blocks.line(0)).toBe('line 0')
    expect(blocks.line(BLOCK_LINES)).toBeUndefined()
    expect(blocks.line(all - 1)).toBe(`line ${all - 1}`)
  })

  test('are bounded by characters too', () => {
    const blocks = new LogBlocks()
    const long = 'x'.repeat(MOST_CHARACTERS / 4)
    for (let block = 0; block < 8; block++) blocks.append(block * BLOCK_LINES, [long])
    blocks.trim(8)
    expect(blocks.size).toBe(4)
  })

  test('know whether a block is whole, and replace a shorter one with a longer one', () => {
    const blocks = new LogBlocks()
    blocks.append(0, lines(0, 100))
    expect(blocks.has(0, 100)).toBe(true)
    expect(blocks.has(0, 101)).toBe(false)
    blocks.put(0, lines(0, 512))
    expect(blocks.has(0, 5000)).toBe(true)
    blocks.put(0, lines(0, 3))
    expect(blocks.line(511)).toBe('line 511')
  })
})
