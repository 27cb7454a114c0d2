import type { Page } from 'playwright-core'
import { p, press, type Story } from './story.ts'

/*
 * The server of a page is gone: known data stays. Without a network the bar says so at once; with one, the figures are
 * dimmed too after ten seconds.
 */
const noise = /WebSocket|ERR_|Failed to load|Failed to fetch/
const STALE_MS = 11_000

const reviewPath: Story['path'] = (world) =>
  `${p}/reviews/${world.project('wordcraft')?.reviews.find(({ bead }) => bead === null)?.id}`
const shownAt = (words: string | RegExp) => async (page: Page) => {
  await page.getByText(words).filter({ visible: true }).first().waitFor()
}

type Place = { screen: string; path: Story['path']; empty?: true; there: (page: Page) => Promise<unknown> }
const places: Place[] = [
  { screen: 'board', path: p, there: shownAt('wc-1a4') },
  { screen: 'list', path: `${p}?view=list`, there: shownAt('wc-1a4') },
  { screen: 'bead', path: `${p}/b/wc-d20`, there: shownAt(/still fail after/) },
  { screen: 'info', path: `${p}/b/wc-9fe?tab=info`, there: shownAt(/First point/) },
  {
    screen: 'output',
    path: `${p}/b/wc-1a4?tab=output`,
    there: (page) => page.locator('[data-line], [data-step]').first().waitFor(),
  },
  { screen: 'diff', path: `${p}/b/wc-f02?tab=diff`, there: shownAt('src/date.test.ts') },
  { screen: 'plan', path: '/p/plans/b/pn-wait', there: shownAt('Implement the search index') },
  { screen: 'attempts', path: `${p}/b/wc-d20?tab=attempts`, there: shownAt('Attempt 3') },
  { screen: 'review tab', path: `${p}/b/wc-f01?tab=review`, there: shownAt(/An invalid date/) },
  { screen: 'reviews', path: `${p}/reviews`, there: shownAt('wc-f01') },
  { screen: 'review', path: reviewPath, there: shownAt(/An invalid date/) },
  { screen: 'budget', path: `${p}/budget`, there: shownAt('wc-1a4') },
  { screen: 'settings', path: `${p}/settings`, there: shownAt('Retries') },
  { screen: 'sync', path: `${p}/sync`, there: shownAt('Tracker') },
  { screen: 'setup', path: '/setup', there: shownAt('Setup and projects') },
  { screen: 'system', path: `${p}/system`, there: shownAt('All passed.') },
  { screen: 'inbox', path: p, there: press('g', 'n') },
]

export const connectionStories: Story[] = places.flatMap(({ there, ...place }): Story[] => [
  {
    ...place,
    state: 'offline',
    before: async (page) => {
      await there(page)
      await page.context().setOffline(true)
    },
    later: 'away',
    shows: (page) => page.locator('header').getByText(/^offline/),
    noise,
  },
  {
    ...place,
    state: 'stale',
    before: async (page) => {
      await there(page)
      await page.evaluate((later) => {
        const { now } = Date
        setTimeout(() => (Date.now = () => now() + later), 500)
      }, STALE_MS)
    },
    later: 'away',
    shows: (page) => page.locator('html[data-stale] header').getByText(/^reconnecting|^no server/),
    noise,
  },
])
