// @suite dashboard
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { card, chip, column, countIn } from './support/board.ts'
import { drawnRows, logPane, rawLines, readThrough } from './support/log.ts'
import { onStage } from './support/stage.ts'

/* A person starts, watches and stops beads. The agent counts until it is stopped. */
const agent = 'i=0; while :; do i=$((i+1)); echo "tick $i"; sleep 0.1; done\n'
const start = async () => {
  const world = await World.start({ engine: 'process' })
  await world.addProject('ticks', shellProject({ agent }), [
    { id: 'tk-1', title: 'Count from the board', priority: 0 },
    { id: 'tk-2', title: 'Count by keyboard', priority: 1 },
    { id: 'tk-3', title: 'Count after the first', dependencies: [waitsFor('tk-3', 'tk-1')] },
    { id: 'tk-4', title: 'Count across a restart' },
  ])
  return world
}
/**
 * Waits until the pane shows this tick or a later one. A followed log holds only its last rows: on a slow machine, any
 * one tick may already be out of sight.
 */
const ticked = (page: Page, least: number): Promise<unknown> =>
  page.waitForFunction(
    (wanted) =>
      [...document.querySelectorAll('[role=region] [data-line]')].some(
        (number) => Number(/^› tick (\d+)$/.exec(number.nextElementSibling?.textContent ?? '')?.[1]) >= wanted,
      ),
    least,
  )
const lastTick = async (page: Page): Promise<number> =>
  Math.max(...(await drawnRows(page)).map(([, text]) => Number(/^› tick (\d+)$/.exec(text)?.[1] ?? 0)))
const waitsFor = (bead: string, blocker: string) => ({ issue_id: bead, depends_on_id: blocker, type: 'blocks' })

onStage('a person at the board', start, (stage) => {
  const newest = async (bead: string) => {
    const [execution] = (await stage.world.get<BeadView>(`/api/projects/ticks/beads/${bead}`)).executions
    if (execution === undefined) throw new Error(`${bead} has not run`)
    return execution
  }

  test('sees why a bead does not run, on its card and on its page: it waits, it needs a person, it is paused', async () => {
    const { page } = await stage.open()
    await card(page, 'tk-3', 'open')
      .getByText(/^waits for/)
      .waitFor()
    const blocker = card(page, 'tk-3').getByRole('link', { name: 'Open tk-1' }) // with the blocker's state
    await blocker.waitFor()
    await card(page, 'tk-1', 'open').getByText('ready to run').waitFor()
    await card(page, 'tk-3').getByRole('link', { name: 'Count after the first' }).click()
    await page
      .getByRole('note')
      .getByText(/^Waits for/)
      .waitFor()
    await page.getByRole('note').getByRole('link', { name: 'Open tk-1' }).waitFor()
    await page.getByRole('region', { name: 'Waits for' }).getByRole('link', { name: /tk-1/ }).click()
    await page.getByText('Ready to run').waitFor()

    await page.getByRole('link', { name: 'Board' }).click()
    await page.getByRole('button', { name: 'Pause: start nothing new' }).click()
    await page.getByText('This project is paused: nothing new starts.').waitFor()
    await card(page, 'tk-2').getByRole('button', { name: 'Run tk-2' }).click()
    await card(page, 'tk-2', 'queued').getByText('paused: resume the project').waitFor()
    await card(page, 'tk-2').getByRole('link', { name: 'Count by keyboard' }).click()
    await page.getByText('Paused: resume the project.').waitFor()
    await page.getByRole('button', { name: 'Remove from the queue' }).click()
    await page.getByText('tk-2 removed from the queue').waitFor()
    // Otherwise its Undo could be taken for the next one.
    await page.getByRole('button', { name: 'Close message' }).click()
    await page.getByText('tk-2 removed from the queue').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    // Undoing the removal from the queue keeps the options of that run.
    await page.getByRole('button', { name: 'Run with options' }).click()
    await page.getByRole('dialog').getByLabel('Model', { exact: true }).fill('another-model')
    await page.getByRole('dialog').getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'Remove from the queue' }).click()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByRole('button', { name: 'Remove from the queue' }).waitFor()
    await expect
      .poll(() => newest('tk-2'), { timeout: 20_000 })
      .toMatchObject({ state: 'QUEUED', chosen: { model: 'another-model' } })
    await page.getByRole('region', { name: 'Executions' }).getByText('with model another-model').first().waitFor()
    await page.getByRole('button', { name: 'Remove from the queue' }).click()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await page.getByRole('link', { name: 'Board' }).click()
    await page.getByRole('button', { name: 'Resume', exact: true }).click()
    await card(page, 'tk-1', 'open').getByText('ready to run').waitFor()
    expect(await page.getByText('This project is paused').count()).toBe(0)
  })

  test('runs a bead, watches its log grow, and cancels it through the dialog, which can be refused', async () => {
    const { page } = await stage.open()
    await card(page, 'tk-1').getByRole('button', { name: 'Run tk-1' }).click()
    await card(page, 'tk-1', 'running')
      .getByText(/tick \d+/)
      .waitFor()
    await countIn(page, 'running', '1/3').waitFor()
    await card(page, 'tk-1').getByRole('link', { name: 'Count from the board' }).click()
    await ticked(page, 20)
    await ticked(page, (await lastTick(page)) + 20)

    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'Stop tk-1?' })
    await dialog.getByText(/Its agent has been working for/).waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await newest('tk-1')).toMatchObject({ state: 'RUNNING', cancelRequestedAt: null })

    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await dialog.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('region', { name: 'Executions' }).getByText('Cancelled', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor()
    await page.getByText(/■ ended .* complete ✓/).waitFor()
    const cancelled = await newest('tk-1')
    expect(cancelled).toMatchObject({ state: 'CANCELLED' })

    // A second run, with its own model: the page shows it, and the first one stays below.
    await page.getByRole('button', { name: 'Run with options' }).click()
    const options = page.getByRole('dialog', { name: 'Run tk-1' })
    await options.getByLabel('Agent', { exact: true }).selectOption('Command line')
    await options.getByLabel('Model', { exact: true }).fill('another-model')
    await options.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor()
    await page
      .getByRole('button', { name: /Agent \(Command line\)/ })
      .first()
      .waitFor()
    await ticked(page, 1)
    const runs = page.getByRole('region', { name: 'Executions' }).locator('ol > li')
    expect(await runs.count()).toBe(2)
    await runs.nth(0).getByText('Running').first().waitFor()
    await runs.nth(1).getByText('Cancelled').first().waitFor()
    await page.getByRole('link', { name: 'Board' }).click()
    await card(page, 'tk-1', 'running')
      .getByText(/tick \d+/)
      .waitFor()
    const second = await newest('tk-1')
    expect(second.id).not.toBe(cancelled.id)
    expect(second.chosen).toEqual({ agent: 'command', model: 'another-model' })
    await stage.world.api('POST', `/api/executions/${second.id}/cancel`)
    await card(page, 'tk-1', 'open').waitFor()
    await card(page, 'tk-1').getByRole('link', { name: 'Count from the board' }).click()
    await page.getByRole('link', { name: 'Board' }).click()
    await card(page, 'tk-1', 'open').waitFor()
    expect(await column(page, 'running').locator('[data-bead]').count()).toBe(0)
  })

  test('can do all of it without a mouse: board, bead, log, run, stop', async () => {
    const { page } = await stage.open()
    await card(page, 'tk-2').waitFor()
    const onCard = (bead: string) =>
      page.waitForFunction(
        (id) => document.activeElement?.closest('[data-bead]')?.getAttribute('data-bead') === id,
        bead,
      )
    const { keyboard } = page
    await keyboard.press('/')
    await keyboard.type('keyboard')
    await page.getByText('1 of 4').waitFor()
    await keyboard.press('Escape')
    await page.getByText('4 beads').waitFor()
    await keyboard.press('j')
    await onCard('tk-1')
    await keyboard.press('ArrowDown')
    await onCard('tk-2')
    await keyboard.press('r')
    await card(page, 'tk-2', 'running')
      .getByText(/tick \d+/)
      .waitFor()
    await onCard('tk-2') // the focus moved along into the other column
    await keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Count by keyboard' }).waitFor()
    await ticked(page, 50)
    await keyboard.press('Home')
    await logPane(page).getByText('§ checkout', { exact: true }).waitFor()
    await page.getByRole('button', { name: /new lines/ }).waitFor() // the view stays while the log grows
    await logPane(page).getByText('§ checkout', { exact: true }).waitFor()
    await keyboard.press('End')
    await page.getByRole('button', { name: /new lines/ }).waitFor({ state: 'detached' })
    await keyboard.press('S')
    await page.getByRole('dialog', { name: 'Stop tk-2?' }).waitFor()
    await keyboard.press('Tab')
    await keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('region', { name: 'Executions' }).getByText('Cancelled').first().waitFor()
    await keyboard.press('Escape')
    await onCard('tk-2')
  })

  test('is told the truth while the server is away, and afterwards has the right board and every line once', async () => {
    const screen = await stage.open()
    const { page } = screen
    await card(page, 'tk-4').getByRole('button', { name: 'Run tk-4' }).click()
    await card(page, 'tk-4', 'running').getByRole('link', { name: 'Count across a restart' }).click()
    await ticked(page, 10)
    await chip(page, /^● live|^live/).waitFor()

    screen.expectConsole(/WebSocket|ERR_CONNECTION_REFUSED/)
    const first = stage.world
    const { port } = new URL(first.server.url)
    await first.server.stop()
    await chip(page, /reconnecting, data as of \d\d:\d\d:\d\d/).waitFor()
    const known = await lastTick(page) // known lines stay
    expect(known).toBeGreaterThanOrEqual(10)

    stage.world = await World.start({ data: first.data, host: first.host, flags: { port } })
    try {
      await chip(page, /live/).waitFor()
      // The agent and its page continue after the restart of the server.
      await ticked(page, known + 30)
      const { id } = await newest('tk-4')
      await stage.world.api('POST', `/api/executions/${id}/cancel`)
      await page.getByText(/■ ended .* complete ✓/).waitFor()
      const ended = await stage.world.ended(id)
      expect(ended).toMatchObject({ state: 'CANCELLED', flags: [{ kind: 'adopted' }] })
      const work = ended.sessions.find(({ kind }) => kind === 'work')?.id ?? ''
      const lines = await rawLines(stage.world, work)
      const ticks = lines.filter((line) => line.startsWith('› tick'))
      expect(ticks.length).toBeGreaterThanOrEqual(known + 30)
      expect(ticks).toEqual(ticks.map((_, at) => `› tick ${at + 1}`))
      expect(await readThrough(page, lines.length)).toEqual(lines)
      await page.getByRole('link', { name: 'Board' }).click()
      await card(page, 'tk-4', 'open').waitFor()
      await countIn(page, 'running', '0/3').waitFor()
    } finally {
      await first.host?.close()
      rmSync(join(first.folder), { recursive: true, force: true })
    }
  })
})
