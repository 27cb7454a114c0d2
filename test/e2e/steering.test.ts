// @suite dashboard
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { World } from '../support/world.ts'
import { violationsInBothThemes } from './support/accessibility.ts'
import { onStage } from './support/stage.ts'

/* A person pauses an agent that works on a real server, and says something to it. */
type Said = { role: string; content: unknown }
let model: Server | undefined
afterAll(() => {
  model?.closeAllConnections()
  model?.close()
})

/** The agent works until it is let go, writes the file that a person has asked for, and commits. */
function commandAfter(conversation: Said[]): string | null {
  const results = conversation.filter(({ role }) => role === 'tool').length
  if (results === 0) return 'until [ -e /tmp/go ]; do sleep 0.1; done; echo done > done.txt'
  if (results > 1) return null
  const wanted = /write (\w+)/.exec(JSON.stringify(conversation))?.[1]
  return `${wanted === undefined ? '' : `echo x > ${wanted}.txt; `}git add -A; git commit -qm done; git push -q`
}

function reply(response: ServerResponse, command: string | null): void {
  const call = {
    index: 0,
    id: 'call-1',
    type: 'function',
    function: { name: 'bash', arguments: JSON.stringify({ command }) },
  }
  const delta = { role: 'assistant', content: 'I go on.', ...(command !== null && { tool_calls: [call] }) }
  const choices = [
    { index: 0, delta, finish_reason: null },
    { index: 0, delta: {}, finish_reason: command === null ? 'stop' : 'tool_calls' },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const choice of choices)
    response.write(`data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', choices: [choice] })}\n\n`)
  const usage = { prompt_tokens: 1, completion_tokens: 1 }
  response.end(`data: ${JSON.stringify({ id: 'x', choices: [], usage })}\n\ndata: [DONE]\n\n`)
}

const start = async () => {
  model = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => reply(response, commandAfter((JSON.parse(body) as { messages: Said[] }).messages)))
  })
  await new Promise<void>((resolve) => model?.listen(0, '127.0.0.1', resolve))
  const { port } = model.address() as AddressInfo
  const env = { OPENAI_API_KEY: 'sk-canary', OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1` }
  const world = await World.start({ engine: 'process', env, flags: { model: 'test-model' } })
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
    await note.getByText(/^Pausing: the present step still ends/).waitFor()
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
