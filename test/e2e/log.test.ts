// @suite dashboard
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card } from './support/board.ts'
import { drawnRows, lineDrawn, logPane, rawLines, readThrough } from './support/log.ts'
import { onStage } from './support/stage.ts'

/* Container output as a person sees it: text that attacks the page, and more text than a page can hold. */
const ESC = '\u001b'
const OVERRIDE = '\u202e'
const hostileTitle = `<img src=x onerror=alert(1)> and ${OVERRIDE}gnp.exe`
/** Printed text, and the visible part of it. */
const hostileLines: [string, string][] = [
  [
    `<img src=x onerror="alert(2)"><script>alert(3)</script>`,
    `› <img src=x onerror="alert(2)"><script>alert(3)</script>`,
  ],
  [`a ${ESC}]8;;javascript:alert(4)${ESC}\\link${ESC}]8;;${ESC}\\ of a terminal`, '› a link of a terminal'],
  [
    `a ${ESC}]8;;https://elsewhere.example/${ESC}\\link elsewhere${ESC}]8;;${ESC}\\`,
    '› a link elsewhere (elsewhere.example)',
  ],
  [`before${ESC}[2J${ESC}[Hafter`, '› beforeafter'],
  [`${ESC}]0;another title${ESC}\\the title stays`, '› the title stays'],
  [`looks like ${OVERRIDE}gnp.exe`, '› looks like ‹U+202E›gnp.exe'],
  ['nul:\u0000:end', '› nul::end'],
  ['10 %\r50 %\r100 % done', '100 % done'],
  [`${ESC}[38:2::255:0:0mtrue colour${ESC}[0m`, '› true colour'],
  ['javascript:alert(5)', '› javascript:alert(5)'],
]
const LINES = 100_000
const NEEDLE = 31_337
const agent = `prompt=$(cat)
case "$prompt" in
*'#pr-1 '*) cat hostile.txt; head -c 300000 /dev/zero | tr '\\0' x; echo; tr -d '\\0' < hostile.txt > '<svg onload=alert(6)>.txt' ;;
*) awk 'BEGIN { for (i = 1; i <= ${LINES}; i++) print "line " i (i == ${NEEDLE} ? " with the needle" : " of the flood") }'; echo > flood.txt ;;
esac
${commitAndPush('pr', 'Print')}`

const start = async () => {
  const world = await World.start({ engine: 'process' })
  const files = { ...shellProject({ agent }), 'hostile.txt': hostileLines.map(([printed]) => `${printed}\n`).join('') }
  await world.addProject('prints', files, [
    { id: 'pr-1', title: hostileTitle, description: '<iframe src="https://elsewhere.example"></iframe>' },
    { id: 'pr-2', title: 'Print a hundred thousand lines' },
  ])
  for (const bead of ['pr-1', 'pr-2']) expect(await world.run('prints', bead)).toMatchObject({ state: 'COMPLETED' })
  return world
}

onStage('a log', start, (stage) => {
  const workLog = async (bead: string) => {
    const { executions } = await stage.world.get<BeadView>(`/api/projects/prints/beads/${bead}`)
    const session = executions[0]?.sessions.find(({ kind }) => kind === 'work')
    if (session === undefined) throw new Error(`no agent has worked on ${bead}`)
    return session
  }

  test('that attacks the page is shown as plain text: nothing runs, nothing is requested from elsewhere', async () => {
    const screen = await stage.open()
    const { page } = screen
    const seen = `<img src=x onerror=alert(1)> and ‹U+202E›gnp.exe`
    await card(page, 'pr-1').getByText(seen).waitFor()
    await card(page, 'pr-1').getByRole('link').click()
    await page.getByRole('heading', { name: seen }).waitFor()
    await page.getByText('<iframe src="https://elsewhere.example"></iframe>').waitFor()
    await page.getByText('<svg onload=alert(6)>.txt').first().waitFor() // the diff
    await page.getByText('+looks like ‹U+202E›gnp.exe').waitFor()

    await page.getByRole('tab', { name: 'Output' }).click()
    const title = await page.title()
    for (const [, text] of hostileLines) await logPane(page).getByText(text, { exact: true }).first().waitFor()
    await logPane(page)
      .getByText(/^x{4000,} … \+[\d,]+ characters$/)
      .waitFor()
    expect(await page.title()).toBe(title)
    expect(await page.locator('main :is(img, script, iframe, object, a[href^="javascript"])').count()).toBe(0)
    const links = logPane(page).locator('a[href]:not([data-line])')
    expect(
      await links.evaluateAll((all) => all.map((link) => `${link.textContent} ${link.getAttribute('href')}`)),
    ).toEqual(['link elsewhere https://elsewhere.example/'])
    expect(await links.first().getAttribute('rel')).toBe('noopener noreferrer')
    expect(await violationsInBothThemes(page)).toEqual([])

    // The text as a document of its own is harmless too.
    expect(screen.problems).toEqual([])
    const raw = await page.context().newPage()
    expect(screen.problems.splice(0)).toEqual(['a window was opened: about:blank']) // ours
    await raw.goto(`${stage.world.server.url}/api/sessions/${(await workLog('pr-1')).id}/log/raw?ansi=0`)
    await raw.getByText('alert(2)').waitFor()
    expect(await raw.locator('img, script').count()).toBe(0)
  })

  test('of 100,000 lines opens at its end; Home, End, the wheel, the thumb and find reach every part of it', async () => {
    const screen = await stage.open()
    const { page } = screen
    const session = await workLog('pr-2')
    expect(session.logLines).toBeGreaterThan(LINES)
    await screen.go('/p/prints/b/pr-2?tab=output')
    await page.getByText(/■ ended .* complete ✓/).waitFor()
    await logPane(page).getByText(`› line ${LINES} of the flood`, { exact: true }).waitFor()
    const nodes = [await page.locator('*').count()]
    const visible = async (text: string) => {
      await logPane(page).getByText(text, { exact: true }).waitFor()
      nodes.push(await page.locator('*').count())
    }

    await page.keyboard.press('Home')
    await visible('§ checkout')
    await page.mouse.move(600, 500)
    await page.mouse.wheel(0, 20_000)
    await lineDrawn(page, 1020)
    await page.keyboard.press('End')
    await visible(`› line ${LINES} of the flood`)
    await logPane(page).evaluate((pane) => (pane.scrollTop = pane.scrollHeight / 2))
    await lineDrawn(page, Math.round(session.logLines / 2))
    nodes.push(await page.locator('*').count())

    await page.keyboard.press('/')
    await page.keyboard.type('the needle')
    await page.getByText('1 of 1', { exact: true }).waitFor()
    await visible(`› line ${NEEDLE} with the needle`)
    await page.keyboard.press('Escape')
    await screen.go(`/p/prints/b/pr-2?tab=output&session=${session.id}&line=${LINES / 2}`)
    await lineDrawn(page, LINES / 2 - 1)
    expect(Math.max(...nodes)).toBeLessThan(1000)
    expect(Math.max(...nodes) - Math.min(...nodes)).toBeLessThan(300)
  })

  test('wraps its long lines on request: nothing is cut off, and every line can be reached', async () => {
    const screen = await stage.open()
    const { page } = screen
    const pane = logPane(page)
    const isWide = () => pane.evaluate((element) => element.scrollWidth > element.clientWidth)
    const session = await workLog('pr-1')
    await screen.go('/p/prints/b/pr-1?tab=output')
    await page.getByText(/■ ended .* complete ✓/).waitFor()
    const rest = pane.getByText(/… \+[\d,]+ characters/).last()
    await page.keyboard.press('Home')
    await rest.waitFor()
    expect(await isWide()).toBe(true)

    await page.keyboard.press('w')
    await page.getByRole('button', { name: 'Wrap long lines', pressed: true }).waitFor()
    await page.waitForFunction(() => {
      const region = document.querySelector('[role=region][aria-live=off]')
      return region !== null && region.scrollWidth <= region.clientWidth
    })
    const box = await rest.boundingBox()
    expect(box?.x).toBeLessThan(1000)
    const lines = await rawLines(stage.world, session.id)
    const read = await readThrough(page, lines.length)
    expect(read).toHaveLength(session.logLines)
    expect(read.at(-1)).toBe(lines.at(-1))
    await page.keyboard.press('End')
    await page.getByText(/■ ended .* complete ✓/).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])

    await page.reload()
    await page.getByText(/■ ended .* complete ✓/).waitFor()
    await page.getByRole('button', { name: 'Wrap long lines', pressed: true }).waitFor()
    await page.keyboard.press('w')
    await page.getByRole('button', { name: 'Wrap long lines', pressed: false }).waitFor()
    await page.keyboard.press('Home')
    await rest.waitFor()
    expect(await isWide()).toBe(true)
  })

  test('of 100,000 lines is as easily read with its lines wrapped', async () => {
    const screen = await stage.open({ size: { width: 400, height: 800 } })
    const { page } = screen
    await screen.go('/p/prints/b/pr-2?tab=output')
    await page.keyboard.press('w')
    await page.getByText(/■ ended .* complete ✓/).waitFor()
    await page.keyboard.press('Home')
    await lineDrawn(page, 0)
    await logPane(page).evaluate((pane) => (pane.scrollTop = (pane.scrollHeight - pane.clientHeight) / 2))
    await lineDrawn(page, LINES / 2)
    await page.keyboard.press('/')
    await page.keyboard.type('the needle')
    await logPane(page).getByText(`› line ${NEEDLE} with the needle`, { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('End')
    await page.getByText(/■ ended .* complete ✓/).waitFor()
  })

  test('keeps every number next to its own line, wherever one jumps to', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/prints/b/pr-2?tab=output')
    await page.getByText(/■ ended .* complete ✓/).waitFor()
    const first = await firstFloodLine(stage.world, (await workLog('pr-2')).id)
    for (const line of [5, 70_000, 512, 511, 99_000, 40_960]) {
      await logPane(page).evaluate((pane, top) => (pane.scrollTop = top), line * 20)
      await lineDrawn(page, line)
      const rows = (await drawnRows(page)).filter(([n]) => n >= first && n < first + LINES)
      expect(rows.length).toBeGreaterThan(20)
      for (const [n, text] of rows) expect(text).toMatch(new RegExp(`^› line ${n - first + 1} `))
    }
  })
})

async function firstFloodLine(world: World, session: string): Promise<number> {
  const lines = (await world.log(session)).split('\n')
  return lines.findIndex((line) => line.startsWith('› line 1 '))
}
