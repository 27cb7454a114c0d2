import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { violations } from './support/accessibility.ts'
import { browserSuite, launch } from './support/browser.ts'
import { Storyteller } from './stories/show.ts'
import { nameOf, stories } from './stories/stories.ts'

/*
 * States of screens with made-up data, once wide and light, once narrow and dark. The table has more of them; those that
 * are not named here yet are for pictures alone.
 */
const named = [
  'board-full',
  'board-empty',
  'board-filtered-to-none',
  'board-filtered',
  'board-loading',
  'board-no-such-project',
  'new-bead-empty',
  'keys-of-the-board',
  'palette-open',
  'run-with-options',
  'stop-asked',
  'bead-running',
  'bead-blocked',
  'bead-timeout',
  'bead-retrying',
  'bead-hostile-title',
  'bead-info',
]

browserSuite()('the states of the screens', () => {
  let browser: Browser | null = null
  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  test('have names of their own', () => {
    expect(named.filter((name) => !stories.some((story) => nameOf(story) === name))).toEqual([])
    expect(new Set(stories.map(nameOf)).size).toBe(stories.length)
  })

  test.concurrent.each([
    ['1440 pixels, light', { size: { width: 1440, height: 900 }, scheme: 'light' }],
    ['320 pixels, dark', { size: { width: 320, height: 640 }, scheme: 'dark' }],
  ] as const)(
    'are shown without an error, a barrier, or anything wider than the window: %s',
    async (_, options) => {
      if (browser === null) throw new Error('the browser has not been started')
      const teller = await Storyteller.start()
      const wrong: string[] = []
      try {
        for (const story of stories.filter((one) => named.includes(nameOf(one))))
          try {
            const problems = await teller.tell(browser, story, options, async (page) => {
              // What comes a moment later may move what is there.
              await page.waitForFunction((width) => document.documentElement.scrollWidth <= width, options.size.width)
              for (const violation of await violations(page)) wrong.push(`${nameOf(story)}: ${violation}`)
            })
            wrong.push(...problems.map((problem) => `${nameOf(story)}: ${problem}`))
          } catch (error) {
            wrong.push(`${nameOf(story)}: ${error instanceof Error ? error.message : String(error)}`)
          }
      } finally {
        await teller.stop()
      }
      expect(wrong).toEqual([])
    },
    600_000,
  )
})
