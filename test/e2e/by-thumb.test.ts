// @suite dashboard
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { Gitea } from '../support/gitea.ts'
import { card } from './support/board.ts'
import { greetingWorld } from './support/greeting-world.ts'
import { onStage } from './support/stage.ts'

/*
 * The five most frequent ways of people, on a phone: every step is the tap of a finger or the input of its keyboard,
 * and every tapped button is large enough for a thumb.
 */
let forge: Gitea | null = null
afterAll(() => forge?.stop())
const start = async () => {
  const world = await greetingWorld({
    project: 'thumb',
    bead: 'th-2',
    cases: `*'#th-1 '*) case "$prompt" in *'The blue one.'*) echo blue > colour.txt ;; *) echo "BLOCKED: Which colour?"; exit 0 ;; esac ;;`,
    beads: [
      { id: 'th-1', title: 'Paint', priority: 0 },
      { id: 'th-2', title: 'Greet', priority: 0 },
    ],
    blockedGraceMs: 1,
    ready: true,
    source: async ({ folder, data }, files) => {
      forge = await Gitea.start(join(folder, 'forge'))
      writeFileSync(join(data, 'forges.json'), forge.settings, { mode: 0o600 })
      return forge.repository('owner/thumb', files)
    },
  })
  await world.run('thumb', 'th-1')
  await world.run('thumb', 'th-2')
  return world
}
const phone = { size: { width: 390, height: 844 }, touch: true } as const
/** The size that a thumb hits without looking, in pixels, by both Apple and WCAG (2.5.5). */
const THUMB_PX = 44

async function tap(button: Locator): Promise<void> {
  await button.waitFor()
  const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
  expect(Math.min(width, height), `${button.toString()} is too small for a thumb`).toBeGreaterThanOrEqual(THUMB_PX)
  await button.tap()
}

async function write(field: Locator, text: string): Promise<void> {
  await field.tap()
  await field.page().keyboard.insertText(text)
}

/** Opens a card by its column's address; the tabs above the columns lead there too. */
async function toCard(page: Page, bead: string, lane: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/p/thumb?lane=${lane}`)
  await card(page, bead).getByRole('link').first().tap()
}

const fits = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

onStage('a person with a telephone', start, (stage) => {
  const view = (bead: string) => stage.world.get<BeadView>(`/api/projects/thumb/beads/${bead}`)
  const isDone = (bead: string) => stage.world.until(async () => (await view(bead)).status === 'done')

  test('files a bead and runs it', async () => {
    const { page } = await stage.open(phone)
    await tap(page.getByRole('button', { name: 'New bead' }))
    const dialog = page.getByRole('dialog', { name: 'New bead' })
    await write(dialog.getByLabel('Title'), 'Something else')
    expect(await fits(page)).toBe(true)
    await tap(dialog.getByRole('button', { name: 'Create and run' }))
    await page.getByText(/^th-\w+ created and queued/).waitFor()
    await stage.world.until(async () => {
      const { items } = await stage.world.get<{ items: { title: string; status: string }[] }>(
        '/api/projects/thumb/beads',
      )
      return items.some(({ title, status }) => title === 'Something else' && status === 'done')
    })
  })

  test('answers a question, and the bead runs on', async () => {
    const { page } = await stage.open(phone)
    await toCard(page, 'th-1', 'blocked')
    await page.getByText('Which colour?').first().waitFor()
    await write(page.getByRole('textbox', { name: 'Your answer for th-1' }), 'The blue one.')
    await tap(page.getByRole('button', { name: 'Answer and run' }))
    await isDone('th-1')
    await page.getByText('Completed').first().waitFor()
  })

  test('reads why a bead failed and runs it again with a note', async () => {
    const { page } = await stage.open(phone)
    await toCard(page, 'th-2', 'failed')
    await page.getByText('not ok 1 greets somebody').first().waitFor()
    expect(await fits(page)).toBe(true)
    await tap(page.getByRole('button', { name: 'Run with a note' }).first())
    const dialog = page.getByRole('dialog', { name: 'Run th-2' })
    await write(dialog.getByLabel('Note for the agent'), 'Ask for the name.')
    await tap(dialog.getByRole('button', { name: 'Run', exact: true }))
    await dialog.waitFor({ state: 'detached' })
    await isDone('th-2')
    await page.getByText('Completed').first().waitFor()
  })

  test('has the work reviewed, reads the issue and dismisses it', async () => {
    const { page } = await stage.open(phone)
    await isDone('th-2')
    await toCard(page, 'th-2', 'completed')
    await tap(page.getByRole('button', { name: 'Review: th-2' }))
    await stage.world.until(async () => {
      const { items } = await stage.world.get<{ items: ReviewView[] }>('/api/projects/thumb/reviews')
      return items[0]?.state === 'COMPLETED'
    })
    await page.getByRole('tab', { name: 'Review' }).tap()
    const found = page.getByRole('article', { name: 'It greets nobody in particular' })
    await found.waitFor()
    expect(await fits(page)).toBe(true)
    await tap(found.getByRole('button', { name: /Dismiss/ }))
    const dialog = page.getByRole('dialog', { name: 'Dismiss this issue?' })
    await write(dialog.getByLabel('Reason (optional)'), 'It greets you.')
    await tap(dialog.getByRole('button', { name: 'Dismiss', exact: true }))
    await page.getByText('Dismissed: It greets you.').waitFor()
  })

  test('gets from the morning page to the pull request', async () => {
    const { page } = await stage.open(phone)
    await page.goto(`${new URL(page.url()).origin}/p/thumb/activity`)
    await page.getByRole('region', { name: 'Merged' }).getByRole('listitem').first().waitFor()
    expect(await fits(page)).toBe(true)
    await tap(page.getByRole('button', { name: /Pull request/ }))
    const dialog = page.getByRole('dialog', { name: 'Open a pull request' })
    await dialog.waitFor()
    expect(await fits(page)).toBe(true)
    await tap(dialog.getByRole('button', { name: 'Review and open' }))
    await dialog.waitFor({ state: 'detached' })
    const link = page.getByRole('link', { name: /#1/ })
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(`http://${forge?.host}/owner/thumb/pulls/1`)
    expect(forge?.pulls).toMatchObject([{ number: 1, head: 'beadloom/work', base: 'main', state: 'open' }])
    expect(forge?.pulls[0]?.body).toContain('`th-2`')
    expect(await fits(page)).toBe(true)
  })
})
