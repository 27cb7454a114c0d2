// @suite dashboard
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { lineSeen, logPane, rowPlaces } from './support/log.ts'
import { onStage } from './support/stage.ts'

/* A log that grows while somebody reads it. The agent prints the words of files, or complains: once for each file. */
const agent = `cat > /dev/null
mkdir -p /tmp/say
n=0
for i in $(seq 1 100); do echo "line $i"; done
while [ ! -e /tmp/say/end ]; do
  for file in /tmp/say/*.txt; do [ -e "$file" ] && cat "$file" && rm "$file"; done
  for file in /tmp/say/*.err; do [ -e "$file" ] && cat "$file" >&2 && rm "$file"; done
  sleep 0.05
done
exit 1
`
const start = async () => {
  const world = await World.start()
  await world.addProject(
    'live',
    shellProject({ agent }),
    ['li-1', 'li-2', 'li-3', 'li-4'].map((id) => ({ id, title: 'Say what it is told' })),
  )
  return world
}

onStage('a log that grows', start, (stage) => {
  const running = async (bead: string) => {
    const { id } = await stage.world.queue('live', bead)
    await stage.world.printed(id, 'line 100')
    const work = (await stage.world.execution(id)).sessions.find(({ kind }) => kind === 'work')
    const container = work?.container
    if (!container) throw new Error('its container is not known')
    let said = 0
    const put = (name: string, text: string) =>
      execFileSync('docker', ['exec', '-i', container, 'sh', '-c', `cat > /tmp/say/.x && mv /tmp/say/.x ${name}`], {
        input: text,
      })
    return {
      say: (text: string) => put(`/tmp/say/${(said += 1)}.txt`, text),
      complain: (text: string) => put(`/tmp/say/${(said += 1)}.err`, text),
      end: async () => {
        put('/tmp/say/end', '')
        await stage.world.ended(id)
      },
    }
  }
  const last = async (bead: string) => {
    const { executions } = await stage.world.get<BeadView>(`/api/projects/live/beads/${bead}`)
    return executions[0]?.sessions.find(({ kind }) => kind === 'work')
  }
  const shows = (page: Page, text: string) => logPane(page).getByText(text, { exact: true }).waitFor()
  const pill = (page: Page, text: string | RegExp) => page.getByRole('button', { name: text })

  test('is followed until somebody scrolls up; then it stands still and counts new lines and new errors', async () => {
    const { say, end } = await running('li-1')
    const { page } = await stage.open()
    await page.goto(`${stage.world.server.url}/p/live/b/li-1?tab=output`)
    await shows(page, '› line 100')
    say('one more\n')
    await shows(page, '› one more')
    await logPane(page).focus()
    for (let up = 0; up < 3; up++) await page.keyboard.press('ArrowUp')
    const places = await rowPlaces(page)
    say('quiet\nerror: it is loud\n')
    await pill(page, '2 new lines · 1 error').waitFor()
    const now = new Map(await rowPlaces(page))
    expect(places.map(([line]) => [line, now.get(line)])).toEqual(places)

    await page.keyboard.press('G')
    await shows(page, '› error: it is loud')
    say('followed again\n')
    await shows(page, '› followed again')

    // A hit holds the view too; the pill releases it.
    await page.keyboard.press('/')
    await page.keyboard.type('line 33')
    await shows(page, '› line 33')
    say('unseen\n')
    await pill(page, /^1 new line$/).click()
    await shows(page, '› unseen')

    // A returning person sees where the new lines begin.
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    say('printed meanwhile\n')
    await shows(page, '› printed meanwhile')
    await page.evaluate(() => {
      Object.defineProperty(document, 'hidden', { configurable: true, get: () => false })
      document.dispatchEvent(new Event('visibilitychange'))
    })
    await logPane(page)
      .getByText(/^new since \d\d:\d\d:\d\d$/)
      .waitFor()

    await end()
    await page.getByText(/■ ended · exit 1 · .* · [\d,]+ lines · complete ✓/).waitFor()
    await lineSeen(page, ((await last('li-1'))?.logLines ?? 0) - 1)
  })

  test('keeps a filter and its count up to date', async () => {
    const { say, end } = await running('li-2')
    const { page } = await stage.open()
    await page.goto(`${stage.world.server.url}/p/live/b/li-2?tab=output`)
    await shows(page, '› line 100')
    await page.keyboard.press('/')
    await page.keyboard.type('line 10')
    await page.getByRole('button', { name: 'Only matching lines' }).click()
    await page.getByText(/^[12] of 2$/).waitFor()
    say('no match\nline 10 again\n')
    await page.getByText(/^[12] of 3$/).waitFor()
    await shows(page, '› line 10 again')
    expect(await logPane(page).getByText('› no match').count()).toBe(0)
    await end()
  })

  test('takes text as it is: a line of 13 MB, bytes that are no text, half a colour', async () => {
    const { say, end } = await running('li-3')
    const { page } = await stage.open()
    await page.goto(`${stage.world.server.url}/p/live/b/li-3?tab=output`)
    await shows(page, '› line 100')
    say(`${'x'.repeat(13_000_000)}\n`)
    say('after the long one\n')
    await shows(page, '› after the long one')
    const more = logPane(page).getByRole('button', { name: /… \+[\d,]+ characters/ })
    await more.last().click()
    const dialog = page.getByRole('dialog', { name: /^Line/ })
    await dialog.getByText(/^x{1000}/).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('G')
    say('\u001b[38;5mhalf\u001b[ of a colour\u0000\u0007 and \u001b]8;;https://open.example\n')
    say('{"level":"info","nested":{"n":1}}\n')
    const json = logPane(page).getByText('› {"level":"info","nested":{"n":1}}', { exact: true })
    await json.waitFor()
    const row = json.locator('..')
    await row.locator('[data-line]').click()
    await page.keyboard.press('Enter')
    await dialog.getByText('nested: ').waitFor()
    await dialog.getByText('"info"').waitFor()
    await page.keyboard.press('Escape')
    await end()
    await page.getByText(/complete ✓/).waitFor()
  })
  test('folds a stack trace, says when lines came and which came on standard error, and keeps colours wherever one starts', async () => {
    const { complain, end } = await running('li-4')
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/live/b/li-4?tab=output')
    await shows(page, '› line 100')
    const frames = Array.from({ length: 14 }, (_, n) => `    at step${n} (file:///app/src/part.ts:${n + 1}:7)`)
    complain(`TypeError: it has no parts\n${frames.join('\n')}\n`)
    await shows(page, '14 more lines')
    const row = (text: string) => logPane(page).getByText(text, { exact: true }).locator('..')
    const frame = logPane(page).getByText('at step3 ')
    expect(await frame.filter({ visible: true }).count()).toBe(0)
    await row('TypeError: it has no parts')
      .getByRole('link', { name: /^\d+ ?, standard error$/ })
      .waitFor()
    expect(await row('› line 100').locator('[data-line]').getAttribute('title')).toBe('')
    await logPane(page).getByRole('button', { name: 'Unfold this stack trace' }).click()
    await frame.waitFor()
    await logPane(page).getByRole('button', { name: 'Fold this stack trace' }).click()
    await frame.waitFor({ state: 'hidden' })
    await page.keyboard.press('/')
    await page.keyboard.type('step13 ')
    await shows(page, frames[13] ?? '')
    await page.keyboard.press('Escape')

    // A link to one of its lines shows that line; folding works around it.
    const line = Number(
      await row(frames[3] ?? '')
        .locator('[data-line]')
        .getAttribute('data-line'),
    )
    await screen.go(`/p/live/b/li-4?tab=output&line=${line + 1}`)
    await shows(page, frames[3] ?? '')
    await lineSeen(page, line)
    await page.keyboard.press('z')
    await shows(page, '14 more lines')
    expect(await frame.filter({ visible: true }).count()).toBe(0)
    await page.keyboard.press('z')
    await frame.waitFor()

    await page.keyboard.press('T')
    const second = /^\d+ (\d\d:\d\d:\d\d)/
    const times = () => logPane(page).locator('[data-line]').filter({ hasText: second, visible: true })
    await times().first().waitFor()
    await page.reload()
    await times().first().waitFor()
    const shown = await times().allTextContents()
    expect(new Set(shown.map((text) => second.exec(text)?.[1])).size).toBeGreaterThan(0)
    expect(await times().first().getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} /)

    complain(`\u001b[31mred from here\n${'still red\n'.repeat(1100)}the end\n`)
    await page.keyboard.press('G')
    await shows(page, 'the end')
    await end()
    const lines = (await last('li-4'))?.logLines ?? 0
    await screen.go(`/p/live/b/li-4?tab=output&line=${lines - 300}`)
    await page.waitForFunction((n) => {
      const text = document.querySelector(`[role=region] [data-line="${n}"] + span span`)
      return text !== null && getComputedStyle(text).color === 'rgb(179, 38, 30)'
    }, lines - 301)

    await page.getByRole('button', { name: 'Download' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'Download with times (UTC)' }).click()
    const text = readFileSync(await (await download).path(), 'utf8').split('\n')
    expect(text.length).toBe(lines + 1)
    expect(text.find((line) => line.endsWith('› line 100'))).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z › line 100$/,
    )
    expect(await violationsInBothThemes(page)).toEqual([])
    expect(screen.problems).toEqual([])
  })
})
