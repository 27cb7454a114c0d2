// @suite dashboard
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { issues, makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { card } from './support/board.ts'
import { onStage } from './support/stage.ts'

/* A person names views, on a real server. */
const start = async () => {
  const world = await World.start({ engine: 'process' })
  const source = makeRepository(join(world.folder, 'viewed'), {
    ...shellProject({ agent: 'true\n', config: { autopilot: false } }),
    '.beads/issues.jsonl': issues({ id: 'vw-1', title: 'One', priority: 0 }, { id: 'vw-2', title: 'Two', priority: 3 }),
  })
  const { status } = await world.api<ProjectView>('POST', '/api/projects', { source, id: 'viewed' })
  expect(status).toBe(201)
  return world
}

onStage('a view of the board', start, (stage) => {
  const opened = async (path: string, size?: { width: number; height: number }) => {
    const screen = await stage.open(size ? { size } : {})
    await screen.go(path)
    await screen.page.locator('[data-bead]').first().waitFor()
    return screen
  }
  const save = async (page: Page, name: string, more: string[] = []) => {
    await page.keyboard.press('f')
    await page.keyboard.press('v')
    await page.getByRole('menuitem', { name: 'Save this view …' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    for (const box of more) await page.getByRole('checkbox', { name: box }).check()
    await page.keyboard.press('Enter')
  }
  const searchOf = (page: Page) => new URL(page.url()).search

  test('is available in another browser, on a phone, and in the palette, with all of it in its address', async () => {
    const { page } = await opened('/p/viewed?priority=0&group=priority')
    await save(page, 'Urgent <i>now</i>')
    await page.getByText('View “Urgent <i>now</i>” saved').waitFor()
    await page.getByRole('button', { name: 'View: Urgent <i>now</i>' }).waitFor()

    const phone = (await opened('/p/viewed', { width: 390, height: 844 })).page
    await phone.getByRole('button', { name: 'Views' }).click()
    await phone.getByRole('menuitem', { name: 'Urgent <i>now</i>' }).click()
    await card(phone, 'vw-1').waitFor()
    await card(phone, 'vw-2').waitFor({ state: 'detached' })
    expect(new URLSearchParams(searchOf(phone)).get('group')).toBe('priority')

    const other = (await opened('/p/viewed')).page
    await other.keyboard.press('Control+k')
    await other.getByRole('combobox').fill('urgent')
    await other.getByRole('option', { name: /Urgent/ }).click()
    await card(other, 'vw-2').waitFor({ state: 'detached' })
    expect(new URLSearchParams(searchOf(other)).get('group')).toBe('priority')
  })

  test('opens with the board, until somebody wants all beads', async () => {
    const { page } = await opened('/p/viewed?priority=3')
    await save(page, 'Later', ['Open the board with it'])
    await page.getByText('View “Later” saved').waitFor()
    const second = await opened('/p/viewed')
    await card(second.page, 'vw-1').waitFor({ state: 'detached' })
    await second.page.getByRole('button', { name: 'View: Later' }).click()
    await second.page.getByRole('menuitem', { name: 'All beads' }).click()
    await card(second.page, 'vw-1').waitFor()
    await second.page.reload()
    await card(second.page, 'vw-1').waitFor()
    await card(second.page, 'vw-2').waitFor()
  })

  test('is renamed, moved, and deleted, which can be undone', async () => {
    const screen = await opened('/p/viewed?q=vw-1')
    screen.expectConsole(/status of 409/)
    const { page } = screen
    await save(page, 'Alpha')
    await page.getByText('View “Alpha” saved').waitFor()
    await save(page, 'alpha')
    await page.getByRole('alert').getByText('there is a saved view "alpha" already').waitFor()
    await page.getByRole('textbox', { name: 'Name' }).fill('Beta')
    await page.keyboard.press('Enter')
    await page.getByText('View “Beta” saved').waitFor()
    await page.keyboard.press('f')
    await page.keyboard.press('v')
    await page.getByRole('menuitem', { name: 'Edit views …' }).click()
    const dialog = page.getByRole('dialog', { name: 'Views' })
    const names = () =>
      dialog.getByRole('textbox').evaluateAll((all) => all.map((one) => (one as HTMLInputElement).value))
    await dialog.getByRole('button', { name: 'Move Beta up' }).click()
    await expect.poll(names).toEqual(expect.arrayContaining(['Beta', 'Alpha']))
    await expect.poll(async () => (await names()).join()).toMatch(/Beta,Alpha$/)
    await dialog.getByRole('textbox', { name: 'Name of Alpha' }).fill('Gamma')
    await page.keyboard.press('Enter')
    await dialog.getByRole('textbox', { name: 'Name of Gamma' }).waitFor()
    await dialog.getByRole('button', { name: 'Delete Beta' }).click()
    await dialog.getByRole('textbox', { name: 'Name of Beta' }).waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.keyboard.press('f')
    await page.keyboard.press('v')
    await page.getByRole('menuitem', { name: 'Beta' }).waitFor()
  })
})
