// @suite policy-long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { EgressView } from '@beadloom/core/api/executions/egress-api.ts'
import type { ProjectSettingsView } from '@beadloom/core/api/settings/settings-api.ts'
import { AnsweringEndpoint } from '../support/answering-endpoint.ts'
import { CommandLine } from '../support/command-line.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Requests to a model's endpoint for more than an answer, and what people see of them. */

let world: World
let endpoint: AnsweringEndpoint
beforeAll(async () => {
  endpoint = await AnsweringEndpoint.start((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const usage = { input_tokens: 100, output_tokens: 10, server_tool_use: { web_search_requests: 3 } }
    response.end(JSON.stringify({ id: 'r', output: [], usage }))
  })
  world = await World.start({
    engine: 'process',
    env: { OPENAI_API_KEY: 'sk-canary-0123456789abcdef', OPENAI_BASE_URL: endpoint.url },
    flags: { model: 'gpt-x' },
    config: {
      prices: { 'gpt-x': { input: 1, output: 1 } },
      hostedTools: { web_search: { projects: ['open', 'searching'], price: 0.5 } },
    },
  })
})
afterAll(async () => {
  await world.stop()
  endpoint.stop()
})

const post = (body: object): string =>
  `curl -s -m 20 -o /dev/null -w "%{http_code}\\n" --data '${JSON.stringify(body)}' "$OPENAI_BASE_URL/responses" >> codes.txt\n`
const request = { input: 'x', tools: [{ type: 'web_search' }, { type: 'mcp', server_url: 'https://evil.example' }], service_tier: 'priority' } // prettier-ignore
const agent = (id: string): string =>
  [
    post(request),
    post(request),
    post({ input: [{ role: 'user', content: [{ type: 'input_image', image_url: 'https://evil.example/x' }] }] }),
    post({ previous_response_id: 'resp_1' }),
    post({ previous_response_id: 'resp_2' }),
    `node -e 'for (let i = 0; i < 60; i++) console.log(JSON.stringify({ input: "x", ["junk" + i]: 1 }))' | while read -r body; do curl -s -m 20 -o /dev/null --data "$body" "$OPENAI_BASE_URL/responses"; done\n`,
    commitAndPush(id, 'Ask'),
  ].join('')

async function runIn(project: string) {
  await world.addProject(project, shellProject({ agent: agent('e-1') }), [{ id: 'e-1', title: 'Ask' }])
  const before = endpoint.asked.length
  const ended = await world.run(project, 'e-1')
  expect(ended.state, ended.detail).toBe('COMPLETED')
  return { ended, asked: endpoint.asked.slice(before) as object[], events: await world.events(ended.id) }
}

type KeptBack = { dropped: string[]; refused: string | null; text: string }
const keptBackIn = (events: readonly { type: string; data: unknown }[]): KeptBack[] =>
  events.filter(({ type }) => type === 'kept_back').map(({ data }) => data as KeptBack)

describe('a project that opens nothing', () => {
  test('lists left-out and refused tools among its events, each once, and at most forty names', async () => {
    const { ended, asked, events } = await runIn('closed')
    expect(asked).toHaveLength(62)
    for (const one of asked) expect(one).toEqual({ input: 'x', model: 'gpt-x', store: false })
    const told = keptBackIn(events)
    expect(told.slice(0, 3)).toEqual([
      {
        dropped: ['tool web_search', 'tool mcp', 'service_tier'],
        refused: null,
        text: 'Left out of requests to the model: tool web_search, tool mcp, service_tier',
      },
      {
        dropped: [],
        refused: 'input.content.image_url',
        text: expect.stringContaining('the endpoint would fetch it') as string,
      },
      { dropped: [], refused: 'previous_response_id', text: expect.stringContaining('kept at the endpoint') as string },
    ])
    expect(told.flatMap(({ dropped, refused }) => [...dropped, ...(refused === null ? [] : [refused])])).toHaveLength(
      40,
    )
    expect(events.filter(({ type }) => type === 'model_problem')).toEqual([])
    // Tools that an endpoint reports as run are known, even if nobody opened them.
    expect(ended.reached).toBe('git, model, web_search by its endpoint (186×)')
    expect((await world.get<ProjectView>('/api/projects/closed')).hostedNote).toBe(undefined)
  })
})

describe('a project that opens a tool', () => {
  test('has it in its requests, its money, its ledger, its settings and at the terminal', async () => {
    const { ended, asked, events } = await runIn('open')
    expect(asked[0]).toEqual({ input: 'x', tools: [{ type: 'web_search' }], model: 'gpt-x', store: false })
    expect(keptBackIn(events)[0]?.dropped).toEqual(['tool mcp', 'service_tier'])
    // 62 calls of 110 tokens at 1 per million, and 186 searches at 0.5.
    expect(ended.tokens.costMicros).toBe(62 * 110 + 186 * 500_000)
    const { items } = await world.get<EgressView>(`/api/executions/${ended.id}/egress`)
    expect(items).toMatchObject([{ host: 'web_search', port: 0, outcome: 'reached', count: 186 }])
    const { hostedNote } = await world.get<ProjectView>('/api/projects/open')
    expect(hostedNote).toContain('web_search')
    const { fields } = await world.get<ProjectSettingsView>('/api/projects/open/settings')
    expect(fields.find(({ key }) => key === 'network')?.note).toBe(hostedNote)
    const line = new CommandLine(['project', 'list', '--data', world.data])
    expect((await line.ended).stdout).toContain('open: The model')
  })
})

describe('a project whose model searches by itself', () => {
  const files = shellProject({
    agent: post({ input: 'x' }) + commitAndPush('e-1', 'Ask'),
    config: { model: 'gpt-4o-search-preview' },
  })

  test('gets no answer and says why, unless the search is open for it', async () => {
    await world.addProject('unopened', files, [{ id: 'e-1', title: 'Ask' }])
    const before = endpoint.asked.length
    const { id } = await world.run('unopened', 'e-1')
    expect(endpoint.asked).toHaveLength(before)
    const text = expect.stringContaining('it runs web_search by itself') as string
    expect(keptBackIn(await world.events(id))).toEqual([{ dropped: [], refused: 'model gpt-4o-search-preview', text }])
    await world.addProject('searching', files, [{ id: 'e-1', title: 'Ask' }])
    const ended = await world.run('searching', 'e-1')
    expect([ended.state, ended.reached]).toEqual(['COMPLETED', 'git, model, web_search by its endpoint (3×)'])
    expect(endpoint.asked.at(-1)).toMatchObject({ model: 'gpt-4o-search-preview' })
  })
})
