// @suite dashboard
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsInBothThemes } from './support/accessibility.ts'
import { hostile } from './support/hostile-lines.ts'
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

  test('shows hostile output as plain text: nothing runs, nothing leads elsewhere', async () => {
    const { page } = await stage.open(`${path}&line=5`)
    await step(page, 4).getByText('<img src=x onerror=alert(1)>').waitFor()
    await step(page, 4).getByText('‹U+202E›gnp.exe').waitFor()
    await pane(page).getByText('x<script>', { exact: true }).first().waitFor() // without the link around it
    expect(await page.locator('main :is(img, script, iframe, object, a[href^="javascript"])').count()).toBe(0)
  })

  test('of a hostile agent is plain text wherever it can appear', async () => {
    const { screen, lines } = hostile()
    stage.world.printed.set('wc-1a4', lines)
    const { page } = await stage.open(`${path}&line=1`)
    await at(page, 1).waitFor()
    for (const fold of await pane(page).locator('[data-step] button[aria-expanded=false]').all())
      await fold.click({ timeout: 5000 }).catch(() => {}) // another fold may have scrolled it away
    await pane(page).getByText(`the handover ${screen}`).waitFor()
    for (const place of [
      'said',
      'edited',
      'added',
      'ran',
      'result',
      'section',
      'command',
      'sub-agent',
      'warning',
      'note',
    ])
      await pane(page).getByText(`${place} ${screen}`).first().waitFor({ state: 'attached' })
    const active =
      'main :is(img, script, iframe, object, svg[onload], [onerror], a[href^="javascript"], a[href^="data"])'
    expect(await page.locator(active).count()).toBe(0)
    expect(await page.evaluate(() => (globalThis as { owned?: unknown }).owned)).toBe(undefined)
    const shown = await pane(page).innerText()
    for (const control of ['\u0000', '\u001b', '\u202e']) expect(shown).not.toContain(control)
    expect(await page.title()).not.toContain('another title')
  })

  test('of Codex shows a patch file by file, with its counts, and describes the omitted part in words', async () => {
    const { screen } = hostile()
    const patch = (changes: unknown[], diffs: (string | null)[]) =>
      `⚙ apply_patch(${JSON.stringify({ changes, diffs })})`
    stage.world.printed.set('wc-1a4', [
      '› I patch.',
      patch(
        [
          { path: '/workspace/repo/src/send.ts', kind: 'update', added: 2, removed: 1 },
          { path: 'old.ts', kind: 'update', to: 'new.ts', added: 0, removed: 1 },
        ],
        [`@@ -1,3 +1,3 @@\n one\n-two\n+${screen}\n@@ -40 +40,2 @@\n+forty`, '@@ -1 +0,0 @@\n-gone'],
      ),
      '✓ apply_patch, 3 ms',
      patch([{ path: 'big.json', kind: 'add', added: 90210, removed: 0 }], [null]),
      '✓ apply_patch, 9 ms',
    ])
    const { page } = await stage.open(`${path}&line=1`)
    const patched = step(page, 2)
    await patched.getByRole('button', { name: 'edited src/send.ts, old.ts → new.ts +2 −2' }).waitFor()
    const change = patched.getByRole('group', { name: '2 added, 2 removed' })
    expect((await change.innerText()).split('\n').filter((text) => text.trim() !== '')).toEqual(
      expect.arrayContaining(['src/send.ts', '⋯', 'forty', 'old.ts → new.ts', 'gone']),
    )
    expect(await change.locator(':is(img, script, a)').count()).toBe(0)
    const big = step(page, 4)
    await big.getByRole('button', { name: 'edited big.json +90210' }).waitFor()
    await big.getByText('Too long to be kept here. The Diff tab has it.').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('of an agent that printed 50 MB without a newline shows its beginning, and stays quick', async () => {
    const piece = `  ${'x'.repeat(1024 * 1024 - 8)} …↩` // as the recorder splits a line
    const lines = [
      '› It is long.',
      '⚙ bash({"command":"yes"})',
      '✗ bash, 3.0 s',
      ...Array.from({ length: 50 }, () => piece),
    ]
    stage.world.printed.set('wc-1a4', [...lines, `› ${'y'.repeat(1024 * 1024)}`])
    const { page } = await stage.open(`${path}&line=1`)
    await at(page, 1).waitFor()
    await pane(page)
      .getByText(/50 lines, \d+(?:\.\d)? MiB/)
      .waitFor()
    await page.keyboard.press('End')
    await pane(page).getByRole('button', { name: 'The rest is in the log' }).waitFor()
    expect(await page.evaluate(() => document.body.innerText.length)).toBeLessThan(300_000)
  })

  test("has the log's lines too: one key switches, the choice is remembered, and a link to lines opens in either", async () => {
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

  test('is navigated by keys: from step to step, folded and opened, and searched', async () => {
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

  test('of a million lines reads and draws only the part around the person, from its end to its beginning', async () => {
    stage.world.said.set('wc-1a4', MILLION)
    const { page } = await stage.open(path)
    const blocks = () =>
      page.evaluate(
        () => performance.getEntriesByType('resource').filter(({ name }) => name.includes('/log/blocks/')).length,
      )
    await pane(page).locator('[data-step]').first().waitFor()
    await page.getByRole('scrollbar', { name: 'Place in the conversation' }).waitFor()
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

  test('has a scroll bar over all of its lines, and goes to any of them by its number', async () => {
    stage.world.said.set('wc-1a4', MILLION)
    const { page } = await stage.open(path)
    const bar = page.getByRole('scrollbar', { name: 'Place in the conversation' })
    const now = async () => Number(await bar.getAttribute('aria-valuenow'))
    await expect.poll(now, { timeout: 20_000 }).toBeGreaterThan(MILLION - 500)
    const box = await bar.boundingBox()
    if (box === null) throw new Error('the bar is not to be seen')
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 10)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 })
    await page.getByText(/^Line [45]\d\d,\d{3} of 1,000,000$/).waitFor()
    await page.mouse.up()
    await expect.poll(now, { timeout: 20_000 }).toBeGreaterThan(MILLION * 0.45)
    await expect.poll(now, { timeout: 20_000 }).toBeLessThan(MILLION * 0.55)
    const first = async () => Number(await pane(page).locator('[data-step]').first().getAttribute('data-step'))
    await expect.poll(first, { timeout: 20_000 }).toBeGreaterThan(MILLION * 0.45)

    await pane(page).focus()
    await page.keyboard.press(':')
    await page.getByLabel('Go to line').fill('700,009')
    await page.keyboard.press('Enter')
    await page.waitForURL(/[?&]line=700009\b/)
    await expect.poll(now, { timeout: 20_000 }).toBeGreaterThan(699_000)
    await expect.poll(now, { timeout: 20_000 }).toBeLessThan(700_100)
  })

  test('of an execution by a plan has its phases, subtasks and sessions in order, each opened in its place', async () => {
    const { page } = await stage.open('/p/plans/b/pn-done?tab=output')
    await page.getByRole('heading', { name: /Phase 1$/ }).waitFor()
    const head = (name: RegExp, expanded: boolean) => pane(page).getByRole('button', { name, expanded }).first()
    await head(/1a Write tests of the search index/, false).click()
    await head(/1a Write tests of the search index/, true).waitFor()
    await page.waitForURL(/[?&]session=/)
    await step(page, 4).waitFor() // from its beginning, not its end
    await page.keyboard.press('End')
    await head(/1b Write tests of folding accents/, false).click()
    await head(/1b Write tests of folding accents/, true).waitFor()
    await step(page, 4).waitFor()
    await page.keyboard.press('c')
    await lineDrawn(page, 239)
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('of an execution by a plan is searched over all of its sessions, from one to the next and back', async () => {
    const run = [...stage.project('plans').executions.values()].find(({ bead }) => bead === 'pn-done')
    const ids = run?.sessions.map(({ id }) => id) ?? []
    const says = (at: number, ...marks: number[]) =>
      stage.world.printed.set(
        ids[at] ?? '',
        Array.from({ length: 60 }, (_, n) =>
          n % 2 === 1 ? '✓ bash, 4 ms' : `⚙ bash({"command":"echo ${marks.includes(n) ? 'the needle' : `hay ${n}`}"})`,
        ),
      )
    for (const at of ids.keys()) says(at)
    says(0, 6, 50)
    says(2, 30)
    says(4, 4, 20)
    const { page } = await stage.open(`/p/plans/b/pn-done?tab=output&session=${ids[0]}`)
    const { keyboard } = page
    const found = page.getByRole('search').getByRole('status').first()
    const isFound = (text: string) => expect.poll(() => found.textContent(), { timeout: 60_000 }).toBe(text)
    await pane(page).getByText('echo hay 58').waitFor({ state: 'attached' })
    await keyboard.press('/')
    await keyboard.type('NEEDLE')
    await isFound('1 of 2 · 3 elsewhere')
    expect(await found.getAttribute('title')).toMatch(/^3 matches in 2 other sessions/)
    await keyboard.press('Enter')
    await isFound('2 of 2 · 3 elsewhere')
    await pane(page).hover()
    await page.mouse.wheel(0, 500) // to the list of the other sessions
    await pane(page).getByText('2 matches', { exact: true }).waitFor({ state: 'attached' })
    await keyboard.press('Enter')
    await page.waitForURL(new RegExp(`session=${ids[2]?.replace('.', '\\.')}\\b`))
    await isFound('1 of 1 · 4 elsewhere')
    await at(page, 31).waitFor()
    await keyboard.press('Shift+Enter') // the field has the focus again
    await isFound('2 of 2 · 3 elsewhere')
    await at(page, 51).waitFor()
    await keyboard.press('Escape')
    await keyboard.press('c')
    await lineDrawn(page, 59)
    await keyboard.press('/')
    await keyboard.type('needle')
    await isFound('2 of 2 · 3 elsewhere')
    await page.getByRole('button', { name: 'Next match' }).click()
    await page.waitForURL(new RegExp(`session=${ids[2]?.replace('.', '\\.')}\\b`))
    await isFound('1 of 1 · 4 elsewhere')
    await page.getByRole('button', { name: 'Previous match' }).click()
    await page.waitForURL(new RegExp(`session=${ids[0]?.replace('.', '\\.')}\\b`))
    await isFound('2 of 2 · 3 elsewhere')
    expect(await violationsInBothThemes(page)).toEqual([])
  })
})
