// @suite dashboard
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { browserSuite, launch } from './support/browser.ts'
import { conditionsOf } from './stories/coverage.ts'
import { Storyteller, widths } from './stories/show.ts'
import { conditionOf, nameOf, stories } from './stories/stories.ts'

/*
 * Every state of every screen with made-up data, at three widths, in both themes; test-results/stories has a picture of
 * each. The widths run side by side, each with its own servers.
 */
browserSuite()('the states of the screens', () => {
  let browser: Browser | null = null
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  test('cover every screen: empty, loading, stale, in trouble and overfull, where it can be', () => {
    expect(new Set(stories.map(nameOf)).size).toBe(stories.length)
    expect([...new Set(stories.map(({ screen }) => screen))].toSorted()).toEqual(Object.keys(conditionsOf).toSorted())
    const told = new Set(stories.map((story) => `${story.screen}, ${conditionOf(story)}`))
    const wanted = Object.entries(conditionsOf).flatMap(([screen, all]) => all.map((one) => `${screen}, ${one}`))
    expect(wanted.filter((one) => !told.has(one))).toEqual([])
  })

  test.concurrent.each(widths.map((width) => [width]))(
    'show no error, no accessibility barrier in either theme, and nothing wider than the window: %s pixels',
    async (width) => {
      if (browser === null) throw new Error('the browser has not been started')
      const teller = await Storyteller.start(browser, width)
      const wrong: string[] = []
      try {
        for (const story of stories) wrong.push(...(await teller.tell(story)))
      } finally {
        await teller.stop()
      }
      expect(wrong).toEqual([])
    },
    4_800_000, // it took 16 minutes with ten processes for each processor, and over 40 beside another suite
  )
})
