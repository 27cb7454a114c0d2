import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { startWorld, type World } from '../testing/gateway-world.ts'
import { claudeTools, codexTools, opencodeTools, piTools } from '../testing/offered-tools.ts'

const scenariosFolder = fileURLToPath(new URL('../../../../../test/scenarios', import.meta.url))

type Json = Record<string, unknown>
type Call = { id: string; args: Json }
type Turn = { text: string; calls: Call[] }

/** Without the settings of the person who runs the test. */
const env = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'Agent',
  GIT_AUTHOR_EMAIL: 'agent@example.com',
  GIT_COMMITTER_NAME: 'Agent',
  GIT_COMMITTER_EMAIL: 'agent@example.com',
}

/** A repository in which the agents' tools run, read, write and edit. */
class Checkout {
  readonly folder = mkdtempSync(join(tmpdir(), 'agents-'))
  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true }))
    const start = 'git init -q -b main && git commit -q --allow-empty -m Start'
    execFileSync('sh', ['-c', start], { cwd: this.folder, env })
  }

  sh(command: string): string {
    const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd: this.folder, env, encoding: 'utf8' })
    return `${stdout}${stderr}exit code ${status}`
  }

  use(args: Json): string {
    const first = (...keys: string[]) => keys.map((key) => args[key]).find((value) => typeof value === 'string')
    const command = first('command', 'cmd')
    if (command !== undefined) return this.sh(String(command))
    const path = resolve(this.folder, String(first('file_path', 'filePath', 'path')))
    const [edit = args] = (args['edits'] ?? []) as Json[]
    const [before, after] = ['old', 'new'].map((of) => edit[`${of}_string`] ?? edit[`${of}String`] ?? edit[`${of}Text`])
    if (typeof args['content'] === 'string') {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, args['content'])
    } else if (typeof before === 'string') {
      const parts = readFileSync(path, 'utf8').split(before)
      if (parts.length !== 2) return `found ${parts.length - 1} times`
      writeFileSync(path, parts.join(String(after)))
    } else return readFileSync(path, 'utf8')
    return 'done'
  }
}

/** An agent's part in its API: it adds the answer to the conversation, and the results behind it. */
type Api = {
  path: string
  ask: (conversation: unknown[], tools: unknown) => Json
  /** The prompt, behind the agent's own words. */
  begin: (prompt: string, folder: string) => unknown[]
  read: (answer: Json, conversation: unknown[]) => Turn
  result: (id: string, text: string) => unknown
}

const parsed = (args: unknown) => JSON.parse(String(args)) as Json

const chat: Api = {
  path: '/v1/chat/completions',
  ask: (messages, tools) => ({ messages, tools }),
  begin: (prompt, folder) => [
    { role: 'system', content: `You are an agent.\nCurrent working directory: ${folder}` },
    { role: 'user', content: [{ type: 'text', text: prompt }] },
  ],
  read(answer, conversation) {
    type Message = { content: string | null; tool_calls?: { id: string; function: { arguments: string } }[] }
    const [{ message }] = answer['choices'] as [{ message: Message }]
    conversation.push(message)
    const calls = (message.tool_calls ?? []).map(({ id, function: { arguments: args } }) => ({
      id,
      args: parsed(args),
    }))
    return { text: message.content ?? '', calls }
  },
  result: (id, text) => ({ role: 'tool', tool_call_id: id, content: text }),
}

const responses: Api = {
  path: '/v1/responses',
  ask: (input, tools) => ({ input, tools }),
  begin: (prompt, folder) =>
    [`<environment_context>\n  <cwd>${folder}</cwd>\n</environment_context>`, prompt].map((text) => ({
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text }],
    })),
  read(answer, conversation) {
    type Item = { call_id: string; arguments?: string; content?: { text: string }[] }
    const items = answer['output'] as Item[]
    conversation.push(...items)
    const calls = items.flatMap(({ call_id: id, arguments: args }) => (args ? [{ id, args: parsed(args) }] : []))
    return { text: items.map(({ content }) => content?.[0]?.text ?? '').join(''), calls }
  },
  result: (id, text) => ({ type: 'function_call_output', call_id: id, output: text }),
}

const messages: Api = {
  path: '/v1/messages?beta=true',
  ask: (conversation, tools) => ({ max_tokens: 32_000, messages: conversation, tools }),
  begin: (prompt, folder) => [
    { role: 'user', content: ['<system-reminder>x</system-reminder>', prompt].map((text) => ({ type: 'text', text })) },
    { role: 'system', content: `# Environment\n - Primary working directory: ${folder}` },
  ],
  read(answer, conversation) {
    const content = answer['content'] as { type: string; text: string; id: string; input: Json }[]
    conversation.push({ role: 'assistant', content })
    const calls = content.flatMap(({ type, id, input }) => (type === 'tool_use' ? [{ id, args: input }] : []))
    return { text: content.map(({ text = '' }) => text).join(''), calls }
  },
  result: (id, text) => ({ role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] }),
}

const agents: [string, Api, unknown][] = [
  ['Codex', responses, codexTools],
  ['Claude Code', messages, claudeTools],
  ['opencode', chat, opencodeTools],
  ['pi', chat, piTools],
]

async function play(world: World, api: Api, tools: unknown, title: string, checkout: Checkout) {
  const conversation = api.begin(`\nTASK: Bead #bl-1 - ${title}\nDo it.\n`, checkout.folder)
  const texts: string[] = []
  const results: string[] = []
  for (let turn = 0; turn < 20; turn++) {
    const response = await world.post(api.path, api.ask(conversation, tools))
    const answer = (await response.json()) as Json
    if (!response.ok) return { texts, results, refused: [response.status, (answer['error'] as Json)['message']] }
    const { text, calls } = api.read(answer, conversation)
    texts.push(text)
    if (calls.length === 0) return { texts, results, refused: null }
    for (const { id, args } of calls) {
      results.push(checkout.use(args))
      conversation.push(api.result(id, results.at(-1) ?? ''))
    }
  }
  throw new Error('the script has no end')
}

const start = () =>
  startWorld(() => expect.unreachable('the endpoint was called'), {
    who: { bead: 'bl-1', model: 'scripted', scenario: 'agents' },
    options: { upstream: null, scenariosFolder },
  })

test.each(agents)(
  '%s plays the scenario for agents like every other: the same file, the same commit',
  async (_, api, tools) => {
    const [world, checkout] = [await start(), new Checkout()]
    const { texts, results } = await play(world, api, tools, 'A note', checkout)
    expect(texts).toHaveLength(6)
    expect(texts.at(-1)).toBe('The note of bl-1 is committed.')
    expect(results.join('\n')).toContain("Written at attempt 1.\nIt isn't finished: `$HOME` \\n stays as it is.\n")
    const left = checkout.sh('git show --format=%s HEAD; git status --porcelain')
    expect(left).toMatch(/^Bead bl-1: A note\n/)
    expect(left).toContain("+# Bead bl-1\n+\n+Written at attempt 1.\n+It's finished.\nexit code 0")
    expect(world.usages).toHaveLength(6)
  },
)

test.each(agents)('%s meets a question and a refusal where the scenario has them', async (_, api, tools) => {
  const [world, checkout] = [await start(), new Checkout()]
  const asked = await play(world, api, tools, 'A question', checkout)
  expect(asked.texts.at(-1)).toMatch(/^BLOCKED: which colour/m)
  const refused = await play(world, api, tools, 'A refused call', checkout)
  expect(refused).toMatchObject({
    texts: ['I begin.'],
    refused: [400, expect.stringContaining('as the scenario says')],
  })
})

test('every scenario of the checkout can be used', async () => {
  const { gateway } = await start()
  const files = readdirSync(scenariosFolder).filter((file) => file.endsWith('.json'))
  const names = files.map((file) => basename(file, '.json'))
  expect(names).toContain('agents')
  for (const name of names) expect((await gateway.check('scripted', name)).text, name).toMatch(/^scenario "/)
})
