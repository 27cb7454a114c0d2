import { expect, test } from 'vitest'
import { errorOf, json, KEY, startWorld, type Upstream } from './testing/gateway-world.ts'

const answers: Upstream = (response, { url, body }) => {
  if ((body as { model: string }).model === 'broken') return json(response, { error: { message: 'no' } }, 400)
  const usage = { input_tokens: 5, output_tokens: 6 }
  return json(response, url.includes('count_tokens') ? { input_tokens: 7 } : { content: [], usage })
}

test('calls that only count tokens end, until the model has answered again', async () => {
  const behind = await startWorld(answers)
  const world = await startWorld(() => expect.unreachable(), {
    options: { anthropic: { baseUrl: behind.endpoint, apiKey: KEY }, bounds: { countsPerAnswer: 3 } },
  })
  const ask = (path: string, model = 'claude-x') => world.post(path, { model, messages: [] })
  const counted = async () => (await ask('/v1/messages/count_tokens')).status
  expect([await counted(), await counted(), await counted()]).toEqual([200, 200, 200])
  // A failed call is no answer.
  expect((await ask('/v1/messages', 'broken')).status).toBe(400)
  const refused = await ask('/v1/messages/count_tokens')
  expect([refused.status, refused.headers.get('x-should-retry')]).toEqual([429, 'false'])
  expect(await errorOf(refused)).toMatchObject({ code: 'too_many_counts', message: expect.stringContaining('3 times') })
  expect(world.problems.at(-1)).toContain('counted tokens 3 times')
  expect(behind.received).toHaveLength(4)
  expect((await ask('/v1/messages')).status).toBe(200)
  expect([await counted(), await counted(), await counted(), await counted()]).toEqual([200, 200, 200, 429])
})
