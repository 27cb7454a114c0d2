// @suite dashboard
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { watchLayout } from './support/layout-shifts.ts'
import { onMadeUp } from './support/made-up.ts'

/*
 * Hostile text of an agent, a repository or a tracker, on every screen that shows it: it stays text, runs nothing,
 * leads nowhere and makes nothing wider. A refused load or a dialog fails the test by itself.
 */
const markup = `<img src=x onerror="owned=1"><svg onload="owned=1"><script>owned=1</script>"><a href="javascript:owned=1">`
const controls = '\u001b]0;owned\u0007\u001b[2J\u202egnp.exe\u2066\u0000\u200f'
/** None of these may reach a page unchanged. */
const hidden = ['\u0000', '\u0007', '\u001b', '\u200f', '\u202e', '\u2066']
const long = 'W'.repeat(240)
const bad = `${markup} ${controls} ${long}`
/** The largest line that an agent can print without a newline. */
const LINE_BYTES = 50_000_000
const p = '/p/wordcraft'

/** Asserts that none of it became an element or ran, no control is left in the text, and the page fits its window. */
async function isHarmless(page: Page, at: string): Promise<void> {
  const found = await page.evaluate(
    (marks) => ({
      owned: (globalThis as { owned?: unknown }).owned ?? null,
      // The dashboard itself has no pictures in the page.
      elements: document.querySelectorAll(
        '#main :is(img, script, iframe, object, embed, [onload], [onerror]), a[href^="javascript:" i], a[href^="data:" i]',
      ).length,
      controls: marks.filter((one) => `${document.title}${document.querySelector('#main')?.textContent}`.includes(one)),
      spills: document.documentElement.scrollWidth - innerWidth,
    }),
    hidden,
  )
  expect(found, at).toEqual({ owned: null, elements: 0, controls: [], spills: 0 })
}

onMadeUp('what was written to do harm', (stage) => {
  const poison = () => {
    const project = stage.project('wordcraft')
    for (const bead of project.beads.values()) {
      bead.title = `${bad} ${bead.id}`
      bead.labels = [...bead.labels, markup]
    }
    for (const run of project.executions.values())
      Object.assign(run, {
        beadTitle: bad,
        detail: bad,
        ...(run.state === 'RUNNING' && { activity: bad }),
        ...(run.state === 'BLOCKED' && { blockedReason: bad }),
        verifications: run.verifications.map((one) => ({ ...one, summary: bad, digest: bad })),
      })
    project.view = { ...project.view, warnings: [bad] }
    return project
  }

  test.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])(
    'is text on the board, in the list, the activity, the graph and on the pages of beads, $width wide',
    async (size) => {
      poison()
      const { page } = await stage.open(p, { size })
      const { origin } = new URL(page.url())
      for (const [path, there] of [
        [p, '[data-bead]'],
        [`${p}?view=list`, '[data-bead]'],
        [`${p}/activity`, '[aria-label="Merged"], h2'],
        [`${p}/graph`, 'h1, h2'],
        [`${p}/graph?focus=wc-1a4`, 'h1, h2'],
        [`${p}/reviews`, 'h1'],
        [`${p}/budget`, 'table'],
        [`${p}/b/wc-1a4`, 'article'],
        [`${p}/b/wc-c11`, 'article'],
        [`${p}/b/wc-d20?tab=attempts`, 'article'],
        [`${p}/b/wc-f01?tab=info`, 'article'],
      ] as const) {
        await page.goto(`${origin}${path}`)
        await page.locator('#main').locator(there).first().waitFor()
        await page.getByText('<img src=x onerror=', { exact: false }).first().waitFor({ state: 'attached' })
        await isHarmless(page, path)
      }
    },
  )

  test('is text in a diff: names of files, lines, and one of 50 MB, which the page cuts', async () => {
    const { page } = await stage.open(p)
    await page.route(/\/diff\?.*path=/, async (route) => {
      const path = new URL(route.request().url()).searchParams.get('path') ?? ''
      const line = `${bad.replaceAll('\u0000', '')}`
      const patch = `diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n ${line}\n-${line}\n+${line}\n+${'x'.repeat(LINE_BYTES)}\n`
      await route.fulfill({ json: { path, patch, truncated: false } })
    })
    await page.goto(new URL(`${p}/b/wc-9fe?tab=diff`, page.url()).href)
    const surface = page.locator('[data-diff-surface]')
    await surface.getByText('<img src=x onerror=').first().waitFor()
    await isHarmless(page, 'diff')
    expect(await page.evaluate(() => document.querySelectorAll('*').length)).toBeLessThan(5_000)
    expect((await surface.innerText()).length).toBeLessThan(2_000_000)
    // The page still responds.
    await page.getByRole('tab', { name: 'Output' }).click()
    await page.waitForURL((url) => url.searchParams.get('tab') !== 'diff')
  })

  test('is text in the evidence picture, an SVG that runs nothing', async () => {
    poison()
    const { page } = await stage.open(`${p}/b/wc-f01?tab=attempts`)
    const card = page.getByRole('region', { name: 'Evidence' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card.getByRole('button', { name: 'Download as SVG' }).click(),
    ])
    const svg = readFileSync(await download.path(), 'utf8')
    expect(svg).toContain('&#60;img')
    expect(hidden.filter((one) => svg.includes(one))).toEqual([])
    // The file by itself, as a browser opens it: without the dashboard's policy.
    const alone = await page.context().browser()!.newPage()
    const found = await alone.evaluate((text) => {
      const read = new DOMParser().parseFromString(text, 'image/svg+xml')
      return {
        broken: read.querySelector('parsererror') !== null,
        active: [...read.querySelectorAll('script, foreignObject, image, a, use, animate, set')].length,
        handlers: [...read.querySelectorAll('*')]
          .flatMap((one) => [...one.attributes])
          .filter(({ name }) => /^on|href/i.test(name)).length,
      }
    }, svg)
    await alone.close()
    expect(found).toEqual({ broken: false, active: 0, handlers: 0 })
    expect(download.suggestedFilename()).toMatch(/^[\w.-]+\.svg$/)
  })

  test.each([
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ])('moves nothing around the conversation that it is printed into, $width wide', async (size) => {
    const said = ['› It begins.']
    stage.world.printed.set('wc-1a4', said)
    const { page } = await stage.open(`${p}/b/wc-1a4?tab=output`, { size })
    const pane = page.getByRole('region', { name: /^Conversation of session/ })
    await pane.getByText('It begins.').waitFor()
    await pane.getByText('Working…').waitFor()
    await page.clock.setFixedTime(Date.now()) // only the time moves besides, and its digits are not tested here
    const edges = () => pane.evaluate((one) => JSON.stringify(one.getBoundingClientRect()))
    const before = await edges()
    // A duration in the list of executions is right-aligned, and starts further left when it has more digits.
    const durations = 'li span[title*=":"]'
    const moved = await watchLayout(page, {
      within: `[aria-label^="Conversation of session"], [role=search], ${durations}`,
    })
    const call = (text: string) => `⚙ bash(${JSON.stringify({ command: text })})`
    for (const [name, text] of [
      ['bidi', '\u202e\u2067\u200f abc '.repeat(200)],
      ['marks', `a${'\u0301\u0489\u20dd'.repeat(3000)}`],
      ['zero-width', '\u200b\u200d\ufeff\u2060'.repeat(5000)],
      ['tall', '\u{12031}\ufdfd\u2e3b'.repeat(300)],
      ['tabs', '\t'.repeat(5000)],
      ['wide', 'W'.repeat(200_000)],
      ['colours', '\u001b[7m\u001b[5;1;4m\u001b[99999;99999H\u001b[2J'.repeat(500)],
    ] as const) {
      said.push(`› ${name} said ${text}`, call(`${name} ran ${text}`), '✗ bash, 1.0 s', `  ${name} printed ${text}`)
      said.push(`! ${name} warned ${text}`)
      await pane.getByText(`${name} warned`).first().waitFor({ state: 'attached' })
    }
    // A line of 50 MB, split as the recorder does.
    const piece = `  ${'x'.repeat(1024 * 1024 - 8)} …↩`
    said.push(call('yes'), '✗ bash, 3.0 s', ...Array.from({ length: 50 }, () => piece), '› It ends.')
    await pane.getByText('It ends.').waitFor({ state: 'attached' })
    expect(await edges()).toBe(before)
    expect(await moved()).toEqual([])
    await isHarmless(page, 'the conversation')
  })
})
