import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { onStage } from '../e2e/support/stage.ts'
import { bdBeside, bdEnvironment, bdIn, hasBd, initBd, needsBd } from '../support/bd.ts'
import { makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A person changes a bead on its page in a browser and reads it with the real bd in a terminal. */
needsBd()
const home = mkdtempSync(join(tmpdir(), 'bd-home-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const env = hasBd() ? bdEnvironment(home) : {}
const folderIn = (world: World) => join(world.folder, 'edited')

const start = async () => {
  const world = await World.start({ engine: 'process', env: { PATH: env['PATH'] } })
  const source = makeRepository(folderIn(world), shellProject({ agent: 'true\n', config: { autopilot: false } }))
  const bd = bdIn(source, env)
  initBd(bd, 'ed')
  for (const [id, title] of [
    ['ed-1', 'One'],
    ['ed-2', 'Two'],
    ['ed-3', 'Three'],
  ] as const)
    bd('create', title, '--id', id, '--force', '--json')
  const { status, body } = await world.api<ProjectView>('POST', '/api/projects', { source, id: 'edited' })
  expect(status).toBe(201)
  expect(body.tracker).toMatchObject({ kind: 'bd', writable: true })
  return world
}

if (hasBd())
  onStage('a bead of the real bd that is changed on its page', start, (stage) => {
    const bd = (...args: string[]) => bdBeside(folderIn(stage.world), env)(...args)
    const shown = async (id: string) => {
      const value: unknown = JSON.parse(await bd('show', id, '--json'))
      return (Array.isArray(value) ? value[0] : value) as Record<string, unknown>
    }
    /** The page shows a change before the server has it, so only bd says that all are written. */
    const isWritten = (id: string, bead: object) =>
      expect.poll(() => shown(id), { timeout: 60_000, interval: 500 }).toMatchObject(bead)
    const open = async (bead: string, title: string) => {
      const opened = await stage.open()
      await opened.go(`/p/edited/b/${bead}`)
      await opened.page.getByRole('heading', { level: 1, name: title }).waitFor()
      return opened.page
    }

    test('gets its title, texts, type, priority, labels and dependencies there', async () => {
      const page = await open('ed-1', 'One')
      const { keyboard } = page
      await keyboard.press('t')
      await page.getByRole('textbox', { name: 'Title' }).fill('--title=x "of $HOME"')
      await keyboard.press('Enter')
      await page.getByRole('heading', { level: 1, name: '--title=x' }).waitFor()
      await keyboard.press('b')
      await page.getByRole('textbox', { name: 'Description' }).fill('Why: **because**\n\n- `code`')
      await keyboard.press('Control+Enter')
      await page.locator('strong', { hasText: 'because' }).waitFor()
      await page.getByRole('button', { name: 'Add acceptance criteria' }).click()
      await page.getByRole('textbox', { name: 'Acceptance criteria' }).fill('-1 is refused')
      await keyboard.press('Control+Enter')
      await page.getByText('-1 is refused').first().waitFor()
      await page.getByRole('combobox', { name: 'Priority' }).selectOption('0')
      await page.getByRole('combobox', { name: 'Type' }).selectOption('bug')
      await page.getByRole('combobox', { name: 'Add a label' }).fill('ui')
      await keyboard.press('Enter')
      await page.getByRole('button', { name: 'Remove label ui' }).waitFor()
      await page.getByRole('button', { name: 'Wait for another bead' }).click()
      await page.getByRole('combobox', { name: 'Depends on' }).fill('ed-2')
      await keyboard.press('Enter')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByRole('region', { name: 'Waits for' }).getByText('ed-2').waitFor()
      await isWritten('ed-1', {
        title: '--title=x "of $HOME"',
        description: 'Why: **because**\n\n- `code`',
        acceptance_criteria: '-1 is refused',
        priority: 0,
        issue_type: 'bug',
        labels: ['ui'],
        dependencies: [{ id: 'ed-2', dependency_type: 'blocks' }],
      })
      // And back: remove everything that was added.
      await page.getByRole('button', { name: 'Remove label ui' }).click()
      await page.getByRole('combobox', { name: 'Type' }).selectOption('feature')
      await isWritten('ed-1', { issue_type: 'feature', priority: 0 })
      await expect.poll(async () => (await shown('ed-1'))['labels'] ?? [], { timeout: 60_000 }).toEqual([])
    })

    test('keeps edits that somebody makes with bd at the same time, and a second field is written beside them', async () => {
      const page = await open('ed-3', 'Three')
      await bd('update', 'ed-3', '--title=Theirs', '--add-label', 'theirs')
      await page.getByRole('heading', { level: 1, name: 'Theirs' }).waitFor()
      await page.getByRole('combobox', { name: 'Priority' }).selectOption('1')
      await isWritten('ed-3', { title: 'Theirs', labels: ['theirs'], priority: 1 })
    })
  })
