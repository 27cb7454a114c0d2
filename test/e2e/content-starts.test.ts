// @suite dashboard
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { onMadeUp } from './support/made-up.ts'

/* The part of a window that tools take before the content begins, in CSS pixels. */
const p = '/p/big-tracker'
const wide = { size: { width: 1440, height: 900 }, most: 160 }
const phone = { size: { width: 390, height: 844 }, most: 200 }

/** The main content of each page. */
const pages: [what: string, path: string, content: (page: Page) => ReturnType<Page['locator']>][] = [
  ['the board', p, (page) => page.locator('[data-bead]').first()],
  [
    'the list',
    `${p}?view=list`,
    (page) => page.locator('#main [role=row], #main tr').filter({ visible: true }).first(),
  ],
  ['a bead that runs', '/p/wordcraft/b/wc-9fe', (page) => page.getByRole('tabpanel')],
  [
    'a bead that failed three times',
    '/p/wordcraft/b/wc-d20',
    // On a phone, its failure comes before its log; in a wide window, beside it.
    (page) => page.locator('#main [role=note], [role=tabpanel]').filter({ visible: true }).first(),
  ],
  [
    'the graph',
    '/p/wordcraft/graph',
    (page) => page.locator('#main svg g, #main li').filter({ visible: true }).first(),
  ],
  ['the activity', '/p/wordcraft/activity', (page) => page.getByRole('heading', { level: 1 })],
  [
    'the reviews',
    '/p/wordcraft/reviews',
    (page) => page.locator('#main [role=note], #main li').filter({ visible: true }).first(),
  ],
  ['the budget', '/p/wordcraft/budget', (page) => page.getByText('Last 7 days', { exact: true }).first()],
  ['the settings', '/p/wordcraft/settings', (page) => page.getByRole('heading', { level: 2 }).first()],
  ['the system', '/system', (page) => page.getByRole('heading', { level: 2 }).first()],
]

onMadeUp('content', (stage) => {
  for (const { size, most } of [wide, phone])
    test(`begins within ${most} pixels of a window of ${size.width} by ${size.height}`, async () => {
      const screen = await stage.open(null, { size })
      const starts: [string, number][] = []
      for (const [what, path, content] of pages) {
        await screen.go(path)
        await content(screen.page).waitFor()
        starts.push([what, Math.round((await content(screen.page).boundingBox())?.y ?? Number.NaN)])
      }
      expect(starts.filter(([, top]) => !(top <= most))).toEqual([])
    })

  test('is below a button that a thumb hits: Run is 44 pixels high on a phone', async () => {
    const { page } = await stage.open('/p/wordcraft/b/wc-e03', { size: phone.size })
    const run = page.getByRole('button', { name: 'Run', exact: true })
    expect((await run.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  })

  test('has the tools of a log in one row of a phone, and the rest in a menu', async () => {
    const { page } = await stage.open('/p/wordcraft/b/wc-9fe?tab=output', { size: phone.size, touch: true })
    const bar = page.getByRole('search', { name: 'Find in the log' })
    // Its edges make it higher than a thumb's button; a second row would make it higher than this.
    const isOneRow = async () => expect((await bar.boundingBox())?.height).toBeLessThan(60)
    for (const mode of ['Conversation', 'Log']) {
      await page.getByRole('button', { name: mode, exact: true }).tap()
      await bar.waitFor()
      await isOneRow()
    }
    const tools = page.getByRole('button', { name: 'Log tools' })
    await tools.tap()
    await page.getByRole('menuitem', { name: 'Wrap long lines' }).waitFor()
    await page.getByRole('menuitem', { name: 'Download as plain text' }).waitFor()
    await page.getByRole('menuitem', { name: 'Match case' }).tap()
    await page.getByRole('textbox', { name: 'Find in the log' }).fill('PARSE')
    await page.getByText('no matches').waitFor()
    await isOneRow()
    await tools.tap()
    await page.getByRole('menuitem', { name: /^Match case ?, on/ }).tap()
    await bar.getByText(/^\d+ of /).waitFor()
    await isOneRow()
  })

  test('has no table that is wider than a phone: each row is a card that labels its values', async () => {
    const screen = await stage.open(null, { size: phone.size })
    const { page } = screen
    for (const path of ['/p/wordcraft?view=list', '/system', '/p/wordcraft/sync', '/p/wordcraft/budget']) {
      await screen.go(path)
      await page.getByRole('table').first().waitFor()
      const widths = await page
        .getByRole('table')
        .evaluateAll((tables) =>
          tables.map((table) => [table.parentElement?.scrollWidth, table.parentElement?.clientWidth]),
        )
      expect(widths.length).toBeGreaterThan(0)
      for (const [content, room] of widths) expect(content, path).toBe(room)
    }
    const row = page.getByRole('table').first().getByRole('row').nth(1)
    const said = await row
      .getByRole('cell')
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, '::before').content.split(' / ')[0]))
    expect(said.slice(0, 3)).toEqual(['"Cost"', '"Calls"', '"Input"'])
  })
})
