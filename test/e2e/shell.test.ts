// @suite dashboard
import { expect, test } from 'vitest'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card, chip } from './support/board.ts'
import { shelf } from './support/shelf.ts'
import { onStage } from './support/stage.ts'

/* The frame of every page: the bar at its top, the palette, the inbox, the keys. Nothing has to run for it. */
onStage('a person who navigates by keys', shelf, (stage) => {
  test('goes to a bead, a page, an action and another project by the palette, without a pointer', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/shelf')
    await card(page, 'sh-1').waitFor()
    const box = page.getByRole('combobox', { name: 'Bead, page or action' })
    const chosen = page.getByRole('dialog').getByRole('option', { selected: true })

    await page.keyboard.press('Control+k')
    await box.waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.keyboard.type('rtry upl')
    await chosen.getByText('Add a retry to the uploader').waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/p/shelf/b/sh-1')

    // The keys work in a text field too: they have no other use there.
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
    await chosen.getByText('Pause shelf').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('shelf paused: nothing new starts').waitFor()

    await page.keyboard.press('Control+k')
    await page.keyboard.type('other')
    await chosen.getByText('other', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('**/p/other')
    await stage.world.api('POST', '/api/projects/shelf/resume')
  })

  test('moves through the list by arrows, is told when nothing matches, and returns to the former focus', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/shelf')
    await card(page, 'sh-1').getByRole('link').focus()
    await page.keyboard.press('Control+k')
    const palette = page.getByRole('dialog')
    const chosen = palette.getByRole('option', { selected: true })
    await page.keyboard.type('ordinary work')
    await page.getByText('First 50 of 300 results').waitFor()
    const first = await chosen.textContent()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    expect(await chosen.textContent()).not.toBe(first)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowUp')
    expect(await chosen.textContent()).toBe(first)
    await page.keyboard.press('ArrowUp')
    expect(await palette.getByRole('option').nth(49).getAttribute('aria-selected')).toBe('true')
    await palette.getByRole('combobox').fill('no such thing anywhere')
    await page.getByText('No results for “no such thing anywhere”').waitFor()
    await page.keyboard.press('Escape')
    await palette.waitFor({ state: 'detached' })
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
    await page.getByRole('button', { name: 'Search everything' }).click()
    await page.keyboard.type('onerror')
    await page.getByRole('option').getByText('<img src=x onerror=alert(1)>‹U+202E›gpj.exe ‹U+2066›& more').waitFor()
    expect(await page.locator('img').count()).toBe(0)
  })

  test('reads a description as Markdown that can do nothing, however long and deep it is', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/shelf/b/sh-4')
    const text = page.getByRole('region', { name: 'Description' })
    await text.getByText('What', { exact: true }).waitFor()
    await text.getByText("<script>document.title = 'taken'</script><img src=x onerror=alert(1)>").waitFor()
    const links = await text.getByRole('link').evaluateAll((all) => all.map((one) => one.getAttribute('href')))
    expect(links).toEqual(['https://github.com@evil.example/x', 'https://evil.example/chart.png'])
    await text.getByRole('link', { name: 'the page (evil.example)' }).waitFor()
    expect(await page.locator('img, main script').count()).toBe(0)
    expect(await page.title()).not.toContain('taken')
    expect(await violationsInBothThemes(page)).toEqual([])
    await text.getByRole('button', { name: /^Show the other \d+,000 characters/ }).click()
    await text.getByRole('button', { name: /^Show the other/ }).waitFor({ state: 'detached' })
  })

  test('opens the page of the server from the chip, sees what is wrong there, and copies it for a report', async () => {
    const screen = await stage.open()
    screen.expectConsole(/WebSocket|ERR_INTERNET_DISCONNECTED|Failed to load resource/)
    const { page, context } = screen
    await context.grantPermissions(['clipboard-write'])
    await screen.go('/p/shelf')
    await chip(page, 'live').click()
    await page.waitForURL('**/p/shelf/system')
    const steps = page.getByRole('list', { name: 'First steps' })
    await steps.getByRole('listitem').filter({ hasText: 'not ok: Container engine' }).waitFor()
    await steps.getByRole('listitem').filter({ hasText: 'ok: Repository readable' }).waitFor()
    await page.getByRole('alert').getByText('The containers could not be listed.').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Copy diagnostics' }).click()
    await page.getByText('Diagnostics copied').waitFor()
    // Known facts stay, with their time.
    await context.setOffline(true)
    await page.getByText(/^Data from \d\d:/).waitFor()
    await steps.getByText('Repository readable').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await context.setOffline(false)
    await chip(page, 'live').waitFor()
    await page.goBack()
    await card(page, 'sh-1').waitFor()
  })

  test('goes on to the next bead of the list that they came from, and copies a link to the current place', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/shelf?q=ordinary')
    await card(page, 'sh-10').getByRole('link').click()
    await page.getByRole('heading', { name: 'Ordinary work number 10' }).waitFor()
    const press = async (keys: string) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await press('[[')
    await page.getByText('This is the first bead in the list').waitFor()
    await press(']]')
    await page.getByRole('article', { name: /^sh-100: / }).waitFor()
    await press('[[')
    await page.getByRole('article', { name: /^sh-10: / }).waitFor()
    await page.context().grantPermissions(['clipboard-write'])
    await press('yl')
    await page.getByText('Link copied').waitFor()
    await page.keyboard.press('Control+k')
    // The bead's page has comboboxes too.
    const query = page.getByRole('dialog').getByRole('combobox')
    await query.waitFor()
    await page.keyboard.press('Control+v')
    expect(await query.inputValue()).toBe(page.url())
  })
})

onStage('a person with a small screen', shelf, (stage) => {
  test('reads the name of the project whatever is wrong, and goes everywhere by the menu', async () => {
    const screen = await stage.open({ size: { width: 320, height: 640 } })
    screen.expectConsole(/WebSocket|ERR_INTERNET_DISCONNECTED|Failed to load resource/)
    const { page, context } = screen
    await screen.go('/p/shelf')
    await card(page, 'sh-1').waitFor()
    const bar = page.getByRole('banner')
    /** Names of elements in the bar that are cut off or overlap. */
    const crowded = () =>
      bar.evaluate((header) => {
        const boxes = [...header.querySelectorAll('button, a')]
          .map((one) => ({ name: one.getAttribute('aria-label') ?? one.textContent, box: one.getBoundingClientRect() }))
          .filter(({ box }) => box.width > 0)
          .toSorted((a, b) => a.box.left - b.box.left)
        const name = header.querySelector('button span')
        return [
          ...boxes.filter(({ box }, n) => box.right > Math.min(320, boxes[n + 1]?.box.left ?? 320) + 0.5),
          ...(name && name.scrollWidth > name.clientWidth ? [{ name: 'the name is cut' }] : []),
        ].map((one) => one.name)
      })
    expect(await crowded()).toEqual([])
    expect(await violationsInBothThemes(page)).toEqual([])
    await bar.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('menuitem', { name: 'Go to the reviews' }).click()
    await page.waitForURL('**/p/shelf/reviews')
    await page.getByRole('heading', { level: 1, name: 'Reviews' }).waitFor()
    // Pages are preloaded, so a lost connection takes none of them away.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => /settings-page-.*\.js/.test(name)),
    )
    await context.setOffline(true)
    await chip(page, 'offline, retrying').waitFor()
    expect(await crowded()).toEqual([])
    await bar.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('menuitem', { name: 'Go to the settings' }).click()
    await page.waitForURL('**/p/shelf/settings')
    await page.getByRole('heading', { level: 1 }).waitFor()
  })
})
