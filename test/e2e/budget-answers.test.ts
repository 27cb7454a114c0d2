// @suite dashboard
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseExecutionId } from '@beadloom/core/records/ids.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { chip } from './support/board.ts'
import { onStage } from './support/stage.ts'

const scenarios = mkdtempSync(join(tmpdir(), 'bl-e2e-answers-'))
afterAll(() => rmSync(scenarios, { recursive: true, force: true }))

const turns = [
  {
    say: 'I do it.',
    calls: [{ tool: 'bash', arguments: { command: 'echo done > done.txt; git add -A; git commit -qm d' } }],
  },
  { say: 'It is done.' },
]

const start = async () => {
  mkdirSync(scenarios, { recursive: true })
  const script = { name: 'small', about: 'A small piece of work.', beads: {}, otherwise: { turns } }
  writeFileSync(join(scenarios, 'small.json'), JSON.stringify(script))
  const world = await World.start({ engine: 'process', scenarios })
  const agent = { agent: 'openai', model: 'scripted', scenario: 'small', command: undefined }
  const config = { ...agent, onLimit: 'ask', limits: { maxTokensPerBead: 10 } }
  await world.addProject('ask', shellProject({ agent: '', config }), [
    { id: 'as-1', title: 'Grant me more' },
    { id: 'as-2', title: 'Stop me' },
  ])
  return world
}

onStage('a person who is asked at a limit', start, (stage) => {
  test('finds the question on the card, in the inbox and on the bead, grants more to one and stops the other', async () => {
    const { world } = stage
    const queued = [await world.queue('ask', 'as-1'), await world.queue('ask', 'as-2')]
    for (const { id } of queued)
      await world.until(() => world.server.store.execution(parseExecutionId(id))?.waits?.kind === 'budget')
    const screen = await stage.open()
    const { page } = screen
    await screen.go('/p/ask')
    const card = page.getByRole('listitem').filter({ hasText: 'Grant me more' })
    await card.getByText(/^waits for budget: .* of 10 tokens used by this bead/).waitFor()
    await card.getByText(/\/10 tok$/).waitFor()
    await chip(page, /^Inbox/).click()
    await page.getByRole('dialog', { name: 'Inbox' }).getByText('as-1', { exact: true }).click()
    await page.getByText(/without an answer it ends at/).waitFor()
    await page.getByLabel('Tokens', { exact: true }).fill('many')
    await page.getByRole('button', { name: 'Grant more' }).click()
    await page.getByText(/Enter a whole number of tokens/).waitFor()
    await page.getByLabel('Tokens', { exact: true }).fill('1,000,000')
    await page.getByRole('button', { name: 'Grant more' }).click()
    expect(await world.ended(queued[0]!.id)).toMatchObject({ state: 'COMPLETED' })
    await page.getByRole('button', { name: 'Grant more' }).waitFor({ state: 'detached' })

    await screen.go('/p/ask/b/as-2')
    const note = page.getByRole('note').filter({ hasText: 'Waits for budget' })
    await note.getByRole('button', { name: 'Stop' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/ends as failed because its limit is reached/).waitFor()
    await dialog.getByRole('button', { name: 'Stop' }).click()
    expect(await world.ended(queued[1]!.id)).toMatchObject({ state: 'FAILED', reason: 'budget_exhausted' })
    await page
      .getByText(/You stopped it at its limit/)
      .first()
      .waitFor()
  })
})
