import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsInBothThemes } from './support/accessibility.ts'
import { lineDrawn, logPane } from './support/log.ts'
import { onMadeUp } from './support/made-up.ts'

const path = '/p/wordcraft/b/wc-1a4?tab=output'
const MILLION = 1_000_000

const pane = (page: Page) => page.getByRole('region', { name: /^Conversation of session/ })
const step = (page: Page, line: number) => pane(page).locator(`[data-step="${line - 1}"]`)
const at = (page: Page, line: number) => pane(page).locator(`[data-step="${line - 1}"][aria-current]`)
const mode = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

onMadeUp('the conversation of an agent', (stage) => {
  test('says in words what was done, with changes and output inside, and follows the agent', async () => {
    const { page } = await stage.open(path)
    await pane(page).getByText('Working…').waitFor()
    await pane(page)
      .getByRole('button', { name: /edited src\/upload\/retry\.ts/ })
      .last()
      .waitFor()
    const edited = pane(page)
      .getByRole('button', { name: /edited src\/upload\/retry\.ts/ })
      .last()
    await edited.getByText('+8').waitFor()
    await edited.getByText('−2').waitFor()
    const failed = pane(page)
      .getByRole('button', { name: /ran npm test -- src\/upload 2 failed/ })
      .last()
    expect(await failed.getAttribute('aria-expanded')).toBe('true')
    await pane(page).getByText('[TEST] 2 tests failed').last().waitFor()
    await pane(page)
      .getByRole('button', { name: /^Show the output, \d+ lines$/ })
      .last()
      .waitFor()
    await pane(page).getByText('sub-agent 1').last().waitFor()
    const newest = async () => Number(await pane(page).locator('[data-step]').last().getAttribute('data-step'))
    const before = await newest()
    await expect.poll(newest, { timeout: 20_000 }).toBeGreaterThan(before)
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('shows hostile output for what it is: nothing runs, nothing leads elsewhere', async () => {
    const { page } = await stage.open(`${path}&line=5`)
    await step(page, 4).getByText('<img src=x onerror=alert(1)>').waitFor()
    await step(page, 4).getByText('‹U+202E›gnp.exe').waitFor()
    await pane(page).getByText('x<script>', { exact: true }).first().waitFor() // and nothing of the link around it
    expect(await page.locator('main :is(img, script, iframe, object, a[href^="javascript"])').count()).toBe(0)
  })

  test('has the lines of the log: one key between both, remembered, and a link to lines opens in either', async () => {
    const { page } = await stage.open(`${path}&line=21`)
    await at(page, 21).waitFor()
    await page.keyboard.press('c')
    await lineDrawn(page, 20)
    expect(await mode(page, 'Log').getAttribute('aria-pressed')).toBe('true')
    await logPane(page).getByText('⚙ edit_file', { exact: false }).first().waitFor()
    await page.reload()
    await lineDrawn(page, 20)
    await mode(page, 'Conversation').click()
    await at(page, 21).waitFor()
    await step(page, 21).getByRole('button', { name: 'Show in log' }).click()
    await page.waitForURL(/[?&]line=21&(?:.*&)?to=23\b/)
    await page.getByText('Lines 21–23 (3)').waitFor()
  })

  test('is gone through by keys: from step to step, folded and opened, and found in', async () => {
    const { page } = await stage.open(`${path}&line=9`)
    await at(page, 9).waitFor()
    for (const next of [10, 16]) {
      await page.keyboard.press('j')
      await at(page, next).waitFor()
    }
    const call = step(page, 16).getByRole('button', { name: /searched for/ })
    expect(await call.getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('Enter')
    await step(page, 16).getByRole('button', { expanded: true }).waitFor()
    await step(page, 16).getByText('src/upload/send.ts:4', { exact: false }).waitFor()
    await page.keyboard.press('k')
    await at(page, 10).waitFor()

    await page.keyboard.press('/')
    await page.keyboard.type('part 7 of')
    await pane(page).locator('mark', { hasText: 'part 7 of' }).first().waitFor()
  })

  test('of a million lines reads and draws only what is around the person, from its end to its beginning', async () => {
    stage.world.said.set('wc-1a4', MILLION)
    const { page } = await stage.open(path)
    const blocks = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/log/blocks/')).length,
      )
    await pane(page).locator('[data-step]').first().waitFor()
    await pane(page)
      .getByRole('button', { name: /earlier lines$/ })
      .waitFor({ state: 'attached' })
    expect(await blocks()).toBeLessThan(6)
    await page.keyboard.press('Home')
    await step(page, 1).waitFor()
    expect(await blocks()).toBeLessThan(16)
    await page.keyboard.press('End')
    await expect
      .poll(async () => Number(await pane(page).locator('[data-step]').last().getAttribute('data-step')))
      .toBeGreaterThan(MILLION - 100)
    expect(await page.locator('*').count()).toBeLessThan(2500)
  })
})
