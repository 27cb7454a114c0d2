// @suite dashboard
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { issues, makeRepository } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { onStage } from './support/stage.ts'

/* Two people edit a bead of a real server at once, also with hostile texts. */
const start = async () => {
  const world = await World.start({ engine: 'process' })
  const beads = ['One', 'Two', 'Three', 'Four'].map((title, at) => ({ id: `ed-${at + 1}`, title }))
  const source = makeRepository(join(world.folder, 'edited'), {
    ...shellProject({ agent: 'true\n', config: { autopilot: false } }),
    '.beads/issues.jsonl': issues(...beads),
  })
  const { status } = await world.api<ProjectView>('POST', '/api/projects', { source, id: 'edited' })
  expect(status).toBe(201)
  return world
}

onStage('a bead that is changed by several', start, (stage) => {
  const file = () => join(stage.world.folder, 'edited', '.beads', 'issues.jsonl')
  const inFile = (line: number) =>
    JSON.parse(readFileSync(file(), 'utf8').split('\n')[line] ?? '') as Record<string, unknown>
  const open = async (bead: string) => {
    const opened = await stage.open()
    await opened.go(`/p/edited/b/${bead}`)
    await opened.page.getByRole('heading', { level: 1 }).waitFor()
    return opened
  }

  const write = async (page: Page, field: 'Description' | 'Title', text: string) => {
    await page.keyboard.press(field === 'Title' ? 't' : 'b')
    await page.getByRole('textbox', { name: field }).fill(text)
    await page.keyboard.press('Control+Enter')
  }

  test('in two browsers at once loses neither text: the later editor is asked, with the text still there', async () => {
    const [one, two] = [(await open('ed-3')).page, await open('ed-3')]
    two.expectConsole(/status of 409/)
    await two.page.keyboard.press('b')
    const later = two.page.getByRole('textbox', { name: 'Description' })
    await later.fill('the later word')
    await write(one, 'Description', 'the first word')
    await one.getByText('the first word').waitFor()
    await later.press('Control+Enter')
    await two.page.getByText(/changed by somebody else meanwhile/).waitFor()
    expect(await later.inputValue()).toBe('the later word')
    await stage.world.until(() => inFile(2)['description'] === 'the first word')
    await two.page.getByRole('button', { name: 'Replace it with mine' }).click()
    await one.getByText('the later word').waitFor()
    // A change of another field of the same bead is no conflict.
    await write(one, 'Title', 'Three by one')
    await two.page.getByRole('combobox', { name: 'Priority' }).selectOption('1')
    await stage.world.until(() => inFile(2)['priority'] === 1 && inFile(2)['title'] === 'Three by one')
    expect(inFile(2)['description']).toBe('the later word')
  })

  test('shows hostile text as text, and goes back with a message when its tracker cannot keep the text', async () => {
    const { page } = await open('ed-3')
    const bad = '<img src=x onerror="owned=1"> [go](javascript:owned=1) ![p](https://evil.example/p.png) \u202egnp'
    await write(page, 'Title', bad)
    await stage.world.until(() => inFile(2)['title'] === bad)
    // Deep and wide, but within the length of a line that `bd` reads, in which each > takes six bytes.
    const deep = `${'>'.repeat(3_000)} deep\n\n|${'a|'.repeat(3_000)}\n|${'-|'.repeat(3_000)}`
    await write(page, 'Description', `${bad}\n\n${deep}`)
    await page.getByText('picture: p').first().waitFor()
    expect(await page.locator('main :is(img, script, iframe), main a[href^="javascript"]').count()).toBe(0)
    expect(await page.evaluate(() => (globalThis as { owned?: unknown }).owned)).toBe(undefined)
    await stage.world.until(() => String(inFile(2)['description']).startsWith(bad))
    await write(page, 'Description', '\u00fc'.repeat(40_000))
    const notes = page.getByRole('list', { name: 'Not written to the tracker' })
    await notes.getByText(/Your change of the description was not written: .* longer than 64 KiB/).waitFor()
    await page.getByText('picture: p').first().waitFor()
    await notes.getByRole('button', { name: 'Keep theirs' }).click()
    await notes.waitFor({ state: 'detached' })
  })

  test('cannot wait for a bead that waits for it, nor for an unknown one', async () => {
    const screen = await open('ed-3')
    screen.expectConsole(/status of 422/)
    const { page } = screen
    const edge = { dependencies: { add: [{ dependsOn: 'ed-3' }] } }
    expect((await stage.world.api('PATCH', '/api/projects/edited/beads/ed-4', edge)).status).toBe(200)
    await page.getByRole('button', { name: 'Wait for another bead' }).click()
    const field = page.getByRole('combobox', { name: 'Depends on' })
    await field.fill('nobody')
    await page.keyboard.press('Enter')
    await page.getByText('has no bead “nobody”').waitFor()
    await field.fill('ed-4')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Save' }).click()
    await page
      .getByRole('alert')
      .getByText('ed-3 cannot wait for ed-4, which waits for it: ed-3 → ed-4 → ed-3')
      .waitFor()
  })
})
