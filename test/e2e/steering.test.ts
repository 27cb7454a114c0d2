// @suite dashboard
import { afterAll, expect, test } from 'vitest'
import { ChatModel, type Said } from '../support/chat-model.ts'
import { git } from '../support/repository.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onStage } from './support/stage.ts'

/* A person pauses an agent that works on a real server, and says something to it. */
let model: ChatModel | undefined
afterAll(() => model?.close())

/** The agent works until it is let go, writes the file that a person has asked for, and commits. */
function commandAfter(conversation: Said[]): string | null {
  const results = conversation.filter(({ role }) => role === 'tool').length
  if (results === 0) return 'until [ -e /tmp/go ]; do sleep 0.1; done; echo done > done.txt'
  if (results > 1) return null
  const wanted = /write (\w+)/.exec(JSON.stringify(conversation))?.[1]
  return `${wanted === undefined ? '' : `echo x > ${wanted}.txt; `}git add -A; git commit -qm done; git push -q`
}

const start = async () => {
  model = await ChatModel.open((conversation) => {
    const command = commandAfter(conversation)
    return { text: 'I go on.', ...(command !== null && { command }) }
  })
  const world = await World.start({ engine: 'process', env: model.env, flags: { model: 'test-model' } })
  const settings = { techStack: ['Shell'], test: 'true', setup: null, verification: { proveBase: false } }
  await world.addProject('talk', { 'beadloom.json': JSON.stringify(settings) }, [
    { id: 'ta-1', title: 'Talk to me' },
    { id: 'ta-2', title: 'Too late' },
    { id: 'ta-3', title: 'The wrong way' },
  ])
  return world
}

onStage('a person who follows an agent at work', start, (stage) => {
  const begin = async (bead: string) => {
    const { world } = stage
    const { id } = await world.queue('talk', bead)
    await world.until(async () => (await world.events(id)).some(({ type }) => type === 'tool_call'))
    const screen = await stage.open()
    await screen.go(`/p/talk/b/${bead}`)
    const box = screen.page.getByRole('textbox', { name: `Your message to the agent of ${bead}` })
    await box.waitFor()
    const letGo = async () => {
      for (const container of await world.containers.of(id)) await world.containers.write(container, '/tmp/go')
    }
    return { id, screen, page: screen.page, box, letGo }
  }

  test('writes with keys, keeps a draft over a reload, pauses, sends, resumes, and sees it read and done', async () => {
    const { world } = stage
    const { id, page, box, letGo } = await begin('ta-1')
    await page.keyboard.press('3')
    await page.getByRole('tab', { name: 'Attempts', selected: true }).waitFor()
    await page.keyboard.press('m')
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('Please write one,')
    await page.keyboard.press('Enter')
    await page.keyboard.type('too.')
    await page.keyboard.press('Escape')
    await page.locator('textarea:focus').waitFor({ state: 'detached' })
    await page.reload()
    await box.waitFor()
    expect(await box.inputValue()).toBe('Please write one,\ntoo.')

    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    const note = page.getByRole('note').filter({ hasText: /^Paus/ })
    await note.getByText(/^Pausing: the current step finishes first/).waitFor()
    await page.keyboard.press('m')
    await page.keyboard.press('Control+Enter')
    const messages = page.getByRole('group', { name: 'Messages to its agent' })
    await messages.getByText('waiting: its agent reads it with its next step').waitFor()
    await messages.getByText('You', { exact: true }).waitFor()
    await expect.poll(() => box.inputValue()).toBe('')
    await letGo()
    await note.getByText(/^Paused, for/).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await note.getByRole('button', { name: 'Resume' }).click()
    await messages.getByText(/^read by its agent, \d\d:\d\d:\d\d/).waitFor()

    const ended = await world.ended(id)
    expect(ended.state).toBe('COMPLETED')
    expect(git(`${world.data}/hub/talk.git`, 'ls-tree', '--name-only', ended.branch).split('\n')).toContain('one.txt')
    await box.waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Output' }).click()
    await messages.getByText(/^read by its agent/).waitFor()
  })

  test('stops the turn of an agent, which waits for a message and then does it', async () => {
    const { world } = stage
    const { id, page, box } = await begin('ta-3')
    await page.getByRole('button', { name: 'Stop turn' }).click()
    await page.getByText(/^Stopped: waits for a message, for/).waitFor()
    expect(await violationsInBothThemes(page)).toEqual([])
    await box.fill('Not that way: write two.')
    await box.press('Control+Enter')
    const messages = page.getByRole('group', { name: 'Messages to its agent' })
    await messages.getByText(/^read by its agent, \d\d:\d\d:\d\d/).waitFor()
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
    const files = git(`${world.data}/hub/talk.git`, 'ls-tree', '--name-only', ended.branch).split('\n')
    expect(files).toContain('two.txt')
  })

  test('is told in place that a message comes too late, and keeps its text until it is discarded', async () => {
    const { id, screen, page, box, letGo } = await begin('ta-2')
    screen.expectConsole(/status of 409/)
    // It ends while the message is on its way.
    await page.route('**/messages', async (route) => {
      if (route.request().method() === 'POST') {
        await letGo()
        await stage.world.ended(id)
      }
      await route.continue()
    })
    await box.fill('Also write two.')
    await page.getByRole('combobox', { name: 'When its agent reads it' }).selectOption('after this turn')
    await page.getByRole('button', { name: 'Send' }).click()
    await page
      .getByRole('alert')
      .getByText(/has ended .*: run its bead again/)
      .waitFor()
    await page.reload()
    await page.getByRole('tab', { name: 'Output' }).click()
    await page.getByText(/^It ended before this was sent/).waitFor()
    expect(await box.inputValue()).toBe('Also write two.')
    await page.getByRole('button', { name: 'Discard' }).click()
    await box.waitFor({ state: 'detached' })
  })
})
