// @suite dashboard
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { card, chip } from './support/board.ts'
import { logPane } from './support/log.ts'
import { beadOf, onMadeUp, press, runOf } from './support/made-up.ts'

/* Small stumbling blocks at a bead and on the way to it, on a made-up server. */
const p = '/p/wordcraft'
/** The focused element, by its id or its text. */
const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.id || document.activeElement?.textContent || document.activeElement?.tagName,
  )

/** Words within these elements that are broken over several lines. */
const brokenWords = (parts: Locator) =>
  parts.evaluateAll((all) => {
    const broken: string[] = []
    for (const part of all)
      for (const node of part.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE) continue
        const place = document.createRange()
        for (const { 0: word, index } of (node.textContent ?? '').matchAll(/\S+/g)) {
          place.setStart(node, index)
          place.setEnd(node, index + word.length)
          if (place.getClientRects().length > 1) broken.push(word)
        }
      }
    return broken
  })

onMadeUp('a person at a bead', (stage) => {
  test('compares two attempts without a broken word, wide and narrow', async () => {
    for (const width of [1280, 400]) {
      const { page } = await stage.open(`${p}/b/wc-d20?tab=attempts`, { size: { width, height: 800 } })
      await page
        .getByRole('button', { name: /^Compare/ })
        .first()
        .click()
      const heads = page.getByRole('dialog').locator('th')
      await heads.first().waitFor()
      expect(await brokenWords(heads)).toEqual([])
    }
  })

  test('reads a table in a description without a broken word', async () => {
    const names = ['Option', 'Environment', 'Default', 'Description']
    const row = (cells: string[]) => `| ${cells.join(' | ')} |\n`
    beadOf(stage.project('wordcraft'), 'wc-e02').description =
      row(names) +
      row(names.map(() => '---')) +
      row(['retryCount', 'BEADLOOM_RETRY_COUNT', '3', 'How often it is repeated'])
    const { page } = await stage.open(`${p}/b/wc-e02?tab=info`, { size: { width: 400, height: 800 } })
    const cells = page.getByRole('table').locator('th, td')
    await cells.first().waitFor()
    expect(await brokenWords(cells)).toEqual([])
  })

  test('keeps reading the output when the bead completes, also in a narrow window', async () => {
    for (const width of [1440, 400]) {
      const bead = width === 400 ? 'wc-9fe' : 'wc-1a4'
      const { page } = await stage.open(`${p}/b/${bead}`, { size: { width, height: 800 } })
      const output = page.getByRole('tab', { name: 'Output' })
      await page.getByRole('tab', { name: 'Output', selected: true }).waitFor()
      await page.locator('[data-line], [data-step]').first().waitFor()
      const project = stage.project('wordcraft')
      stage.world.end(project, runOf(project, bead), 'COMPLETED', 'Done.')
      await page.getByRole('button', { name: 'Reopen' }).waitFor()
      expect(await output.getAttribute('aria-selected')).toBe('true')
      // After coming back, the changes are shown.
      await page.reload()
      await page.getByRole('tab', { name: 'Diff', selected: true }).waitFor()
    }
  })

  test('reads no "no output yet" above existing lines', async () => {
    const { page } = await stage.open('/p/edges/b/eg-quiet?tab=output')
    await page.getByText(/no output yet$/).waitFor()
    await page.evaluate(() => {
      const seen: string[] = []
      Object.assign(globalThis, { seen })
      const look = () => {
        const rows = [...document.querySelectorAll('[data-line]')].some((one) => one.parentElement?.hidden === false)
        const notice = /no output yet/.test(document.querySelector('#bead-panel')?.textContent ?? '')
        if (rows && notice) seen.push('both')
        requestAnimationFrame(look)
      }
      look()
    })
    stage.world.said.set('eg-quiet', 3)
    await logPane(page).locator('[data-line="2"]').waitFor()
    await page.getByText(/no output yet$/).waitFor({ state: 'detached' })
    expect(await page.evaluate(() => (globalThis as unknown as { seen: string[] }).seen.length)).toBeLessThan(2)
  })

  test('gets the diff when the server is back, without pressing anything', async () => {
    const screen = await stage.open(null)
    screen.expectConsole(/./)
    const { page } = screen
    const files = page.locator('[data-diff-surface]')
    await page.route(/\/diff\?.*path=src%2Fdate\.test\.ts/, (route) => route.abort())
    await screen.go(`${p}/b/wc-f02?tab=diff`)
    await files
      .getByRole('button', { name: /Try again/ })
      .first()
      .waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    stage.world.mood = 'away'
    await chip(page, /reconnecting/).waitFor()
    stage.world.mood = 'well'
    await chip(page, /^live/).waitFor()
    await files.getByText(/^@@/).first().waitFor()
    await files.getByRole('button', { name: /Try again/ }).waitFor({ state: 'detached' })
  })

  test.each([
    ['diff', /\/diff(\?|$)/, `${p}/b/wc-f02?tab=diff`, 'The diff could not be loaded'],
    ['log', /\/log\//, `${p}/b/wc-f02?tab=output`, /The log could not be loaded/],
    ['reviews', /\/reviews/, `${p}/reviews`, /could not be loaded/],
    ['settings', /\/settings$/, `${p}/settings`, 'The settings could not be loaded'],
    ['bead', /\/beads\/wc-f02$/, `${p}/b/wc-f02?tab=info`, /could not be loaded/],
  ])('sees the %s, which could not be loaded, as soon as the server is back', async (_, at, path, sentence) => {
    const screen = await stage.open(null)
    screen.expectConsole(/./)
    const { page } = screen
    await page.route(
      (url) => url.pathname.startsWith('/api/') && at.test(`${url.pathname}${url.search}`),
      (route) => route.abort(),
    )
    await screen.go(path)
    await page.getByText(sentence).first().waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
    stage.world.mood = 'away'
    await chip(page, /reconnecting/).waitFor()
    stage.world.mood = 'well'
    await chip(page, /^live/).waitFor()
    await page.getByText(sentence).first().waitFor({ state: 'detached' })
  })

  test("reads how to get a failed bead's branch beside its name", async () => {
    const { page } = await stage.open(`${p}/b/wc-d20`)
    const executions = page.getByRole('region', { name: 'Executions' })
    await executions.getByText('To get this branch, in your clone: git fetch /home/you').waitFor()
  })

  test('downloads the evidence as an image, which is a picture of the card', async () => {
    const { page, context } = await stage.open(`${p}/b/wc-f01?tab=attempts`)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy as image' }).click()
    await page.getByText('Copied as an image').waitFor()
    const size = await page.evaluate(async () => {
      const [item] = await navigator.clipboard.read()
      const picture = await createImageBitmap((await item?.getType('image/png')) ?? new Blob())
      return [picture.width, picture.height > 300]
    })
    expect(size).toEqual([1440, true])
  })

  test('is never told of an attempt 0', async () => {
    const { page } = await stage.open('/p/edges/b/eg-start')
    await page.getByText('1 of 3', { exact: true }).waitFor()
    const project = stage.project('edges')
    stage.world.end(project, runOf(project, 'eg-start'), 'FAILED', 'The image could not be built.')
    await page.getByRole('link', { name: 'Board', exact: true }).click()
    // It never had an attempt.
    await card(page, 'eg-start', 'failed').waitFor()
    expect(await card(page, 'eg-start', 'failed').getByText('/3').count()).toBe(0)
  })

  test('has the focus on the page that the palette, the inbox or keys have opened', async () => {
    const { page } = await stage.open(p)
    const link = page.getByRole('link', { name: 'Board', exact: true })
    await card(page, 'wc-f02').waitFor()
    const go: [() => Promise<unknown>, RegExp][] = [
      [
        async () => {
          await press(page, 'Control+k')
          await page.keyboard.type('wc-f02')
          await page.getByRole('option', { selected: true }).getByText('wc-f02').waitFor()
          await press(page, 'Enter')
        },
        /b\/wc-f02/,
      ],
      [() => press(page, ']', ']'), /b\/(?!wc-f02)/],
      [() => press(page, 'g', 'r'), /reviews$/],
      [
        async () => {
          await press(page, 'Control+k')
          await page.keyboard.type('settings')
          await press(page, 'Enter')
        },
        /settings/,
      ],
      [
        async () => {
          await press(page, 'g', 'n')
          await page.getByRole('dialog').getByRole('listitem').first().getByRole('button').first().click()
        },
        /\/b\/|sync|reviews/,
      ],
    ]
    for (const [way, where] of go) {
      await link.focus()
      await way()
      await page.waitForURL(where)
      await expect.poll(() => focused(page)).toBe('main')
    }
    // An action in place gives the focus back.
    await link.focus()
    await press(page, 'Control+k')
    await page.keyboard.type('theme')
    await press(page, 'Enter')
    await page.getByText(/^Theme:/).waitFor()
    await expect.poll(() => focused(page)).toBe('Board')
  })
})
