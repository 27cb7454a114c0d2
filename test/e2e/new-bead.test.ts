import { expect, test } from 'vitest'
import { onMadeUp, press, states } from './support/made-up.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

onMadeUp('a person who creates a bead', (stage) => {
  test('gives it a type, labels and dependencies, loses nothing by a slip, and runs it at once', async () => {
    const project = stage.project('wordcraft')
    project.view = { ...project.view, autopilot: false }
    const { page } = await stage.open('/p/wordcraft')
    await page.locator('[data-bead]').first().waitFor()
    await press(page, 'n')
    const dialog = page.getByRole('dialog', { name: 'New bead' })
    await dialog.getByLabel('Title').fill('Hyphenate compounds')
    await dialog.getByLabel('Type').selectOption('feature')
    await dialog.getByLabel('Labels').fill('text, ui')
    await dialog.getByLabel('Depends on').fill('nobody')
    await press(page, 'Enter')
    await dialog.getByText('has no bead “nobody”').waitFor()
    await dialog.getByLabel('Depends on').fill('wc-e03')
    await press(page, 'Enter')
    await dialog.getByRole('button', { name: 'Remove wc-e03' }).waitFor()
    await press(page, 'Escape')
    await dialog.waitFor({ state: 'detached' })

    await press(page, 'n')
    await dialog.getByRole('button', { name: 'Remove wc-e03' }).click()
    await dialog.getByLabel('Title').focus()
    await press(page, 'Control+Shift+Enter')
    await page.getByText(/created and queued/).waitFor()
    const made = [...project.beads.values()].find(({ title }) => title === 'Hyphenate compounds')
    expect(made).toMatchObject({ type: 'feature', labels: ['text', 'ui'] })
    expect(states(project, made?.id ?? '')).not.toEqual([])

    await press(page, 'n')
    expect(await dialog.getByLabel('Title').inputValue()).toBe('')
  })

  longTest.each([
    ['Control and Enter', 'keys'],
    ['one click', 'click'],
  ])('sees a typed dependency taken over alone by %s, and an unknown one refused', async (_, by) => {
    const { page } = await stage.open('/p/wordcraft')
    await page.locator('[data-bead]').first().waitFor()
    await press(page, 'n')
    const dialog = page.getByRole('dialog', { name: 'New bead' })
    const title = `Typed by ${by}`
    const create = dialog.getByRole('button', { name: 'Create bead' })
    await dialog.getByLabel('Title').fill(title)
    await dialog.getByLabel('Depends on').fill('wc-e03, nobody')
    await (by === 'keys' ? press(page, 'Control+Enter') : create.click())
    await dialog.getByText('has no bead “nobody”').waitFor()
    expect(await dialog.getByLabel('Depends on').evaluate((field) => field === document.activeElement)).toBe(true)
    await dialog.getByLabel('Depends on').fill('wc-e03, wc-e02')
    const asked = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/beads'))
    await (by === 'keys' ? press(page, 'Control+Enter') : create.click())
    expect((await asked).postDataJSON()).toMatchObject({ title, dependsOn: ['wc-e03', 'wc-e02'] })
    await page.getByText(/created$/).waitFor()
  })

  longTest('is not told of a failure when autopilot was quicker to run it', async () => {
    const screen = await stage.open('/p/wordcraft')
    const { page } = screen
    screen.expectConsole(/status of 409/)
    await page.locator('[data-bead]').first().waitFor()
    await press(page, 'n')
    await page.getByRole('dialog', { name: 'New bead' }).getByLabel('Title').fill('Hyphenate compounds')
    const refused = page.waitForResponse((answer) => answer.url().endsWith('/executions') && answer.status() === 409)
    await press(page, 'Control+Shift+Enter')
    await refused
    await page.getByText(/created and queued/).waitFor()
    expect(await page.getByText(/cannot run yet/).count()).toBe(0)
  })
})
