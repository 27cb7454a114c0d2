// @suite dashboard
import { expect, test } from 'vitest'
import type { ProjectSettingsView } from '@beadloom/core/api/settings/settings-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onStage } from './support/stage.ts'

const start = async () => {
  const world = await World.start({ engine: 'process', env: { OPENAI_API_KEY: 'sk-never-shown' } })
  await world.addProject('tuned', shellProject({ agent: 'true\n', config: { limits: { maxSteps: 20 } } }), [
    { id: 't-1', title: 'Wait for better settings' },
  ])
  return world
}

onStage('a person at the settings', start, (stage) => {
  const settings = () => stage.world.get<ProjectSettingsView>('/api/projects/tuned/settings')
  const change = (revision: number, changes: object) =>
    stage.world.api('PATCH', '/api/projects/tuned/settings', { revision, changes })

  test('sees where a value comes from, what will change, and reverts it', async () => {
    const { page } = await stage.open()
    await page.goto(`${stage.world.server.url}/p/tuned`)
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    const limits = page.getByRole('region', { name: 'Limits' })
    const steps = limits.getByLabel('Steps per attempt')
    expect(await steps.inputValue()).toBe('20')
    await limits.getByText('file beadloom.json on main').first().waitFor()

    await steps.fill('0')
    await limits.getByText('must be at least 1').waitFor()
    await steps.fill('30')
    await limits.getByRole('list', { name: 'Changes' }).getByText('Steps per attempt: 20 → 30').waitFor()
    await limits.getByRole('button', { name: 'Save' }).click()
    await limits.getByText('override otherwise 20').waitFor()
    expect((await settings()).fields.find(({ key }) => key === 'limits.maxSteps')?.value).toBe(30)

    const history = page.getByRole('region', { name: 'Changes made here' })
    await history.getByText('Steps per attempt: not set → 30').waitFor()
    await history.getByRole('button', { name: 'Revert' }).click()
    await limits.getByText('file beadloom.json on main').first().waitFor()
    expect(await steps.inputValue()).toBe('20')
  })

  test('keeps the typed values when somebody else was faster, and is told', async () => {
    const screen = await stage.open()
    screen.expectConsole(/409/)
    await screen.go('/p/tuned/settings')
    const { page } = screen
    const model = page.getByRole('region', { name: 'Model and agent' })
    await model.getByLabel('Model', { exact: true }).fill('mine')
    await change((await settings()).revision, { 'limits.maxSteps': 77 })
    await model.getByRole('button', { name: 'Save' }).click()
    await model.getByRole('alert').getByText('these settings were changed in the meantime').waitFor()
    await page.getByText('Steps per attempt: 20 → 77').waitFor()
    expect(await model.getByLabel('Model', { exact: true }).inputValue()).toBe('mine')
    await model.getByRole('button', { name: 'Save' }).click()
    await model.getByText('override otherwise none').waitFor()
  })

  test('is asked before typed values are lost', async () => {
    const screen = await stage.open()
    await screen.go('/p/tuned/settings')
    const { page } = screen
    await page.getByRole('region', { name: 'Limits' }).getByLabel('Steps per attempt').fill('5')
    await page.getByRole('link', { name: 'Board' }).click()
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    expect(new URL(page.url()).pathname).toBe('/p/tuned/settings')
    await page.getByRole('link', { name: 'Board' }).click()
    await question.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/p/tuned')
  })

  test("sees the server's own settings and which keys are set, and never a key", async () => {
    const screen = await stage.open()
    await screen.go('/p/tuned/settings?of=server')
    const { page } = screen
    await page.getByRole('region', { name: 'Containers' }).getByLabel('Slots').fill('4')
    await page.getByRole('region', { name: 'Containers' }).getByRole('button', { name: 'Save' }).click()
    await page.getByText('config.json says 4').waitFor()
    const secrets = page.getByRole('region', { name: 'Secrets' })
    await secrets.getByText('OPENAI_API_KEY').waitFor()
    expect(await page.content()).not.toContain('sk-never-shown')
  })

  test('sees how the project stands with its tracker and its remote, and syncs by hand', async () => {
    const screen = await stage.open()
    await screen.go('/p/tuned')
    const { page } = screen
    await page.getByRole('main').getByText('Wait for better settings').waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('y')
    await page.getByRole('heading', { name: 'Sync', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sync now' }).click()
    await page.getByRole('cell', { name: 'requested' }).first().waitFor()
    await page.getByText('beadloom/work, not created yet').waitFor()
  })

  test('meets no accessibility barrier and nothing too wide, in both themes', async () => {
    for (const width of [1440, 320]) {
      const screen = await stage.open({ size: { width, height: 900 } })
      const { page } = screen
      const found: string[] = []
      for (const path of ['settings', 'settings?of=server', 'settings?of=browser', 'sync']) {
        await screen.go(`/p/tuned/${path}`)
        await page.getByRole('main').getByRole('heading', { level: 2 }).first().waitFor()
        for (const violation of await violationsInBothThemes(page)) found.push(`${path} ${width}: ${violation}`)
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, width])
      }
      expect(found).toEqual([])
    }
  })
})
