import { expect, test } from 'vitest'
import { card } from './support/board.ts'
import { onMadeUp, press, states } from './support/made-up.ts'

/*
 * A person answers a question where they read it: in the inbox, on the bead's page, by keys and by thumb. Made-up
 * server.
 */
const p = '/p/wordcraft'
const box = { name: 'Your answer for wc-c11' }

onMadeUp('a person who is asked', (stage) => {
  test('answers in the inbox by keys; the draft survives a reload, a refusal keeps it, and the row goes once it is sent', async () => {
    const screen = await stage.open(p)
    const { page } = screen
    screen.expectConsole(/status of 409/)
    await card(page, 'wc-c11', 'blocked').waitFor()
    await press(page, 'g', 'n')
    const inbox = page.getByRole('dialog', { name: 'Inbox' })
    await inbox.getByRole('textbox', box).focus()
    await page.keyboard.type('CC-BY')
    await page.reload()
    await card(page, 'wc-c11', 'blocked').waitFor()
    await press(page, 'g', 'n')
    expect(await inbox.getByRole('textbox', box).inputValue()).toBe('CC-BY')
    const error = { code: 'already_live', message: 'it is <b>already</b> queued' }
    await page.route('**/beads/wc-c11/executions', (route) => route.fulfill({ status: 409, json: { error } }), {
      times: 1,
    })
    await inbox.getByRole('textbox', box).press('Control+Enter')
    await inbox.getByRole('alert').getByText('it is <b>already</b> queued').waitFor()
    expect(await inbox.getByRole('textbox', box).inputValue()).toBe('CC-BY')
    const sent = page.waitForRequest('**/beads/wc-c11/executions')
    await inbox.getByRole('textbox', box).press('Control+Enter')
    expect((await sent).postDataJSON()).toEqual({ context: 'CC-BY', answers: expect.stringMatching(/^ex-/) })
    await inbox.getByRole('textbox', box).waitFor({ state: 'detached' })
    expect(states(stage.project('wordcraft'), 'wc-c11')).toContain('QUEUED')
    expect(await page.evaluate(() => localStorage.getItem('beadloom.answers'))).toBe('[]')
  })

  test('dismisses rows by keys one after the other, and they stay away', async () => {
    const { page } = await stage.open(p)
    await card(page, 'wc-c11', 'blocked').waitFor()
    await press(page, 'g', 'n')
    const dismiss = page.getByRole('dialog', { name: 'Inbox' }).getByRole('button', { name: /^Dismiss / })
    await dismiss.first().waitFor()
    const before = await dismiss.count()
    await dismiss.first().press('Enter')
    await expect.poll(() => dismiss.count()).toBe(before - 1)
    expect(await page.evaluate(() => document.activeElement?.closest('dialog li') !== null)).toBe(true)
    await page.reload()
    await card(page, 'wc-c11', 'blocked').waitFor()
    await press(page, 'g', 'n')
    await expect.poll(() => dismiss.count()).toBe(before - 1)
  })

  test('answers by thumb on the bead’s page of a small screen', async () => {
    const { page } = await stage.open(p)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(new URL(`${p}/b/wc-c11`, page.url()).href)
    await page.getByRole('textbox', box).fill('the CC-BY one')
    const send = page.getByRole('button', { name: 'Answer and run' })
    expect((await send.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await send.click()
    await page.getByRole('textbox', box).waitFor({ state: 'detached' })
    expect(states(stage.project('wordcraft'), 'wc-c11')).toContain('QUEUED')
  })
})
