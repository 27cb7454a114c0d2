import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { onMadeUp } from './support/made-up.ts'

/* How much of a window is tools before what somebody came for begins, in CSS pixels. */
const p = '/p/big-tracker'
const wide = { size: { width: 1440, height: 900 }, most: 160 }
const phone = { size: { width: 390, height: 844 }, most: 200 }

/** What each page is for. */
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
    // On a phone what it failed at comes before its log; in a wide window beside it.
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
})
