import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/api.ts'
import { issues, makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { card, column } from './support/board.ts'
import { dragTo, shelf, take, holdOver } from './support/drag.ts'
import { onStage } from './support/stage.ts'

/* Cards dragged on the board of a real server, whose tracker is `.beads/issues.jsonl`. */
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

onStage('a card that is dragged', start, (stage) => {
  const inFile = (line: number) => {
    const text = readFileSync(join(stage.world.folder, 'moved', '.beads', 'issues.jsonl'), 'utf8')
    return JSON.parse(text.split('\n')[line] ?? '') as Record<string, unknown>
  }

  test('to another priority has it in the tracker', async () => {
    const { page } = await opened('/p/moved?group=priority')
    await dragTo(page, card(page, 'mv-1'), page.locator('[data-column="0"]'))
    await page.locator('[data-column="0"]').locator('[data-bead="mv-1"]').waitFor()
    await stage.world.until(() => inFile(0)['priority'] === 0)
    expect(inFile(1)['priority']).not.toBe(0)
    await take(page, card(page, 'mv-2'))
    await holdOver(page, shelf(page, 'priority 4'))
    expect(await violationsInBothThemes(page)).toEqual([])
    await page.mouse.up()
    await stage.world.until(() => inFile(1)['priority'] === 4)
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

  const opened = async (path: string) => {
    const screen = await stage.open()
    await screen.go(path)
    await screen.page.locator('[data-bead="mv-1"]').waitFor()
    return screen
  }
})
