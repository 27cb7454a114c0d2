// @suite dashboard
import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { card } from './support/board.ts'
import { greetingWorld } from './support/greeting-world.ts'
import { lineSeen, logPane } from './support/log.ts'
import { onStage } from './support/stage.ts'

/*
 * The five most frequent ways of people, without a pointer: from the board to a failed bead, its error and a retry with
 * a note, a review, a diff, a bead of one's own, and stopping one. Nothing here clicks, hovers or focuses by script.
 */
const parts = (from: number, to: number) => `seq ${from} ${to} | sed 's/$/ parts are right/'`
const start = async () => {
  const world = await greetingWorld({
    project: 'keys',
    bead: 'kb-1',
    cases: `*'#kb-9 '*) i=0; while :; do i=$((i+1)); echo "tick $i"; sleep 0.1; done ;;`,
    more: '; echo "second file" > more.txt',
    check: { before: parts(1, 300), after: parts(302, 600) },
    beads: [
      { id: 'kb-1', title: 'Greet', priority: 0 },
      { id: 'kb-9', title: 'Count for ever', priority: 4 },
    ],
  })
  await world.run('keys', 'kb-1')
  return world
}

const onCard = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.closest('[data-bead]')?.getAttribute('data-bead') ?? null)

/** Presses a key and returns the focused card: a card gets the focus in the frame after it is drawn. */
async function pressOnBoard(page: Page, key: string): Promise<string | null> {
  await page.keyboard.press(key)
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))))
  return onCard(page)
}

/** Moves over the board by keys until a card has the focus: to the first column, then down each from its top. */
async function toCard(page: Page, bead: string): Promise<void> {
  await card(page, bead).waitFor()
  let at = await onCard(page)
  const trail = [at]
  // Repeats a key until it moves nothing more, or the card is reached.
  const go = async (key: string, most = Number.POSITIVE_INFINITY) => {
    for (let presses = 0; at !== bead && presses < most; presses++) {
      const before = at
      at = await pressOnBoard(page, key)
      if (at === before) return false
      trail.push(at)
    }
    return true
  }
  await go('j', 1)
  await go('h')
  do {
    await go('k')
    await go('j')
  } while (at !== bead && (await go('l', 1)))
  expect(at, `the keys came to ${trail.join(', ')}`).toBe(bead)
}

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor()
  for (let presses = 0; presses < 60; presses++) {
    if (await element.evaluate((one) => one === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not come to ${element.toString()}`)
}

onStage('a person without a mouse', start, (stage) => {
  const view = (bead: string) => stage.world.get<BeadView>(`/api/projects/keys/beads/${bead}`)
  const isDone = (bead: string) => stage.world.until(async () => (await view(bead)).status === 'done')

  test('goes from the board to the failed bead, its error line, and runs it again with a note', async () => {
    const { page } = await stage.open()
    const { keyboard } = page
    await card(page, 'kb-1', 'failed').waitFor()
    await toCard(page, 'kb-1')
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Greet' }).waitFor()
    await logPane(page).waitFor()
    // The log of the failed check is open.
    await page.getByText('■ ended · exit 1').waitFor()
    await keyboard.press('Home')
    await lineSeen(page, 0)
    await keyboard.press('e')
    await page.getByText('not ok 1 greets somebody').last().waitFor()
    await page.waitForURL(/[?&]line=30\d/)
    await keyboard.press('o')
    const dialog = page.getByRole('dialog', { name: 'Run kb-1' })
    await tabTo(page, dialog.getByLabel('Note for the agent'))
    await keyboard.type('Ask for the name.')
    await tabTo(page, dialog.getByRole('button', { name: 'Run', exact: true }))
    await keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await isDone('kb-1')
    await page.getByRole('article', { name: /^kb-1/ }).getByText('Completed').first().waitFor()
  })

  test('has the work reviewed, reads an issue and dismisses it with a reason', async () => {
    const screen = await stage.open()
    const { page } = screen
    const { keyboard } = page
    await isDone('kb-1')
    await toCard(page, 'kb-1')
    await keyboard.press('Enter')
    await page.getByRole('button', { name: 'Review: kb-1' }).and(page.locator(':not([aria-disabled])')).waitFor()
    await keyboard.press('R')
    await page.getByRole('link', { name: 'Review of kb-1: 1 issue' }).waitFor()
    await page.getByRole('tab', { name: 'Diff' }).waitFor()
    await keyboard.press('4')
    await page.getByRole('article', { name: 'It greets nobody in particular' }).waitFor()
    await keyboard.press('j')
    await keyboard.press('d')
    const dialog = page.getByRole('dialog', { name: 'Dismiss this issue?' })
    await tabTo(page, dialog.getByLabel('Reason (optional)'))
    await keyboard.type('It greets you.')
    await tabTo(page, dialog.getByRole('button', { name: 'Dismiss', exact: true }))
    await keyboard.press('Enter')
    await page.getByText('Dismissed: It greets you.').waitFor()
    const { items } = await stage.world.get<{ items: ReviewView[] }>('/api/projects/keys/reviews')
    expect(items[0]?.issues[0]?.dismissed).toBe('It greets you.')
  })

  test('reads a diff from change to change and marks a file as viewed', async () => {
    const { page } = await stage.open()
    const { keyboard } = page
    await toCard(page, 'kb-1')
    await keyboard.press('Enter')
    await page.getByRole('tab', { name: 'Diff' }).waitFor()
    await keyboard.press('2')
    const surface = page.locator('[data-diff-surface]')
    await surface.getByText('hello you').waitFor()
    await keyboard.press('j')
    await keyboard.press('n')
    await surface.getByText('second file').waitFor()
    await keyboard.press('v')
    await page.getByRole('navigation', { name: 'Changed files' }).getByLabel('viewed').waitFor()
  })

  test('files a bead, runs it, and stops another one', async () => {
    const { page } = await stage.open()
    const { keyboard } = page
    await card(page, 'kb-9').waitFor()
    await keyboard.press('n')
    const dialog = page.getByRole('dialog', { name: 'New bead' })
    await tabTo(page, dialog.getByLabel('Title'))
    await keyboard.type('Something else')
    await tabTo(page, dialog.getByRole('button', { name: 'Create bead' }))
    await keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    const filed = page.locator('[data-bead]').filter({ hasText: 'Something else' })
    const id = (await filed.getAttribute('data-bead')) ?? ''
    await toCard(page, id)
    await keyboard.press('r')
    await isDone(id)
    await card(page, id, 'completed').waitFor()

    await toCard(page, 'kb-9')
    await keyboard.press('r')
    await card(page, 'kb-9', 'running')
      .getByText(/tick \d+/)
      .waitFor()
    await toCard(page, 'kb-9')
    await keyboard.press('c')
    await tabTo(
      page,
      page.getByRole('dialog', { name: 'Stop kb-9?' }).getByRole('button', { name: 'Stop', exact: true }),
    )
    await keyboard.press('Enter')
    await card(page, 'kb-9', 'open').waitFor()
    expect((await view('kb-9')).executions[0]).toMatchObject({ state: 'CANCELLED' })
  })
})
