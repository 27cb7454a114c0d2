// @suite dashboard
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onMadeUp } from './support/made-up.ts'

const tree = (page: Page) => page.getByRole('tree', { name: 'Phases and subtasks' })
const chosen = (page: Page) => tree(page).locator('[aria-selected=true]')
const problems = (page: Page) => page.getByRole('complementary', { name: 'Problems and phases' })

onMadeUp('a person who looks at a plan', (stage) => {
  test('sees how far its execution is, and what each phase proved', async () => {
    const { page } = await stage.open('/p/plans/b/pn-run')
    await page.getByRole('tab', { name: /^Plan\s*3\/4/ }).waitFor()
    expect(await chosen(page).textContent()).toContain('Build the search page')
    const second = tree(page).getByRole('treeitem', { name: /Phase 2/ })
    expect(await second.textContent()).toContain('218 tests, 4 new')
    expect(await second.textContent()).toContain('approved')
    await second.click()
    const facts = page.getByRole('region', { name: 'Phase 2' })
    await facts.getByRole('heading', { name: 'Attempt 2' }).waitFor()
    await facts.getByText('Rejected').waitFor()
    await facts.getByText('Accents are not folded').waitFor()
    expect(await facts.getByText('new', { exact: true }).first().locator('..').textContent()).toBe('new+4')
    expect(await violationsInBothThemes(page)).toEqual([])
    await facts.getByRole('link', { name: /^Changes of the commit/ }).click()
    await page.waitForURL(/tab=diff/)
  })

  test('reads the times of the timeline one by one, however wide the page is', async () => {
    const { page } = await stage.open('/p/plans/b/pn-done?tab=plan')
    for (const width of [1440, 1000, 700, 390, 320]) {
      await page.setViewportSize({ width, height: 900 })
      // They follow the width a frame later.
      await page.waitForFunction((wide) => {
        const chart = document.querySelector('#plan-lanes')?.parentElement
        if (!chart || innerWidth !== wide) return false
        const texts = [...chart.querySelectorAll('[class*=axis] span')].map((text) => text.getBoundingClientRect())
        const ends = [...texts.slice(1).map(({ left }) => left), chart.getBoundingClientRect().right]
        return texts.length > 0 && texts.every(({ right }, at) => right < (ends[at] ?? 0))
      }, width)
    }
  })

  test('walks through it with the keyboard, and comes to the log of a subtask', async () => {
    const { page } = await stage.open('/p/plans/b/pn-run?tab=plan')
    await tree(page).focus()
    await page.keyboard.press('Home')
    expect(await chosen(page).textContent()).toContain('Phase 1')
    await page.keyboard.press('ArrowLeft')
    expect(await chosen(page).getAttribute('aria-expanded')).toBe('false')
    await page.keyboard.press('ArrowDown')
    expect(await chosen(page).textContent()).toContain('Phase 2')
    await page.keyboard.press('ArrowRight')
    expect(await chosen(page).textContent()).toContain('Implement the search index')
    await page.keyboard.press('ArrowLeft')
    expect(await chosen(page).textContent()).toContain('Phase 2')
    await page.keyboard.press('ArrowRight')
    // Each attempt at the subtask has a log of its own.
    const sessions = page.getByRole('list', { name: 'Sessions' })
    expect(await sessions.getByRole('link').count()).toBe(2)
    await page.getByRole('button', { name: 'Follow what runs' }).click()
    expect(await chosen(page).textContent()).toContain('Build the search page')
    await sessions.getByRole('link', { name: /^Watch its log/ }).click()
    await page.waitForURL(/tab=output.*session=/)
  })

  test('sees the row change as soon as the server says so', async () => {
    const { page } = await stage.open('/p/plans/b/pn-run?tab=plan')
    expect(await chosen(page).textContent()).toContain('Build the search page')
    const project = stage.project('plans')
    const [run] = [...project.executions.values()].filter(({ bead }) => bead === 'pn-run')
    if (!run) throw new Error('it has no execution')
    const phases = project.phases?.get(run.id) ?? []
    const third = phases[2]
    const live = run.sessions.find(({ state }) => state !== 'ended')
    if (!third || !live) throw new Error('nothing runs')
    const ended = { ...live, state: 'ended' as const, outcome: 'success' as const, endedAt: Date.now() }
    project.phases?.set(
      run.id,
      phases.map((phase) =>
        phase === third
          ? {
              ...phase,
              activity: 'checks',
              subtasks: phase.subtasks.map((one) => ({ ...one, status: 'completed' as const })),
            }
          : phase,
      ),
    )
    stage.world.tellExecution(project, {
      ...run,
      sessions: run.sessions.map((one) => (one === live ? ended : one)),
      progress: { ...run.progress!, activity: 'checks', done: 2 },
    })
    await tree(page)
      .getByRole('treeitem', { name: /^Done Build the search page/ })
      .waitFor()
    await page.getByRole('link', { name: 'Board' }).first().click()
    await page.getByText('phase 3 of 4 · checks').waitFor()
  })

  test('pauses the work after the current phase, changes their mind, and lets another one continue', async () => {
    const { page } = await stage.open('/p/plans/b/pn-run?tab=plan')
    await page.getByRole('button', { name: 'Pause after this phase' }).click()
    await page.getByRole('button', { name: 'Don’t pause' }).click()
    await page.getByRole('button', { name: 'Pause after this phase' }).waitFor()
    const other = await stage.open('/p/plans/b/pn-paused')
    await other.page.getByRole('button', { name: 'Continue', exact: true }).click()
    await other.page.getByText('The next one begins as soon as a slot is free').waitFor()
  })

  test('repeats a phase and all later ones', async () => {
    const { page } = await stage.open('/p/plans/b/pn-failed?tab=plan&item=phase 2')
    const wish = page.waitForRequest((request) => request.method() === 'POST')
    await page.getByRole('button', { name: 'Run again from this phase' }).click()
    await page.getByRole('dialog').getByText('Phases 2 to 4 are done again').waitFor()
    await page.getByRole('button', { name: 'Run from phase 2' }).click()
    expect((await wish).postDataJSON()).toEqual({ fromPhase: 2 })
    await page.getByText('Queued').first().waitFor()
  })

  test('approves it', async () => {
    const { page } = await stage.open('/p/plans/b/pn-wait')
    await page.getByText('This plan waits for your approval').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('approved just now').waitFor()
    expect(stage.project('plans').beads.get('pn-wait')?.plan?.approved).toBe(true)
  })
})

onMadeUp('a person who edits a plan', (stage) => {
  test('is told every problem while typing, and saves it as a new version once there is none', async () => {
    const { page } = await stage.open('/p/plans/b/pn-wait')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.locator('summary', { hasText: 'Implement the search index' }).click()
    const fields = page.locator('details[open]')
    await fields.getByLabel('Files it creates').fill('/etc/passwd')
    await fields.getByLabel('1a', { exact: true }).uncheck()
    await problems(page).getByRole('heading', { name: '3 problems' }).waitFor()
    await problems(page).getByText("Impl subtask '2a' has no test dependency").waitFor()
    await problems(page).getByText('which is not inside of the repository').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).toBe('true')
    expect(await violationsInBothThemes(page)).toEqual([])
    // Another tab keeps the typed text.
    await page.getByRole('tab', { name: 'Attempts' }).click()
    await page.getByRole('tab', { name: /^Plan/ }).click()
    await problems(page).getByRole('heading', { name: '3 problems' }).waitFor()
    await page.locator('summary', { hasText: 'Implement the search index' }).click()
    await fields.getByLabel('Files it creates').fill('src/search/index.ts')
    await fields.getByLabel('1b', { exact: true }).check()
    await problems(page).getByRole('heading', { name: 'No problems' }).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved as version 2').waitFor()
    await tree(page).waitFor()
    const saved = stage.project('plans').plans?.get('pn-wait')?.at(-1)
    expect(saved).toMatchObject({ version: 2, source: 'person' })
    expect(saved?.subtasks.find(({ id }) => id === '2a')?.dependsOn).toEqual(['1b'])
  })

  test('learns at once that somebody else has saved another version, and keeps both', async () => {
    const { page } = await stage.open('/p/plans/b/pn-wait')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Goal').fill('Mine.')
    const project = stage.project('plans')
    const bead = project.beads.get('pn-wait')
    const now = project.plans?.get('pn-wait')?.at(-1)
    if (!bead || !now) throw new Error('there is no plan')
    stage.world.addPlan(project, bead, { ...now, goal: 'Theirs.', version: 2, newest: 2 })
    bead.plan = { version: 2, phased: true, approved: false }
    stage.world.tellBead(project, bead)
    await page.getByText('Somebody saved version 2 while you edited version 1').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved as version 3').waitFor()
    await expect
      .poll(() => project.plans?.get('pn-wait')?.map(({ goal }) => goal))
      .toEqual([now.goal, 'Theirs.', 'Mine.'])
  })
})
