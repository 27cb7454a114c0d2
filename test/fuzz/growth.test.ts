import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parsers } from './parsers.ts'
import type { Pumped } from './pumped.ts'
import { growthOf, MOST_GROWTH } from './work.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { keptOf, worstOf } from './worst-known.ts'

const texts = Object.entries(parsers).flatMap(([name, parser]) =>
  worstOf(name, parser).map((pumped, at) => [name, at + 1, pumped] as const),
)
/** The first that a search found for a parser: the others vary it, and a sample has never been slow. */
const isFirst = ([name, number]: (typeof texts)[number]): boolean => number === 1 && keptOf(name).length > 0

describe(`twice the text is at most ${MOST_GROWTH} times the work`, () => {
  // Each text is a separate test: on a loaded machine, many take longer than the limit of one.
  test.each(texts.filter(isFirst))('of %s, text %i', grows)
  longTest.each(texts.filter((text) => !isFirst(text)))('of %s, text %i', grows)

  function grows(name: string, _: number, pumped: Pumped): void {
    expect(growthOf(parsers[name]!, pumped), JSON.stringify(pumped).slice(0, 500)).toBeLessThanOrEqual(MOST_GROWTH)
  }

  longTest('is measured: a reading that looks at each line for every line is found out', () => {
    const quadratic = (text: string): number => {
      const lines = text.split('\n')
      return lines.reduce((sum, line) => sum + lines.filter((other) => other === line).length, 0)
    }
    const pumped = { head: '', start: 'a', inner: '', width: 0, end: '\n', tail: '' }
    expect(growthOf({ read: quadratic, most: 4 * 1024 }, pumped)).toBeGreaterThan(3)
  })

  test('is asked of every text that was kept', () => {
    const kept = readdirSync(join(import.meta.dirname, 'worst')).map((file) => file.replace(/\.json$/, ''))
    expect(kept.filter((name) => !(name in parsers))).toEqual([])
  })
})
