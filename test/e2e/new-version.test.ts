// @suite dashboard
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { chip } from './support/board.ts'
import { onMadeUp } from './support/made-up.ts'

/* A new version of the server, met by a page that nobody looks at. */
const hide = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
    document.dispatchEvent(new Event('visibilitychange'))
  })
/** A reloaded page has forgotten it. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(globalThis, { isMarked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'isMarked' in globalThis)
/** A reload that has been asked for ends the page before its next frames are drawn. */
const draws = (page: Page) =>
  page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))

onMadeUp('a hidden page after an update of the server', (stage) => {
  const opened = async (path: string) => {
    const screen = await stage.open(path)
    screen.expectConsole(/WebSocket/)
    await chip(screen.page, /^live/).waitFor()
    await mark(screen.page)
    return screen.page
  }
  const update = async (page: Page) => {
    stage.world.build = 'newer'
    stage.world.mood = 'away'
    stage.world.mood = 'well'
    await chip(page, 'new version, reload').waitFor()
  }

  test('loads the new version', async () => {
    const page = await opened('/setup')
    await update(page)
    expect(await isMarked(page)).toBe(true)
    await hide(page)
    await page.waitForFunction(() => !('isMarked' in globalThis))
  })

  test('keeps what is typed into a form until it is saved or taken back', async () => {
    const page = await opened('/setup')
    const field = page.getByLabel('Path or URL of the git repository')
    await field.fill('/home/you/code/my-library')
    await update(page)
    await hide(page)
    await draws(page)
    expect(await isMarked(page)).toBe(true)
    expect(await field.inputValue()).toBe('/home/you/code/my-library')
    await field.fill('')
    await hide(page)
    await page.waitForFunction(() => !('isMarked' in globalThis))
  })

  test('keeps the list of what a bead waits for while somebody changes it', async () => {
    const page = await opened('/p/wordcraft/b/wc-d20')
    await page.getByRole('button', { name: /^(Change dependencies|Wait for another bead)$/ }).click()
    await page.getByRole('combobox', { name: 'Depends on' }).waitFor()
    await update(page)
    await hide(page)
    await draws(page)
    expect(await isMarked(page)).toBe(true)
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await hide(page)
    await page.waitForFunction(() => !('isMarked' in globalThis))
  })
})
