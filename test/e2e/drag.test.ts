// @suite dashboard
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { issues, makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card, column } from './support/board.ts'
import { dragTo, shelf, take, holdOver } from './support/drag.ts'
import { onStage } from './support/stage.ts'

/* A person drags cards on the board of a real server, whose tracker is `.beads/issues.jsonl`. */
const start = async () => {
  const world = await World.start({ engine: 'process' })
  const source = makeRepository(join(world.folder, 'moved'), {
    ...shellProject({ agent: 'true\n', config: { autopilot: false } }),
    '.beads/issues.jsonl': issues({ id: 'mv-1', title: 'One' }, { id: 'mv-2', title: 'Two' }),
  })
  const { status } = await world.api<ProjectView>('POST', '/api/projects', { source, id: 'moved' })
  expect(status).toBe(201)
  return world
}

type Line = Record<string, unknown>
const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)

/** The file with another second bead; follow-ups of the first bead may have lines anywhere. */
const withSecond = (text: string, change: object): string =>
  linesOf(text)
    .map((line) => `${JSON.stringify(line['id'] === 'mv-2' ? { ...line, ...change } : line)}\n`)
    .join('')

onStage('a card that is dragged', start, (stage) => {
  const file = () => join(stage.world.folder, 'moved', '.beads', 'issues.jsonl')
  const inFile = (id: string): Line => linesOf(readFileSync(file(), 'utf8')).find((line) => line['id'] === id) ?? {}

  test('changes its priority in the tracker', async () => {
    const { page } = await opened('/p/moved?group=priority')
    await dragTo(page, card(page, 'mv-1'), page.locator('[data-column="0"]'))
    await page.locator('[data-column="0"]').locator('[data-bead="mv-1"]').waitFor()
    await stage.world.until(() => inFile('mv-1')['priority'] === 0)
    expect(inFile('mv-2')['priority']).not.toBe(0)
    await take(page, card(page, 'mv-2'))
    await holdOver(page, shelf(page, 'priority 4'))
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.mouse.up()
    await stage.world.until(() => inFile('mv-2')['priority'] === 4)
  })

  test('into the running column is run', async () => {
    const { page } = await opened('/p/moved')
    await dragTo(page, card(page, 'mv-1', 'open'), column(page, 'running'))
    await page.getByText('mv-1 queued').waitFor()
    await stage.world.until(async () => {
      const { body } = await stage.world.api<{ items: { bead: string }[] }>('GET', '/api/executions?project=moved')
      return body.items.some(({ bead }) => bead === 'mv-1')
    })
  })

  test('goes back and says why when the tracker refuses it later, and the bead’s page keeps the problem until somebody decides', async () => {
    const { page } = await opened('/p/moved?group=priority')
    const text = readFileSync(file(), 'utf8')
    // A conflict in the file: a move has to wait.
    writeFileSync(file(), `<<<<<<< HEAD\n${text}`)
    await dragTo(page, card(page, 'mv-2'), page.locator('[data-column="1"]'))
    await page.locator('[data-column="1"]').locator('[data-bead="mv-2"]').waitFor()
    await page.getByText('mv-2 set to P1').waitFor()
    await page.getByRole('button', { name: /directly, 1 waiting/ }).waitFor()
    writeFileSync(file(), withSecond(text, { priority: 3 })) // the person who resolves it chooses another one
    await page.getByText('mv-2 was moved back: it was changed in the tracker meanwhile, and that is kept').waitFor()
    await page.locator('[data-column="3"]').locator('[data-bead="mv-2"]').waitFor()
    await page.getByTitle(/priority not written to the tracker: it was changed/).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    expect(inFile('mv-2')['priority']).toBe(3)
    await card(page, 'mv-2').getByRole('link').first().click()
    const notes = page.getByRole('list', { name: 'Not written to the tracker' })
    await notes.getByText(/Your change of the priority was not written/).waitFor()
    await notes.getByRole('button', { name: 'Use mine' }).click()
    await notes.waitFor({ state: 'detached' })
    await stage.world.until(() => inFile('mv-2')['priority'] === 1)
  })

  test('to closed while somebody blocks it in the tracker goes back and says so', async () => {
    const { page } = await opened('/p/moved')
    const text = readFileSync(file(), 'utf8')
    writeFileSync(file(), `<<<<<<< HEAD\n${text}`)
    await dragTo(page, card(page, 'mv-2', 'open'), column(page, 'completed'))
    await page.getByText('mv-2 closed').waitFor()
    await page.getByRole('button', { name: /directly, 1 waiting/ }).waitFor()
    writeFileSync(file(), withSecond(text, { status: 'blocked' }))
    await page.getByText('mv-2 was moved back: it was set to "blocked" in the tracker, and that is kept').waitFor()
    await card(page, 'mv-2', 'blocked').waitFor()
    await stage.world.until(() => inFile('mv-2')['status'] === 'blocked')
  })

  const opened = async (path: string) => {
    const screen = await stage.open()
    await screen.go(path)
    await screen.page.locator('[data-bead="mv-1"]').waitFor()
    return screen
  }
})
