// @suite dashboard
import { expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onMadeUp } from './support/made-up.ts'
import { onStage } from './support/stage.ts'

/** The agent fixes the base only if its prompt asks for it. */
const agent = `cat > /tmp/prompt-$$; if grep -q 'Fix failing checks' /tmp/prompt-$$; then echo ok > ok.txt; fi; rm /tmp/prompt-$$
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
  test('reads why nothing starts, checks again, has it mended with one click, and everything continues', async () => {
    const { world } = stage
    const queued = await world.queue('red', 'r-1')
    const screen = await stage.open()
    const { page } = screen
    const base = async () => (await world.get<ProjectView>('/api/projects/red')).base
    await screen.go('/p/red')
    await page.getByText(/Nothing starts in this project\. The only check fails before any work is done/).waitFor()

    const before = await base()
    await page.getByRole('button', { name: 'Check again' }).click()
    await world.until(async () => {
      const now = await base()
      return now?.state === 'broken' && JSON.stringify(now) !== JSON.stringify(before)
    })
    await page.getByRole('button', { name: 'Fix failing checks' }).click()
    const way = page.getByRole('link', { name: /^Being fixed in / })
    await way.waitFor()
    const { items } = await world.get<Page<BeadView>>('/api/projects/red/beads')
    const made = items.filter(({ labels }) => labels.includes('mends-base'))
    expect(made.map(({ title }) => title)).toEqual(['Fix failing checks: test'])
    await way.click()
    await page.getByRole('heading', { name: 'Fix failing checks: test' }).waitFor()

    expect((await world.run('red', made[0]!.id)).state).toBe('COMPLETED')
    expect((await world.ended(queued.id)).state).toBe('COMPLETED')
    await screen.go('/p/red')
    await page.getByText('Write a line').waitFor()
    await page.getByText(/Nothing starts in this project/).waitFor({ state: 'detached' })
  })
})

onStage(
  'a person who adds a project',
  () => World.start({ engine: 'process' }),
  (stage) => {
    test("sees the findings in the project's files, each with its place, and a proposal", async () => {
      const source = makeRepository(stage.world.newFolder('shop'), {
        'package.json': '{\n  "scripts": { "test": "node --test" }\n}\n',
        'compose.yaml': 'services:\n  db:\n    image: postgres:17\n    volumes: [ "./init.sql:/init.sql" ]\n',
      })
      const screen = await stage.open()
      const { page } = screen
      await page.getByLabel('Path or URL of the git repository').fill(source)
      await page.getByRole('button', { name: 'Add project' }).click()
      await page.getByRole('button', { name: 'Show what was found' }).click()
      const found = page.getByRole('region', { name: 'Found in the files' })
      await found.getByRole('listitem').filter({ hasText: 'npm test' }).getByText('package.json:2').waitFor()
      await found.getByText(/^services\.db\.volumes: A service starts empty each time/).waitFor()
      const proposal = await found.getByLabel('Proposed beadloom.json').textContent()
      expect(JSON.parse(proposal ?? '')).toMatchObject({ verify: [{ type: 'test', command: 'npm test' }] })
      expect(await violationsInBothThemes(page)).toEqual([])
    })
  },
)

onMadeUp('a person who adds a large repository', (stage) => {
  test('sees the progress, and can end it', async () => {
    const screen = await stage.open('/setup')
    screen.expectConsole(/status of 409/)
    const { page } = screen
    await page.getByLabel('Path or URL of the git repository').fill('/home/you/code/large')
    await page.getByRole('button', { name: 'Add project' }).click()
    const bar = page.getByRole('progressbar', { name: 'Adding large' })
    await bar.waitFor()
    expect(await bar.getAttribute('value')).toBe('42')
    await page.getByText('receiving objects: 42%, 412 MiB').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('alert').getByText('"large" was not added: that was cancelled.').waitFor()
    await bar.waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'Add project' }).getAttribute('aria-disabled')).toBe(null)
  })
})
