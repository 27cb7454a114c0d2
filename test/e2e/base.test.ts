import { expect, test } from 'vitest'
import type { BeadView, Page, ProjectView } from '@beadloom/core/api/api.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { onStage } from './support/stage.ts'

/** Its agent makes the base green only where it is asked to. */
const agent = `cat > /tmp/prompt-$$; if grep -q 'Make the base green' /tmp/prompt-$$; then echo ok > ok.txt; fi; rm /tmp/prompt-$$
echo work >> work.txt
`

const start = async () => {
  const world = await World.start({ engine: 'process' })
  const config = { setup: null, verify: [{ type: 'test', command: 'test -f ok.txt' }] }
  const files = shellProject({ agent, config, testsFirst: false })
  await world.addProject('red', files, [{ id: 'r-1', title: 'Write a line' }])
  return world
}

onStage('a person whose base is broken', start, (stage) => {
  test('reads why nothing starts, checks again, has it mended by one click, and everything continues', async () => {
    const { world } = stage
    const queued = await world.queue('red', 'r-1')
    const screen = await stage.open()
    const { page } = screen
    const base = async () => (await world.get<ProjectView>('/api/projects/red')).base
    await screen.go('/p/red')
    await page.getByText(/Nothing of this project starts\. The only check fails before any work is done/).waitFor()

    const before = await base()
    await page.getByRole('button', { name: 'Check again' }).click()
    await world.until(async () => {
      const now = await base()
      return now?.state === 'broken' && JSON.stringify(now) !== JSON.stringify(before)
    })
    await page.getByRole('button', { name: 'Make the base green' }).click()
    const way = page.getByRole('link', { name: /^To be mended by / })
    await way.waitFor()
    const { items } = await world.get<Page<BeadView>>('/api/projects/red/beads')
    const made = items.filter(({ labels }) => labels.includes('mends-base'))
    expect(made.map(({ title }) => title)).toEqual(['Make the base green: test'])
    await way.click()
    await page.getByRole('heading', { name: 'Make the base green: test' }).waitFor()

    expect((await world.run('red', made[0]!.id)).state).toBe('COMPLETED')
    expect((await world.ended(queued.id)).state).toBe('COMPLETED')
    await screen.go('/p/red')
    await page.getByText('Write a line').waitFor()
    await page.getByText(/Nothing of this project starts/).waitFor({ state: 'detached' })
  })
})
