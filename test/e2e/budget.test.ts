// @suite dashboard
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { BudgetView } from '@beadloom/core/api/budgets/project-budget-api.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onStage } from './support/stage.ts'

const scenarios = mkdtempSync(join(tmpdir(), 'bl-e2e-budget-'))
afterAll(() => rmSync(scenarios, { recursive: true, force: true }))

/** Calls its model once, then does its work. */
const agent = `cat > /dev/null
cat > ask.mjs <<'END'
const messages = [{ role: 'user', content: 'x'.repeat(40000) }]
const body = JSON.stringify({ model: 'scripted', messages })
const url = process.env.OPENAI_BASE_URL + '/chat/completions'
const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
if (!answer.ok) throw new Error(await answer.text())
await answer.text()
END
node ask.mjs && rm ask.mjs && echo work >> work.txt
${commitAndPush('bg', 'Spend')}`

const start = async () => {
  mkdirSync(scenarios, { recursive: true })
  const script = { name: 'talk', about: 'Says yes.', beads: {}, otherwise: { turns: [{ say: 'yes' }] } }
  writeFileSync(join(scenarios, 'talk.json'), JSON.stringify(script))
  const prices = { scripted: { input: 10, output: 20 } }
  const world = await World.start({ engine: 'process', scenarios, config: { prices } })
  await world.addProject('spend', shellProject({ agent, config: { model: 'scripted', scenario: 'talk' } }), [
    { id: 'bg-1', title: 'Spend' },
    { id: 'bg-2', title: 'Spend again' },
  ])
  return world
}

onStage('a person who looks at the budget', start, (stage) => {
  test('sees the use live and its causes, and downloads it as a file', async () => {
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/spend')
    await page.getByRole('button', { name: /live/ }).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('u')
    await page.getByText('No tokens used yet').waitFor()

    // The page is open all the time.
    const first = await stage.world.run('spend', 'bg-1')
    expect(first.state).toBe('COMPLETED')
    const table = page.getByRole('table')
    await table.getByRole('link', { name: 'bg-1' }).waitFor()
    await stage.world.run('spend', 'bg-2')
    await table.getByRole('link', { name: 'bg-2' }).waitFor()
    const { all } = await stage.world.get<BudgetView>('/api/projects/spend/budget')
    const sum = table.getByRole('row', { name: /^All/ })
    await sum.getByText(all.input.toLocaleString('en-US'), { exact: true }).waitFor()
    await sum
      .getByText(`$${((all.costMicros ?? 0) / 1e6).toFixed(4)}`, { exact: true })
      .first()
      .waitFor()
    await page.getByText('percentile of 2 beads merged in 7 days').waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])

    await page.getByRole('link', { name: 'Model', exact: true }).click()
    await table.getByRole('row', { name: /^scripted/ }).waitFor()
    expect(new URL(page.url()).search).toBe('?by=model')
    await page.keyboard.press('n')
    await table.getByRole('row', { name: /^Command line/ }).waitFor()
    await page.keyboard.press('>')
    await page.getByRole('heading', { name: 'Used in 30 days' }).waitFor()

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('spend-budget-30d.csv')
    const lines = readFileSync(await download.path(), 'utf8')
      .trimEnd()
      .split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines.filter((line) => /^\d{4}-\d\d-\d\d,bg-1,work,,command,,scripted,1,/.test(line))).toHaveLength(1)
  })
})
