// @suite dashboard
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import type { WebhooksView } from '@beadloom/core/api/settings/webhook-api.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { card } from './support/board.ts'
import { press } from './support/made-up.ts'
import { onStage } from './support/stage.ts'

/* A bead asks, on a real server, in two browsers at once: a desktop with keys and a phone with a thumb. */

const agent = `prompt=$(cat)
case "$prompt" in *"paint it blue"*) echo "$prompt" > colour.txt ;; *) echo "BLOCKED: which colour?" ;; esac
`
const start = async () => {
  const world = await World.start({ engine: 'process', blockedGraceMs: 1 })
  const config = { verification: { maxAttempts: 1 }, beads: { 'p-2': { command: 'false' } } }
  await world.addProject('paint', shellProject({ agent, config }), [
    { id: 'p-1', title: 'Paint the wall' },
    { id: 'p-2', title: 'Paint the door' },
    { id: 'p-3', title: 'Paint the roof' },
  ])
  return world
}
const phone = { size: { width: 390, height: 844 } }

onStage('a person who is asked', start, (stage) => {
  const beads = async () => (await stage.world.get<Page<BeadCard>>('/api/projects/paint/beads?limit=100')).items
  const open = async (path: string, options = {}) => {
    const screen = await stage.open(options)
    await screen.page.goto(`${stage.world.server.url}${path}`)
    return screen
  }

  test('answers on one screen, and the question leaves the other; its reminder closes, and a second answer is refused', async () => {
    expect((await stage.world.run('paint', 'p-1')).state).toBe('BLOCKED')
    await expect.poll(async () => (await beads()).some(({ reminderOf }) => reminderOf === 'p-1')).toBe(true)
    const desk = (await open('/p/paint')).page
    const hand = await open('/p/paint/b/p-1', phone)
    hand.expectConsole(/status of 409/)
    const box = { name: 'Your answer for p-1' }
    await card(desk, 'p-1', 'blocked').waitFor()
    await press(desk, 'g', 'n')
    const inbox = desk.getByRole('dialog', { name: 'Inbox' })
    const typed = hand.page.getByRole('textbox', box)
    await typed.fill('paint it red')
    // The phone's answer is under way while the desktop's is taken: the question is answered once.
    await hand.page.route('**/beads/p-1/executions', async (route) => {
      await inbox.getByRole('textbox', box).fill('paint it blue')
      await inbox.getByRole('textbox', box).press('Control+Enter')
      await inbox.getByRole('textbox', box).waitFor({ state: 'detached' })
      await route.continue()
    })
    const refused = hand.page.waitForResponse((response) => response.url().endsWith('/beads/p-1/executions'))
    await hand.page.getByRole('button', { name: 'Answer and run' }).click()
    expect((await refused).status()).toBe(409)
    await card(desk, 'p-1', 'completed').waitFor()
    await typed.waitFor({ state: 'detached' })
    const left = (await beads()).filter(({ reminderOf, status }) => reminderOf === 'p-1' && status !== 'done')
    expect(left).toEqual([])
  })

  test('answers by thumb', async () => {
    expect((await stage.world.run('paint', 'p-3')).state).toBe('BLOCKED')
    const { page } = await open('/p/paint/b/p-3', phone)
    await page.getByRole('textbox', { name: 'Your answer for p-3' }).fill('paint it blue')
    const send = page.getByRole('button', { name: 'Answer and run' })
    expect((await send.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    await send.click()
    await expect
      .poll(async () => (await beads()).find(({ id }) => id === 'p-3')?.status, { timeout: 60_000 })
      .toBe('done')
  })

  test('dismisses a failure on one screen, takes it back, and dismisses it for good: the other screen follows', async () => {
    expect((await stage.world.run('paint', 'p-2')).state).toBe('FAILED')
    const [one, two] = [(await open('/p/paint')).page, (await open('/p/paint', phone)).page]
    const row = { name: /^Dismiss p-2: failed/ }
    for (const page of [one, two]) {
      await card(page, 'p-2', 'failed').waitFor()
      await press(page, 'g', 'n')
      await page.getByRole('button', row).waitFor()
    }
    await one.getByRole('button', row).press('Enter')
    await two.getByRole('button', row).waitFor({ state: 'detached' })
    await one.getByRole('button', { name: 'Undo' }).click()
    await two.getByRole('button', row).waitFor()
    await two.getByRole('button', row).click()
    await one.getByRole('button', row).waitFor({ state: 'detached' })
    await one.reload()
    await card(one, 'p-2', 'failed').waitFor()
    await press(one, 'g', 'n')
    await one.getByRole('dialog', { name: 'Inbox' }).waitFor()
    expect(await one.getByRole('button', row).count()).toBe(0)
  })

  test('adds a webhook by keys, sees its test fail and then arrive, and never gets its address back', async () => {
    let status = 503
    const got: string[] = []
    const receiver = createServer((request, response) => {
      got.push(request.url ?? '')
      response.writeHead(status).end()
    })
    receiver.listen(0, '127.0.0.1')
    await once(receiver, 'listening')
    onTestFinished(() => void receiver.close())
    const { page } = await open('/p/paint/settings?of=server')
    await page.getByRole('button', { name: 'Add webhook…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Add a webhook' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('ops')
    await dialog.getByLabel('Address').fill('example.org')
    await dialog.getByText('The address must begin with https:// or http://.').waitFor()
    const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
    await dialog.getByLabel('Address').fill(`${origin}/secret-path`)
    await dialog.getByLabel('Address').press('Enter')
    await page.getByText(origin).waitFor()
    await page.getByRole('button', { name: 'Send a test to ops' }).press('Enter')
    await page.getByText('The test failed: it answered 503').waitFor()
    status = 200
    await page.getByRole('button', { name: 'Send a test to ops' }).press('Enter')
    await page.getByText('The test arrived.').waitFor()
    expect(got).toEqual(['/secret-path', '/secret-path'])
    const told = await stage.world.get<WebhooksView>('/api/webhooks')
    expect(JSON.stringify(told)).not.toContain('secret-path')
    expect(await page.content()).not.toContain('secret-path')
    await page.getByRole('button', { name: 'Remove ops' }).press('Enter')
    await page.getByRole('button', { name: 'Remove', exact: true }).press('Enter')
    await page.getByText('There is no webhook yet.').waitFor()
  })
})
