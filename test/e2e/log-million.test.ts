// @suite dashboard
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { pasted } from './support/clipboard.ts'
import { drawnRows, lineDrawn, lineSeen, logPane, rawLines } from './support/log.ts'
import { onStage } from './support/stage.ts'

/* A person goes through a million lines of a real container. */
const LINES = 1_000_000
const NEEDLE = 31_337
const RARE = 50_000
/** Coloured lines; one changes colour within the needle. Standard error goes only to the log. */
const agent = `cat > /dev/null
awk 'BEGIN { for (i = 1; i <= ${LINES}; i++) {
  printf "\\033[3%dmline\\033[0m %d", 1 + i % 6, i
  if (i == ${NEEDLE}) printf " with a nee\\033[31mdle"
  if (i % ${RARE} == 0) printf " error: it is rare"
  print ""
} }' >&2
exit 1
`
const start = async () => {
  const world = await World.start()
  await world.addProject('much', shellProject({ agent }), [{ id: 'mu-1', title: 'Print a million lines' }])
  expect(await world.run('much', 'mu-1')).toMatchObject({ state: 'FAILED' })
  return world
}

onStage('a log of a million lines', start, (stage) => {
  const work = async () => {
    const { executions } = await stage.world.get<BeadView>('/api/projects/much/beads/mu-1')
    const session = executions[0]?.sessions.find(({ kind }) => kind === 'work')
    if (session === undefined) throw new Error('no agent has worked')
    return session
  }
  /** The number of the first of the million lines. */
  const firstLine = async () => {
    const head = await stage.world.api('GET', `/api/sessions/${(await work()).id}/log/meta`)
    const { sections } = head.body as { sections: { title: string; first: number }[] }
    return (sections.find(({ title }) => title === 'agent')?.first ?? 0) + 2 // after its heading and its command
  }
  const opened = async (options = {}, query = '') => {
    const screen = await stage.open(options)
    await screen.go(`/p/much/b/mu-1?tab=output${query}`)
    await lineDrawnAny(screen.page)
    return screen
  }
  const bar = (page: Page) => page.getByRole('search', { name: 'Find in the log' })
  const find = async (page: Page, text: string) => {
    await page.keyboard.press('Control+f')
    await page.keyboard.type(text)
  }

  test.each([1, 1.5, 2])(
    'can be scrolled to its last line at %s device pixels a pixel, by keys, by number and by the thumb',
    async (scale) => {
      const { page } = await opened({ scale })
      const last = (await work()).logLines - 1
      expect(last).toBeGreaterThan(LINES)
      await lineSeen(page, last)
      await page.keyboard.press('Home')
      await lineSeen(page, 0)
      await page.keyboard.press(':')
      await page.keyboard.type('500000')
      await page.keyboard.press('Enter')
      await lineSeen(page, 499_999)
      await page.waitForURL(/[?&]line=500000\b/)
      const thumb = (part: number) =>
        logPane(page).evaluate((pane, at) => (pane.scrollTop = (pane.scrollHeight - pane.clientHeight) * at), part)
      await thumb(0.25)
      await lineSeen(page, Math.round(last / 4) + 4)
      await thumb(1)
      await lineSeen(page, last)
      await page.keyboard.press('k')
      await lineSeen(page, last - 2)
      await page.keyboard.press('End')
      await lineSeen(page, last)
      expect(await page.locator('*').count()).toBeLessThan(1000)
    },
  )

  test('is searched on the server: across colours, inside folds, by word and expression, and as a filter', async () => {
    const { page } = await opened()
    const first = await firstLine()
    const needle = first + NEEDLE - 1
    await page.keyboard.press('Z')
    await page.getByRole('button', { name: 'Unfold this section' }).first().waitFor()
    await find(page, 'a needle')
    await bar(page).getByText('1 of 1', { exact: true }).waitFor()
    await lineSeen(page, needle)
    const hit = logPane(page).locator(`[data-line="${needle}"] + * [class*=current]`)
    expect(await hit.allTextContents()).toEqual(['a nee', 'dle'])

    await page.getByLabel('Find in the log', { exact: true }).last().fill('rare')
    await bar(page)
      .getByText(`1 of ${LINES / RARE}`, { exact: true })
      .waitFor()
    await page.getByRole('button', { name: 'Only matching lines' }).click()
    const numbers = async () => (await drawnRows(page)).map(([line]) => line)
    const rare = Array.from({ length: LINES / RARE }, (_, at) => first + (at + 1) * RARE - 1)
    for (const line of rare) await lineDrawn(page, line)
    expect(await numbers()).toEqual(rare)
    await page.getByLabel('Lines around each match').selectOption('3')
    const [one = 0, two = 0] = rare
    await lineDrawn(page, one - 3)
    await lineDrawn(page, two + 3)
    const around = (line: number) => Array.from({ length: 7 }, (_, at) => line - 3 + at)
    expect((await numbers()).slice(0, 14)).toEqual([...around(one), ...around(two)])
    await page.getByRole('button', { name: 'Only matching lines' }).click()
    await lineDrawn(page, (rare[0] ?? 0) + 10)

    await page.getByRole('button', { name: 'Regular expression' }).click()
    const field = page.getByRole('textbox', { name: 'Find in the log' })
    await field.fill('(')
    await bar(page).getByText(/group/i).waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await field.fill('^line \\d+00000 ')
    await bar(page).getByText('1 of 10', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Regular expression' }).click()
    await field.fill('nee')
    await bar(page).getByText('1 of 1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Whole words' }).click()
    await bar(page).getByText('no matches').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('is navigated by its errors and by its sections', async () => {
    const { page } = await opened()
    const first = await firstLine()
    await bar(page)
      .getByText(`${LINES / RARE + 1}`, { exact: true })
      .waitFor() // with the failed section
    await page.keyboard.press('Home')
    await page.keyboard.press('e')
    await lineSeen(page, first + RARE - 1)
    await page.keyboard.press('e')
    await lineSeen(page, first + 2 * RARE - 1)
    await bar(page)
      .getByText(/^error 2 of/)
      .waitFor()
    await page.keyboard.press('E')
    await lineSeen(page, first + RARE - 1)
    await page.getByRole('button', { name: 'Go to the start of agent' }).click()
    await lineSeen(page, first - 2)
    await page
      .getByRole('navigation', { name: 'Log sections' })
      .getByRole('button', { name: /checkout/ })
      .click()
    await lineSeen(page, 0)
    await page.keyboard.press('}')
    await lineSeen(page, first - 2)
  })

  test('lets its lines be chosen by keys or pointer, named in the address, and copied from the server', async () => {
    const { page } = await opened()
    const { id } = await work()
    // Read before copying: a million lines take seconds, and the page's message about a copy stays for eight.
    const lines = (await rawLines(stage.world, id)).slice(699_999, 700_003)
    await page.keyboard.press(':')
    await page.keyboard.type('700000')
    await page.keyboard.press('Enter')
    await lineSeen(page, 699_999)
    for (let more = 0; more < 3; more++) await page.keyboard.press('Shift+ArrowDown')
    await page.waitForURL(/[?&]line=700000&to=700003\b/)
    await page.keyboard.press('y')
    await page.getByText('4 lines copied').waitFor()
    expect(await pasted(page)).toBe(lines.map((line) => `${line}\n`).join(''))
    await page.getByRole('button', { name: 'Copy with line numbers' }).click()
    const numbered = lines.map((line, at) => `${700_000 + at}  ${line}\n`).join('')
    await expect.poll(() => pasted(page)).toBe(numbered) // the message is the one of the first copy
    await page.getByRole('button', { name: 'Copy a link to these lines' }).click()
    await page.getByText('Link to these lines copied').waitFor()
    const link = await pasted(page)

    const other = await stage.open()
    await other.page.goto(link)
    await lineSeen(other.page, 699_999)
    await other.page.getByText('Lines 700000–700003 (4)').waitFor()

    // A drag over the gutter; Shift extends the choice.
    const number = (line: number) => logPane(other.page).locator(`[data-line="${line}"]`)
    await number(699_995).hover()
    await other.page.mouse.down()
    await number(700_001).hover()
    await other.page.mouse.up()
    await other.page.getByText('Lines 699996–700002 (7)').waitFor()
    await number(700_005).click({ modifiers: ['Shift'] })
    await other.page.getByText('Lines 699996–700006 (11)').waitFor()
    await other.page.keyboard.press('Escape')
    await other.page.getByText('Lines 699996').waitFor({ state: 'detached' })
    await number(700_000).click()
    await other.page.getByText('Line 700,001').waitFor()
    expect(await violationsInBothThemes(other.page)).toEqual([])
  })

  test('is downloaded whole, with its colours or without', async () => {
    const { page } = await opened()
    const { id, logBytes } = await work()
    const download = async (name: string) => {
      await page.keyboard.press('D')
      const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name }).click()])
      return readFileSync(await file.path())
    }
    const stored = Buffer.from(await stage.world.log(id))
    expect(stored).toHaveLength(logBytes)
    expect((await download('Download with colours (ANSI)')).equals(stored)).toBe(true)
    const plain = (await download('Download as plain text')).toString('utf8')
    expect(plain).not.toContain('\u001b')
    expect(plain.split('\n')).toHaveLength((await work()).logLines + 1)
    expect(plain).toContain(`\nline ${NEEDLE} with a needle\n`)
  })
})

const lineDrawnAny = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => {
    const row = document.querySelector('[role=region] [data-line]')?.parentElement
    return row && !row.hidden && !/missing/.test(row.className)
  })
