// @suite dashboard
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card, chip, column, countIn } from './support/board.ts'
import { watchLayout } from './support/layout-shifts.ts'
import { onStage } from './support/stage.ts'

/** The time for a whole run on a busy machine; other tests wait only for a step of the page. */
const RUN_MS = 240_000

/** Reports which columns or tools the browser moved, from where and to where. */
async function watchColumns(page: Page): Promise<() => Promise<string[]>> {
  await column(page, 'completed').waitFor()
  return watchLayout(page, { only: 'section[data-column], [role=toolbar], [role=toolbar] *' })
}

/* The demo after `npm start` on an empty data folder: live, and then on every screen. */
onStage(
  'the demo project',
  () => World.start({ engine: 'process', flags: { demo: true } }),
  (stage) => {
    test('runs before a person who only watches: three at a time, to six Completed and one Blocked', async () => {
      const { page } = await stage.open()
      await page.waitForURL('**/p/demo')
      let loads = 0
      page.on('load', () => loads++)
      // The banner introduces it; once dismissed, the toolbar says in short that it is the demo.
      const short = page.getByText('Demo · recorded run, no AI')
      await page.getByText(/^Demo: recorded run, no AI/).waitFor()
      expect(await short.count()).toBe(0)
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await short.waitFor()
      const moved = await watchColumns(page)
      const waiting = card(page, 'demo-k51m', 'open')
      await waiting.getByText(/^waits for .*demo-7f3a and .*demo-2c9d$/).waitFor()
      await waiting.getByRole('link', { name: 'Running demo-7f3a' }).waitFor() // the state of its blocker
      await countIn(page, 'running', '3/3').waitFor()
      await expect.poll(() => page.title()).toBe('legible · Beadloom')
      await page.locator('link[rel=icon][href="/favicon-running.svg"]').waitFor({ state: 'attached' })
      await chip(page, '3/3 slots in use').waitFor()
      await card(page, 'demo-7f3a', 'running').getByText(/tok/).waitFor() // the tokens come in while it runs
      expect(await violationsInBothThemes(page)).toEqual([])

      await card(page, 'demo-k51m', 'running').waitFor({ timeout: RUN_MS })
      await countIn(page, 'completed', '6').waitFor({ timeout: RUN_MS })
      await countIn(page, 'blocked', '1').waitFor()
      await card(page, 'demo-q4z6', 'blocked').getByText('publishing needs an npm access token').waitFor()
      await chip(page, '0/3 slots in use').waitFor()
      expect(await column(page, 'completed').locator('[data-bead]').count()).toBe(6)
      expect(await page.locator('[data-bead]').count()).toBe(7) // its reminder is inside the bead that asks
      expect(loads).toBe(0)
      expect(await moved()).toEqual([]) // beads come and go; the columns and the tools above them stay in place
      await expect.poll(() => page.title()).toBe('(1⏸) legible · Beadloom')
      expect(await page.locator('link[rel=icon]').getAttribute('href')).toBe('/favicon-blocked.svg')
      expect(await page.evaluate(async () => (await fetch('/favicon-blocked.svg')).status)).toBe(200)
      expect(await violationsInBothThemes(page)).toEqual([])
    }, 600_000)

    test('shows the changes of a completed bead, and both attempts of the one that needed a second', async () => {
      const { page } = await stage.open()
      await card(page, 'demo-e08t').getByRole('link').click()
      await page.getByRole('heading', { name: 'Truncate cuts emoji in half' }).waitFor()
      await page.getByText('Verified, merged into beadloom/work and published.').first().waitFor()
      await page.getByRole('button', { name: /changed src\/truncate\.js/ }).waitFor()
      await page.getByText('const segmenter = new Intl.Segmenter').first().waitFor()
      // From a line to the step in which the agent wrote it.
      const line = page.locator('[data-kind=added]').filter({ hasText: 'const segmenter = new Intl.Segmenter' })
      await line.first().locator('[data-go]').last().click()
      await page.getByText(/ritten in attempt \d/).waitFor()
      expect(await violationsInBothThemes(page)).toEqual([])
      await page.getByRole('link', { name: 'Show the step' }).click()
      await page.locator('[data-step][aria-current]').getByText('truncate.js').first().waitFor()

      await page.getByRole('tab', { name: 'Output' }).click()
      // They are already shown if the step belongs to the first attempt.
      const earlier = page.getByRole('button', { name: /1 earlier$/ })
      if (await earlier.isVisible()) await earlier.click()
      const sessions = page.getByRole('list', { name: 'Pipeline' }).getByRole('button', { name: /Agent|check/i })
      // Two attempts, the first one's verification repeated; work that was merged with other beads is verified again.
      expect(await sessions.count()).toBeGreaterThanOrEqual(5)
      await sessions.filter({ hasText: /check/i }).first().click()
      await page.getByText('■ ended · exit 1').waitFor()
      await page.keyboard.press('e')
      await page.getByText(/^error 1 of \d+$/).waitFor()
      await page.waitForURL(/[?&]line=\d+/)
      const [number] = /(?<=[?&]line=)\d+/.exec(page.url()) ?? []
      await page.locator('[class*=selected]').getByText('✖').waitFor()
      await page.keyboard.press('e')
      await page.getByText(/^error 2 of \d+$/).waitFor()
      await page.keyboard.press('E')
      await page.waitForURL(new RegExp(`[?&]line=${number}`))
      expect(await violationsInBothThemes(page)).toEqual([])
    })

    test("shows in the agent's own words what the blocked bead needs", async () => {
      const screen = await stage.open()
      const { page } = screen
      await screen.go('/p/demo/b/demo-q4z6')
      await page.getByText('“publishing needs an npm access token').waitFor()
      await page.getByText(/^Answer to continue/).waitFor()
      await page.getByRole('textbox', { name: 'Your answer for demo-q4z6' }).waitFor()
      expect(await violationsInBothThemes(page)).toEqual([])
    })

    test('leads from a reminder to the bead that asks, and both close together', async () => {
      const screen = await stage.open()
      const { page } = screen
      await screen.go('/p/demo/b/demo-q4z6')
      await page.getByRole('region', { name: 'Led to' }).getByRole('link').click()
      const note = page.getByRole('note').filter({ has: page.getByRole('link', { name: 'demo-q4z6', exact: true }) })
      await note.getByText(/^Reminder:/).waitFor()
      expect(await page.getByRole('button', { name: /^Run/ }).count()).toBe(0)
      expect(await violationsInBothThemes(page)).toEqual([])
      await stage.world.api('PATCH', '/api/projects/demo/beads/demo-q4z6', { status: 'done' })
      await page.getByRole('button', { name: 'Reopen' }).waitFor()
      await note.waitFor({ state: 'detached' })
      await page.getByRole('region', { name: 'Follows from' }).getByRole('link').click()
      await page.getByRole('article', { name: /^demo-q4z6: / }).waitFor()
      await page.getByRole('button', { name: 'Reopen' }).click()
      await page.getByRole('button', { name: 'Run with a note' }).waitFor() // its question is open again
      await page.getByRole('button', { name: 'Undo' }).last().click()
      await page.getByRole('button', { name: 'Reopen' }).waitFor()
    })

    test('every other screen is accessible to assistive technology, in both themes', async () => {
      const screen = await stage.open()
      const { page } = screen
      const screens: [string, () => Promise<unknown>][] = [
        ['setup', () => screen.go('/setup').then(() => page.getByRole('heading', { name: 'Add a project' }).waitFor())],
        ['no such page', () => screen.go('/nowhere').then(() => page.getByText('Page not found').waitFor())],
        [
          'no such bead',
          async () => {
            screen.expectConsole(/404/)
            await screen.go('/p/demo/b/demo-zzzz')
            await page.getByText('demo-zzzz could not be loaded').waitFor()
          },
        ],
        [
          'a filter that nothing passes',
          () =>
            screen.go('/p/demo?q=nothing-like-this').then(() => page.getByText('0 of 8', { exact: true }).waitFor()),
        ],
        ['the keys', () => screen.go('/p/demo').then(() => press(page, '?', 'Keyboard shortcuts'))],
        [
          'the server',
          async () => {
            await screen.go('/p/demo')
            await card(page, 'demo-e08t').waitFor()
            for (const key of 'gc') await page.keyboard.press(key)
            await page.getByRole('heading', { name: 'Server and connection' }).waitFor()
            await page.getByRole('list', { name: 'Agents' }).getByText('Built-in agent').waitFor()
          },
        ],
        ['a new bead', () => screen.go('/p/demo').then(() => page.getByRole('button', { name: 'New bead' }).click())],
      ]
      const found: string[] = []
      for (const [name, show] of screens) {
        await show()
        for (const violation of await violationsInBothThemes(page)) found.push(`${name}: ${violation}`)
      }
      expect(found).toEqual([])
    })

    test('every screen fits a telephone: nothing is wider than it, and assistive technology agrees', async () => {
      const screen = await stage.open({ size: { width: 400, height: 800 } })
      const { page } = screen
      for (const path of ['/p/demo', '/p/demo/b/demo-e08t', '/p/demo/b/demo-q4z6?tab=output', '/setup']) {
        await screen.go(path)
        await page.getByRole('main').getByRole('heading').first().waitFor()
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(400)
        expect(await violationsInBothThemes(page)).toEqual([])
      }
    })

    const press = async (page: Page, key: string, dialog: string) => {
      await card(page, 'demo-e08t').waitFor()
      await page.keyboard.press(key)
      await page.getByRole('dialog', { name: dialog }).waitFor()
    }
  },
)
