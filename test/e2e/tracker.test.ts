// @suite dashboard
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { ignoring, usuallyIgnored } from '@beadloom/core/bead/ignored.ts'
import { parseBeadId } from '@beadloom/core/records/ids.ts'
import { makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card, column } from './support/board.ts'
import { onStage } from './support/stage.ts'

/* A real project's tracker with 2404 beads on the board. */
const data = join(import.meta.dirname, '..', 'data')
type Line = {
  id: string
  title: string
  status: string
  issue_type: string
  labels?: string[]
  assignee?: string
}
const isIgnored = ignoring(usuallyIgnored)
/** Counted in the file itself: everything except tombstones and wisps that leaked into it. */
const live = readFileSync(join(data, 'beads-2404.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !/"status":"tombstone"/.test(line) && !/"ephemeral":true/.test(line))
  .map((line) => line.replaceAll(/\\(.)/g, (pair, next) => (/["\\/bfnrtu]/.test(next) ? pair : `\\${pair}`))) // two lines are no strict JSON
  .map((line) => JSON.parse(line) as Line)
  .filter(({ id }) => !id.includes('-wisp-'))
  // The dashboard shows only work.
  .filter(({ id, issue_type: type, labels = [] }) => isIgnored({ id: parseBeadId(id), type, labels }) === null)
const shown = new Set(live.map(({ id }) => id))
const ready = (JSON.parse(readFileSync(join(data, 'beads-2404-ready.json'), 'utf8')) as string[]).filter((id) =>
  shown.has(id),
)
const number = (n: number) => n.toLocaleString('en')

const start = async () => {
  const world = await World.start({ engine: 'process' })
  // A project that can run its beads: otherwise no bead counts as ready.
  const project = shellProject({ agent: 'true\n', config: { autopilot: false } })
  const folder = makeRepository(join(world.folder, 'tracker'), project)
  mkdirSync(join(folder, '.beads'))
  copyFileSync(join(data, 'beads-2404.jsonl'), join(folder, '.beads', 'issues.jsonl'))
  const { status } = await world.api<ProjectView>('POST', '/api/projects', { source: folder, id: 'tracker' })
  expect(status).toBe(201)
  return world
}

onStage('a tracker of 2404 beads', start, (stage) => {
  test('shows all live beads, with the ready ones first, in a page that stays small', async () => {
    const { page } = await stage.open()
    await page.getByText(`${number(live.length)} beads`, { exact: true }).waitFor()
    const open = column(page, 'open')
    await open.getByText(`${ready.length} ready`).waitFor()
    const closed = live.filter(({ status }) => status === 'closed').length
    await column(page, 'completed').getByRole('heading').getByText(number(closed), { exact: true }).waitFor()
    const first = await open.locator('[data-bead]').first().getAttribute('data-bead')
    expect(ready).toContain(first)
    expect(await page.locator('*').count()).toBeLessThan(2500)
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('is synced by a button that says what prevents it, when it was last read, and what is pending', async () => {
    const { page } = await stage.open()
    const { world } = stage
    const button = page.getByRole('button', { name: /^Sync with the tracker/ })
    const file = join(world.folder, 'tracker', '.beads', 'issues.jsonl')
    const text = readFileSync(file, 'utf8')
    const bead = ready.at(-1) ?? ''
    await page.getByRole('button', { name: /: \.beads\/issues\.jsonl, read and written directly.* \(last / }).waitFor()
    try {
      writeFileSync(file, `<<<<<<< HEAD\n${text}`)
      const closed = await world.api('PATCH', `/api/projects/tracker/beads/${bead}`, { status: 'done' })
      expect(closed.status).toBe(200)
      await button.click()
      await page.getByText('Synced', { exact: true }).waitFor()
      await page.getByRole('button', { name: /directly.*, 1 waiting \(last / }).waitFor()
    } finally {
      writeFileSync(file, text)
    }
    await button.click()
    await page.getByRole('button', { name: /directly(?!.*waiting).* \(last / }).waitFor()
    expect(readFileSync(file, 'utf8')).toContain('"close_reason":"closed in Beadloom"')
    writeFileSync(file, text)
    await world.until(
      async () => (await world.get<{ status: string }>(`/api/projects/tracker/beads/${bead}`)).status === 'open',
    )
  })

  test('shows who has claimed a bead, and does not start it', async () => {
    const { page } = await stage.open()
    const { world } = stage
    const file = join(world.folder, 'tracker', '.beads', 'issues.jsonl')
    const text = readFileSync(file, 'utf8')
    const bead = ready.find((id) => live.some((one) => one.id === id && one.assignee === undefined)) ?? ''
    const open = new RegExp(`^(\\{"id":"${bead}",.*)"status":"open"`, 'm')
    expect(text).toMatch(open)
    try {
      writeFileSync(file, text.replace(open, '$1"status":"in_progress","assignee":"ana"'))
      await page.goto(`${world.server.url}/p/tracker/b/${bead}`)
      await page.getByText('Claimed by ana in the tracker.').waitFor()
      const { status } = await world.api('POST', `/api/projects/tracker/beads/${bead}/executions`, {})
      expect(status).toBe(409)
    } finally {
      writeFileSync(file, text)
    }
    await page.getByText('Claimed by ana in the tracker.').waitFor({ state: 'detached' })
  })

  test('has its completed beads by day, and all of them in a list that scrolls to the last one', async () => {
    const { page } = await stage.open()
    const completed = column(page, 'completed')
    const first = completed.locator('[data-bead]').first()
    await first.waitFor()
    const shown = Number(await first.getAttribute('aria-setsize'))
    await completed.getByRole('button', { name: / more$/ }).click()
    await completed.locator(`[aria-setsize="${shown}"]`).first().waitFor({ state: 'detached' })
    expect(Number(await first.getAttribute('aria-setsize'))).toBeGreaterThan(shown)

    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('menuitemradio', { name: 'List', exact: true }).click()
    await page.keyboard.press('Escape')
    const table = page.getByRole('table', { name: 'Beads in tracker' })
    await table.locator('[data-bead]').first().waitFor()
    await table.evaluate((one) => {
      const scroller = one.parentElement
      if (scroller) scroller.scrollTop = scroller.scrollHeight
    })
    await table.locator(`[aria-rowindex="${live.length + 1}"]`).waitFor()
    expect(await page.locator('*').count()).toBeLessThan(2500)
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('opens a bead that was prefetched when the pointer came to its card, without drawing the board anew', async () => {
    const { page } = await stage.open()
    const { id, title } = live.find((bead) => bead.id === ready[0]) ?? { id: '', title: '' }
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    const link = card(page, id).getByRole('link')
    const answered = page.waitForResponse(`**/api/projects/tracker/beads/${id}`)
    await link.hover()
    await answered
    await page.evaluate(() => {
      const drawn = { columns: 0 }
      const count = (node: Node) => {
        if (node instanceof Element) drawn.columns += node.querySelectorAll('[data-column]').length
      }
      const watch = new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach(count)))
      watch.observe(document.body, { childList: true, subtree: true })
      Object.assign(globalThis, { drawn })
    })
    await link.click()
    await page.getByRole('heading', { name: title }).waitFor()
    await page.getByRole('tabpanel').waitFor()
    expect(await page.evaluate(() => (globalThis as unknown as { drawn: object }).drawn)).toEqual({ columns: 0 })
    expect(asked.filter((path) => path.endsWith(`/beads/${id}`))).toHaveLength(1)
  })

  test('is filtered by words, keeps the filter in the address, and says when nothing matches', async () => {
    const { page } = await stage.open()
    const { id, title } = live.find((bead) => bead.id === ready[0]) ?? { id: '', title: '' }
    await page.getByText(`${number(live.length)} beads`, { exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type(id)
    await card(page, id).getByText(title).waitFor()
    const passing = live.filter((bead) => `${bead.id} ${bead.title}`.toLowerCase().includes(id)).length
    await page.getByText(`${passing} of ${number(live.length)}`, { exact: true }).waitFor()
    await page.reload()
    await card(page, id).waitFor()
    await page.getByRole('button', { name: 'Clear the filter' }).click()
    await page.getByText(`${number(live.length)} beads`, { exact: true }).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('no bead says this')
    await page.getByText(`0 of ${number(live.length)} beads: “no bead says this”`).waitFor()
    await page.getByRole('button', { name: 'Clear all filters' }).click()
    await card(page, id).waitFor()
  })
})
