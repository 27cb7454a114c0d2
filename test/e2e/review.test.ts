// @suite dashboard
import { expect, onTestFinished, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { answer, issue, reviewedProject } from '../support/reviewer.ts'
import { commitAndPush } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onStage } from './support/stage.ts'

/*
 * Reviews on the dashboard: requested once, however often a person clicks; read, answered issue by issue, and requested
 * again. The server has one slot, so a bead that counts can keep a review waiting as long as needed.
 */
const agent = `case "$(cat)" in
*'#rv-9 '*) i=0; while :; do i=$((i+1)); echo "tick $i"; sleep 0.1; done ;;
esac
echo hello >> greeting.txt
${commitAndPush('rv-1', 'Greet')}`
const found = [
  issue('It greets nobody', { description: 'Say `whom`. <img src=x onerror=alert(1)>' }),
  issue('Nothing tests it', { severity: 'low', priority: 3, file_path: 'README.md', line_numbers: [] }),
]
/** The issue about missing tests is gone from the second greeting on. */
const reviewer = `cat > /dev/null
if [ "$(wc -l < greeting.txt)" -ge 2 ]; then cat <<'END'
${answer(found.slice(0, 1))}
END
else cat <<'END'
${answer(found)}
END
fi
`
const start = async () => {
  const world = await World.start({ engine: 'process', flags: { slots: '1' } })
  await world.addProject('greet', { ...reviewedProject({ reviewer, bead: 'rv-1' }), 'agent.sh': agent }, [
    { id: 'rv-1', title: 'Greet' },
    { id: 'rv-9', title: 'Count for ever' },
  ])
  await world.run('greet', 'rv-1')
  return world
}

onStage('a person who has work reviewed', start, (stage) => {
  const reviews = async () => (await stage.world.get<{ items: ReviewView[] }>('/api/projects/greet/reviews')).items
  const newest = async () => {
    const [review] = await reviews()
    if (review === undefined) throw new Error('nothing was reviewed')
    return review
  }
  const busy = async (): Promise<ExecutionView> => {
    const run = await stage.world.queue('greet', 'rv-9')
    await stage.world.printed(run.id, 'tick')
    return run
  }
  const free = async ({ id }: ExecutionView) => {
    await stage.world.api('POST', `/api/executions/${id}/cancel`)
    await stage.world.ended(id)
  }

  test('gets one review for a double click and a click in a second tab, sees why it waits, and may cancel it', async () => {
    const [one, two] = await Promise.all([stage.open(), stage.open()])
    const blocker = await busy()
    onTestFinished(() => free(blocker))
    await Promise.all([one.go('/p/greet/b/rv-1'), two.go('/p/greet/b/rv-1')])
    const ask = { name: 'Review: rv-1' }
    const [first, second] = [one.page.getByRole('button', ask), two.page.getByRole('button', ask)]
    for (const button of [first, second]) {
      await button.waitFor()
      await button.and(button.page().locator(':not([aria-disabled])')).waitFor()
    }
    const inTwo = await second.elementHandle()
    // Clicks at a position, as a person does: the second click may meet the first one's result there.
    const { x, y, width, height } = (await first.boundingBox())!
    await Promise.all([
      one.page.mouse.dblclick(x + width / 2, y + height / 2),
      inTwo?.evaluate((button: HTMLElement) => button.click()),
    ])
    for (const { page } of [one, two]) await page.getByRole('link', { name: 'Review of rv-1: Queued 1st' }).waitFor()
    expect(await reviews()).toHaveLength(1)

    await one.page.mouse.move(0, 600)
    await one.page.keyboard.press('R') // leads to the existing review
    await one.page.getByText('Waiting: 1 of 1 slots in use.').waitFor()
    expect(await violationsInBothThemes(one.page)).toEqual([])
    await two.page.getByRole('button', { name: 'Cancel review' }).click()
    await one.page.getByRole('tabpanel').getByText('Cancelled', { exact: true }).waitFor()
    await two.page.getByRole('button', ask).waitFor()
    expect(await newest()).toMatchObject({ state: 'CANCELLED' })
  })

  test('reads the issues beside the diff, answers them by keys, and a second review knows the answers', async () => {
    const [{ page }, other] = await Promise.all([stage.open(), stage.open()])
    await Promise.all([page.goto(`${stage.world.server.url}/p/greet/b/rv-1?tab=review`), other.go('/p/greet/reviews')])
    await page.getByRole('button', { name: 'Review: rv-1' }).and(page.locator(':not([aria-disabled])')).waitFor()
    await page.keyboard.press('R')
    await page.getByRole('link', { name: 'Review of rv-1: 2 issues' }).waitFor()
    // The feed updates the other page: nobody reloads it.
    await other.page.getByRole('list', { name: 'Reviews, newest first' }).getByText('2 open').waitFor()

    const panel = page.getByRole('tabpanel')
    await panel.getByText('Not ready', { exact: true }).waitFor()
    await panel.getByText('The reviewer says that it is not ready.').waitFor()
    const [high, low] = ['It greets nobody', 'Nothing tests it'].map((name) => panel.getByRole('article', { name }))
    await high?.getByText('<img src=x onerror=alert(1)>').waitFor()
    await low?.getByText('outside the diff').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])

    await page.keyboard.press('j')
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-issue') === '1')
    await page.keyboard.press('o')
    const diff = page.getByRole('region', { name: 'Diff at issue 1' })
    await diff.getByText('+hello').waitFor()
    await diff.getByText('It greets nobody').waitFor()
    expect(new URL(page.url()).search).toContain('show=diff')
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.keyboard.press('o')
    await diff.waitFor({ state: 'detached' })

    const dialog = page.getByRole('dialog', { name: 'Dismiss this issue?' })
    const dismiss = async () => {
      await page.keyboard.press('d')
      await dialog.getByLabel('Reason (optional)').fill('A greeting for everybody.')
      expect(await violationsInBothThemes(page)).toEqual([])
      await dialog.getByRole('button', { name: 'Dismiss', exact: true }).click()
      await high?.getByText('Dismissed', { exact: true }).waitFor()
      await high?.getByText('Dismissed: A greeting for everybody.').waitFor()
      await other.page.getByText('1 open').waitFor()
    }
    await dismiss()
    await page.getByRole('button', { name: 'Undo' }).click()
    await high?.getByText('Open', { exact: true }).first().waitFor()
    await other.page.getByText('2 open').waitFor()
    await dismiss()
    await high?.getByRole('button', { name: 'Reopen' }).click()
    await high?.getByText('Open', { exact: true }).first().waitFor()
    await other.page.getByText('2 open').waitFor()
    await dismiss()
    await page.getByRole('link', { name: 'Review of rv-1: 1 of 2 issues open' }).waitFor()

    await panel.getByRole('button', { name: 'Review again' }).click()
    await stage.world.until(async () => (await reviews()).filter(({ state }) => state === 'COMPLETED').length === 2)
    // Its issues become beads a moment after its end.
    await stage.world.until(async () => (await newest()).issues.every(({ filed }) => filed !== null))
    const again = await newest()
    expect(again.issues).toMatchObject([{ filed: 'dismissed' }, { filed: 'known' }])
    await other.page.getByRole('link', { name: 'rv-1 Greet' }).first().click()
    await other.page.waitForURL(`**/reviews/${again.id}`)
    await other.page.getByText('Dismissed: A greeting for everybody.').waitFor()
    expect(await violationsInBothThemes(other.page)).toEqual([])
  })

  test('marks an issue as fixed, undoes that, and sends it to the agent after reading what will happen', async () => {
    const { page } = await stage.open()
    const review = await newest()
    const bead = review.issues[1]?.bead ?? ''
    const status = async () => (await stage.world.get<BeadView>(`/api/projects/greet/beads/${bead}`)).status
    await page.goto(`${stage.world.server.url}/p/greet/reviews/${review.id}?issue=2`)
    const low = page.getByRole('article', { name: 'Nothing tests it' })
    await low.getByText('Open', { exact: true }).first().waitFor()
    await page.keyboard.press('f')
    await low.getByText('Fixed', { exact: true }).waitFor()
    expect(await status()).toBe('done')
    await page.getByRole('button', { name: 'Undo' }).click()
    await low.getByText('Open', { exact: true }).first().waitFor()
    expect(await status()).toBe('open')

    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Control+Enter')
    const dialog = page.getByRole('dialog', { name: 'Send this issue to the agent?' })
    await dialog.getByText('rv-1 will be reopened and queued with this issue as a note.').waitFor()
    await dialog.getByText(/^Last time it took/).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Queue', exact: true }).click()
    await page.getByText('rv-1 queued').waitFor()
    const run = (await stage.world.get<BeadView>('/api/projects/greet/beads/rv-1')).executions.find(
      ({ kind }) => kind === 'work',
    )
    expect(run?.context).toContain('Nothing tests it')
    expect(await stage.world.ended(run?.id ?? '')).toMatchObject({ state: 'COMPLETED' })

    // The agent has changed the branch: the reviewed commit is not the current one.
    await page.getByText(/^Out of date: newer commits on .* are not reviewed/).waitFor()
    await page.goto(`${stage.world.server.url}/p/greet/b/rv-1`)
    await page.getByRole('button', { name: 'Review again: rv-1' }).click()
    await page.getByRole('link', { name: 'Review of rv-1: 1 issue, none open' }).click()
    const gone = page.getByRole('region', { name: 'No longer found' })
    await gone.getByRole('link', { name: 'Nothing tests it' }).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await gone.getByRole('button', { name: `Close ${bead}` }).click()
    await gone.getByText('Completed', { exact: true }).waitFor({ state: 'attached' })
    expect(await status()).toBe('done')
  })

  test('has the work branch reviewed without a mouse, and is told why there is no pull request', async () => {
    const { page } = await stage.open()
    await page
      .getByRole('button', { name: 'Review: beadloom/work' })
      .and(page.locator(':not([aria-disabled])'))
      .waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.getByRole('heading', { name: 'Reviews', level: 1 }).waitFor()
    await page
      .getByRole('button', { name: 'Review: beadloom/work' })
      .and(page.locator(':not([aria-disabled])'))
      .waitFor()
    await page.getByRole('button', { name: 'Review: beadloom/work' }).focus()
    await page.keyboard.press('Enter')
    const result = page.getByRole('link', { name: 'Review of beadloom/work: 1 issue, none open' })
    await result.waitFor()
    // The result has replaced the button, and has the focus.
    expect(await result.evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('Escape') // closes its hint
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Review of beadloom/work' }).waitFor()
    await page.getByRole('article', { name: 'It greets nobody' }).waitFor()
    expect(await newest()).toMatchObject({ bead: null, verdict: 'not_ready' })

    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    for (const does of ['Next issue', 'Dismiss with a reason', 'Go to the reviews', 'Review again'])
      await sheet.getByText(does).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })

    await page.keyboard.press('Escape') // goes back to the list
    await page.getByRole('button', { name: 'Pull request' }).click()
    const dialog = page.getByRole('dialog', { name: 'Open a pull request' })
    await dialog.getByText('is reviewed first, unless its newest commit already has been').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Review and open' }).click()
    await page
      .getByRole('note')
      .getByText(/^Pull request/)
      .waitFor()
    await page.getByRole('link', { name: 'PR: not ready' }).click()
    await page.getByRole('article', { name: 'It greets nobody' }).waitFor()
  })

  test('can do all of that on a screen of 320 pixels', async () => {
    const { page } = await stage.open({ size: { width: 320, height: 640 } })
    const review = await newest()
    for (const path of [
      '/p/greet',
      '/p/greet/reviews',
      `/p/greet/reviews/${review.id}?issue=1&show=diff`,
      '/p/greet/b/rv-1?tab=review',
    ]) {
      await page.goto(`${stage.world.server.url}${path}`)
      await page.getByText('It greets nobody').or(page.getByText('none open').first()).first().waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320)
      expect(await violationsInBothThemes(page)).toEqual([])
    }
  })
})
