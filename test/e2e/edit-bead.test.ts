// @suite dashboard
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { issues, makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onStage } from './support/stage.ts'

/* A person edits a bead of a real server in place. */
const start = async () => {
  const world = await World.start({ engine: 'process' })
  const source = makeRepository(join(world.folder, 'edited'), {
    ...shellProject({ agent: 'true\n', config: { autopilot: false } }),
    '.beads/issues.jsonl': issues({ id: 'ed-1', title: 'One' }, { id: 'ed-2', title: 'Two' }),
  })
  const { status } = await world.api<ProjectView>('POST', '/api/projects', { source, id: 'edited' })
  expect(status).toBe(201)
  return world
}

onStage('a bead that is changed on its page', start, (stage) => {
  const file = () => join(stage.world.folder, 'edited', '.beads', 'issues.jsonl')
  const inFile = () => JSON.parse(readFileSync(file(), 'utf8').split('\n')[0] ?? '') as Record<string, unknown>
  const open = async () => {
    const opened = await stage.open()
    await opened.go('/p/edited/b/ed-1')
    await opened.page.getByRole('heading', { level: 1, name: /One|Another/ }).waitFor()
    return opened
  }

  test('gets its title, texts and details into the tracker, all by keyboard', async () => {
    const { page } = await open()
    await page.keyboard.press('t')
    await page.getByRole('textbox', { name: 'Title' }).fill('Another')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Another' }).waitFor()
    await page.keyboard.press('b')
    await page.getByRole('textbox', { name: 'Description' }).fill('Why: **because**')
    await page.keyboard.press('Control+Enter')
    await page.locator('strong', { hasText: 'because' }).waitFor()
    await page.getByRole('combobox', { name: 'Priority' }).selectOption('0')
    await page.getByRole('combobox', { name: 'Type' }).selectOption('bug')
    await page.getByRole('combobox', { name: 'Add a label' }).fill('ui')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove label ui' }).waitFor()
    await page.getByRole('button', { name: 'Wait for another bead' }).click()
    // The field has the focus, so immediate typing is not taken for a shortcut.
    await page.getByRole('combobox', { name: 'Depends on' }).waitFor()
    await page.keyboard.type('ed-2')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('region', { name: 'Waits for' }).getByText('ed-2').waitFor()
    await stage.world.until(() => Array.isArray(inFile()['dependencies']))
    expect(inFile()).toMatchObject({
      title: 'Another',
      description: 'Why: **because**',
      priority: 0,
      issue_type: 'bug',
      labels: ['ui'],
      dependencies: [{ depends_on_id: 'ed-2' }],
    })
    // Its button has the focus again, and shows its hint.
    await page.keyboard.press('Escape')
    expect(await violationsInBothThemes(page)).toEqual([])
  })

  test('keeps the typed text when the editor is closed, and asks whose version counts', async () => {
    const screen = await open()
    screen.expectConsole(/status of 409/)
    const { page } = screen
    await page.getByRole('button', { name: 'Change the title' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Mine')
    await page.keyboard.press('Escape')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const theirs = readFileSync(file(), 'utf8').replace(/"title":"[^"]*"/, '"title":"Theirs"')
    writeFileSync(file(), theirs)
    await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor()
    await page.keyboard.press('t')
    const field = page.getByRole('textbox', { name: 'Title' })
    expect(await field.inputValue()).toBe('Mine')
    await page.keyboard.press('Enter')
    await page.getByText(/changed by somebody else meanwhile/).waitFor()
    await page.getByRole('button', { name: 'Replace it with mine' }).click()
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor()
    await stage.world.until(() => inFile()['title'] === 'Mine')
  })
})
