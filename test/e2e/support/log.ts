import type { Locator, Page } from 'playwright-core'
import type { Signed } from './screen.ts'

export const logPane = (page: Page): Locator => page.getByRole('region', { name: /^Log of session/ })

/** Lines of a session's log from the server, without control sequences. */
export async function rawLines(world: Signed, session: string): Promise<string[]> {
  const response = await fetch(`${world.server.url}/api/sessions/${session}/log/raw?ansi=0`, {
    headers: { authorization: `Bearer ${world.server.token}` },
  })
  return (await response.text()).split('\n').slice(0, -1)
}

/** Rows in the pane now, by line number from 0, without rows that wait for their text. */
export const drawnRows = (page: Page): Promise<[number, string][]> =>
  logPane(page).evaluate((pane) =>
    [...pane.querySelectorAll<HTMLElement>('[data-line]')].flatMap((number): [number, string][] => {
      const row = number.parentElement
      if (row === null || row.hidden || /missing/.test(row.className)) return []
      return [[Number(number.dataset['line']), number.nextElementSibling?.textContent ?? '']]
    }),
  )

/** Waits until the pane shows a line, by its number from 0. */
export const lineDrawn = (page: Page, line: number): Promise<unknown> =>
  page.waitForFunction((n) => {
    const row = document.querySelector(`[role=region] [data-line="${n}"]`)?.parentElement
    return row && !row.hidden && !/missing/.test(row.className)
  }, line)

/** Reads a log as a person would: from the start, page by page, to its last line. */
export async function readThrough(page: Page, lines: number): Promise<string[]> {
  await logPane(page).focus()
  await page.keyboard.press('Home')
  const read: string[] = []
  while (read.length < lines) {
    await allDrawn(page)
    for (const [line, text] of await drawnRows(page)) if (line === read.length) read.push(text)
    // A wrapped line may be higher than a page, so the next one may not be visible yet.
    if (read.length < lines) await page.keyboard.press('PageDown')
  }
  return read
}

/** Waits until the next frame is drawn, and no row of it waits for its text. */
async function allDrawn(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  await page.waitForFunction(() => {
    const numbers = [...document.querySelectorAll('[role=region] [data-line]')]
    const rows = numbers.flatMap(({ parentElement: row }) => (row && !row.hidden ? [row] : []))
    return rows.length > 0 && rows.every((row) => !/missing/.test(row.className))
  })
}

/** Places of the visible rows on the screen, by line number from 0. Rows outside the view change freely. */
export const rowPlaces = (page: Page): Promise<[number, number][]> =>
  logPane(page).evaluate((pane) => {
    const view = pane.getBoundingClientRect()
    return [...pane.querySelectorAll<HTMLElement>('[data-line]')].flatMap((number): [number, number][] => {
      const row = number.parentElement
      if (row === null || row.hidden) return []
      const { top, bottom } = row.getBoundingClientRect()
      return bottom > view.top && top < view.bottom ? [[Number(number.dataset['line']), top]] : []
    })
  })

/** Waits until a line is drawn wholly within the pane. */
export const lineSeen = (page: Page, line: number): Promise<unknown> =>
  page.waitForFunction((n) => {
    const pane = document.querySelector('[role=region][aria-live=off]')
    const row = pane?.querySelector(`[data-line="${n}"]`)?.parentElement
    if (!pane || !row || row.hidden || /missing/.test(row.className)) return false
    const [view, place] = [pane.getBoundingClientRect(), row.getBoundingClientRect()]
    return place.top >= view.top - 1 && place.bottom <= view.bottom + 1
  }, line)
