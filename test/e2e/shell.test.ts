import { expect, test } from 'vitest'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card } from './support/board.ts'
import { onStage } from './support/stage.ts'

/* What every page has: the bar at its top, the palette, what needs attention, the keys. Nothing has to run for it. */
const env = { DOCKER_HOST: 'unix:///nowhere.sock' }
const hostile = '<img src=x onerror=alert(1)>\u202Egpj.exe \u2066& more'
const start = async () => {
  const world = await World.start({ env })
  const beads = Array.from({ length: 300 }, (_, n) => ({ id: `sh-${n + 10}`, title: `Ordinary work number ${n + 10}` }))
  await world.addProject('shelf', shellProject({ agent: 'true\n' }), [
    { id: 'sh-1', title: 'Add a retry to the uploader' },
    { id: 'sh-2', title: hostile },
    { id: 'sh-3', title: 'Poetry in the logs' },
    ...beads,
  ])
  await world.addProject('other', shellProject({ agent: 'true\n' }), [{ id: 'ot-1', title: 'Elsewhere' }])
  return world
}

onStage('a person who finds the way by keys', start, (stage) => {
  test('goes to a bead, a page, an action and another project by the palette, without a pointer', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/shelf')
    await card(page, 'sh-1').waitFor()
    const box = page.getByRole('combobox', { name: 'Bead, page or action' })
    const chosen = page.getByRole('option', { selected: true })

    await page.keyboard.press('Control+k')
    await box.waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.keyboard.type('rtry upl')
    await chosen.getByText('Add a retry to the uploader').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/p/shelf/b/sh-1')

    // While something is typed, too: there is no other use for these keys.
    await page.keyboard.press('g')
    await page.keyboard.press('b')
    await page.keyboard.press('/')
    await page.keyboard.type('poetry')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('sync status')
    await chosen.getByText('Go to the sync status').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/p/shelf/sync')

    await page.keyboard.press('Control+k')
    await page.keyboard.type('pause')
    await chosen.getByText('Pause shelf: start nothing new').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('shelf is paused').waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('other')
    await chosen.getByText('other', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/p/other')
    await stage.world.api('POST', '/api/projects/shelf/resume')
  })

  test('moves through the list by arrows, is told when nothing fits, and comes back to where the focus was', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/shelf')
    await card(page, 'sh-1').getByRole('link').focus()
    await page.keyboard.press('Control+k')
    const chosen = page.getByRole('option', { selected: true })
    await page.keyboard.type('ordinary work')
    await page.getByText('The first 50 of 300').waitFor()
    const first = await chosen.textContent()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await chosen.textContent()).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await chosen.textContent()).toBe(first)
    await page.keyboard.press('ArrowUp')
    expect(await page.getByRole('option').nth(49).getAttribute('aria-selected')).toBe('true')
    await page.getByRole('combobox').fill('no such thing anywhere')
    await page.getByText('Nothing has “no such thing anywhere”').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(
      await card(page, 'sh-1')
        .getByRole('link')
        .evaluate((link) => link === document.activeElement),
    ).toBe(true)
  })

  test('sees the title of a bead as text, and marks that would turn it around', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/shelf')
    await page.getByRole('button', { name: 'Find' }).click()
    await page.keyboard.type('onerror')
    await page.getByRole('option').getByText('<img src=x onerror=alert(1)>‹U+202E›gpj.exe ‹U+2066›& more').waitFor()
    expect(await page.locator('img').count()).toBe(0)
  })

  test('goes on to the next bead of the list that it came from', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/shelf?q=r')
    await card(page, 'sh-1').getByRole('link').click()
    await page.getByRole('heading', { name: 'Add a retry to the uploader' }).waitFor()
    const press = async (keys: string) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('[[')
    await page.getByText('This is the first bead of the list').waitFor()
    await press(']]')
    await page.getByRole('article', { name: /^sh-10: / }).waitFor()
    await press('[[')
    await page.getByRole('article', { name: /^sh-1: / }).waitFor()
  })
})
