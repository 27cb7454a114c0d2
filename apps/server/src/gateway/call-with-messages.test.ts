import { expect, test } from 'vitest'
import { withMessages, type AddedMessage, type MessagePlace } from '@beadloom/core/gateway/added-messages.ts'
import { AGENT_HEADER } from '@beadloom/core/agents/step-header.ts'
import { completion, json, startWorld } from './testing/gateway-world.ts'

const good = completion('hi', { prompt_tokens: 1, completion_tokens: 1 })
const tools = [{ type: 'function', function: { name: 'bash', parameters: {} } }]
const messages = [{ role: 'user', content: 'the task' }]

const placeOfTask = withMessages('chat', JSON.stringify({ messages }), [{ id: 7, text: 'x', place: null }]).placed[0]!
  .place.after

/** Somebody has said one thing, which gets its place once a model has it. */
function spoken() {
  const places: MessagePlace[] = []
  return {
    places,
    who: {
      messages: {
        toAdd: (): AddedMessage[] => [{ id: 7, text: 'stop', place: places[0] ?? null }],
        delivered: (placed: readonly { id: number; place: MessagePlace }[]) =>
          void places.push(...placed.map(({ place }) => place)),
      },
    },
  }
}
const conversationOf = ({ body }: { body: unknown }) => (body as { messages: object[] }).messages
const said = { role: 'user', content: 'stop' }

test('a message is delivered by the request that is answered, and stays at its place', async () => {
  const { who, places } = spoken()
  const world = await startWorld(
    (response, _, n) => json(response, n === 1 ? { error: {} } : good, n === 1 ? 400 : 200),
    {
      who,
    },
  )
  expect((await world.ask({ tools, messages })).status).toBe(400)
  expect(places).toEqual([])
  await world.ask({ tools, messages })
  const more = [...messages, { role: 'assistant', content: 'ok' }]
  await world.ask({ tools, messages: more })
  expect(world.received.map(conversationOf)).toEqual([
    [...messages, said],
    [...messages, said],
    [...messages, said, more[1]],
  ])
  expect(new Set(places.map(({ at }) => at))).toEqual(new Set([1]))
})

test.each([
  ['a sub-agent', { tools, messages }, { headers: { [AGENT_HEADER]: 'helper' } }],
  ["opencode's sub-agent", { tools, messages }, { headers: { 'x-parent-session-id': 'ses_1' } }],
  ["Codex's sub-agent", { tools, messages }, { headers: { 'x-openai-subagent': 'collab_spawn' } }],
  ['a question beside the work', { messages }, {}],
])('%s does not hear it', async (_, body, init) => {
  const { who, places } = spoken()
  const world = await startWorld((response) => json(response, good), { who })
  await world.ask(body, init)
  expect([world.received.map(conversationOf), places]).toEqual([[messages], []])
})

test("an agent's summary has what was said to the agent, and delivers nothing", async () => {
  const asked: boolean[] = []
  const delivered: unknown[] = []
  const world = await startWorld((response) => json(response, good), {
    who: {
      messages: {
        toAdd: (_, isSummary) => {
          asked.push(isSummary)
          return [{ id: 7, text: 'stop', place: { at: 1, after: placeOfTask } }]
        },
        delivered: (placed) => void delivered.push(...placed),
      },
    },
  })
  const question = { role: 'user', content: 'Your task is to create a detailed summary of the conversation' }
  await world.ask({ messages: [...messages, question] })
  expect([world.received.map(conversationOf), asked, delivered]).toEqual([[[...messages, said, question]], [true], []])
})
