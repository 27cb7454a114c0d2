import type { Locator, Page } from 'playwright-core'

export type Lane = 'queued' | 'running' | 'blocked' | 'failed' | 'timeout' | 'open' | 'completed'

export const card = (page: Page, bead: string, lane?: Lane): Locator =>
  page.locator(`[data-bead="${bead}"]${lane === undefined ? '' : `[data-lane="${lane}"]`}`)

export const column = (page: Page, lane: Lane): Locator => page.locator(`section[aria-labelledby="lane-${lane}"]`)

/** The number in the head of a column, as a person reads it. */
export const countIn = (page: Page, lane: Lane, count: string): Locator =>
  column(page, lane).getByRole('heading').getByText(count, { exact: true })

export const chip = (page: Page, text: string | RegExp): Locator =>
  page.getByRole('banner').getByRole('button', { name: text })
