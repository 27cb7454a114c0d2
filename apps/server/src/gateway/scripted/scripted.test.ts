import { networkText } from '@beadloom/core/egress/network-words.ts'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { withPreviousAttempt } from '@beadloom/core/execution/prompt.ts'
import OpenAI from 'openai'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { GatewayCaller } from '../../ports/gateway.ts'
import { errorOf, startWorld } from '../testing/gateway-world.ts'

const turns = [
  {
    say: 'I look around in {{bead}}.',
    calls: [{ tool: 'bash', arguments: { command: 'ls "{{attempt}}"' } }],
    delayMs: 300,
  },
  {
    calls: [
      { tool: 'read_file', arguments: { path: 'a' } },
      { tool: 'read_file', arguments: { path: 'é' } },
    ],
  },
  { say: 'Done 🎉, and that is a sentence of more than forty-eight characters.' },
]
const scenario = {
  name: 'play',
  about: 'For tests.',
  beads: {
    'demo-1a': { attempts: [{ turns }, { turns: [{ say: 'Second attempt.' }] }] },
    'review:demo-1a': { turns: [{ document: { of: '{{bead}}' } }] },
    'review:demo-2b': { structuredOutput: false, turns: [{ say: 'In words.' }] },
    'demo-2b': { turns: [{ fail: { status: 500, message: 'the model fell over' } }] },
  },
}

async function scriptedWorld(who: Partial<GatewayCaller> = {}, content: unknown = scenario) {
  const folder = await mkdtemp(join(tmpdir(), 'scenarios-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'play.json'), typeof content === 'string' ? content : JSON.stringify(content))
  const world = await startWorld(() => expect.unreachable('the endpoint was called'), {
    who: { model: 'scripted', scenario: 'play', ...who },
    options: { upstream: null, scenariosFolder: folder },
  })
  // The official client checks that these are answers like the real API's.
  const client = new OpenAI({ baseURL: `${world.url}/v1`, apiKey: 'any' })
  return { ...world, client }
}

type Message = OpenAI.ChatCompletionMessageParam
const user: Message = { role: 'user', content: 'hello' }
const said: Message = { role: 'assistant', content: 'x' }
const tools = ['bash', 'read_file', 'write_file', 'edit_file'].map((name) => ({
  type: 'function' as const,
  function: { name },
}))
const ask = (messages: Message[]) => ({ model: 'any', messages, tools })

describe('the scripted model', () => {
  test('plays its script for earlier work if a bead is run once more, and for nobody else', async () => {
    const again = { turns: [{ say: 'It is there already: {{bead}}.' }] }
    const content = { ...scenario, again }
    const saysTo = async (who: Partial<GatewayCaller>) => {
      const { client } = await scriptedWorld({ ...who }, content)
      return (await client.chat.completions.create(ask([user]))).choices[0]?.message.content
    }
    expect(await saysTo({ again: () => true })).toBe('It is there already: demo-1a.')
    expect(await saysTo({ again: () => false })).toBe('I look around in demo-1a.')
    expect(await saysTo({ bead: 'review:demo-2b', again: () => true })).toBe('In words.')
  })

  test('plays another script if a person gave a note for the run, and not because of an attempt before', async () => {
    const asks = { ...scenario.beads['demo-1a'], noted: { attempts: [{ turns: [{ say: 'You have answered.' }] }] } }
    const { client } = await scriptedWorld({}, { ...scenario, beads: { 'demo-1a': asks } })
    const says = async (userContext: string, attempt = 1) => {
      const input = { bead, projectName: 'p', techStack: ['x'], testCommand: 'y', timeoutMs: 1000, userContext }
      const content = withPreviousAttempt(input, { attempt, maxAttempts: 3, digest: 'it failed' })
      return (await client.chat.completions.create(ask([{ role: 'user', content }]))).choices[0]?.message.content
    }
    const bead = { id: 'demo-1a', title: 'Ask', description: '=== ADDITIONAL CONTEXT ===' }
    expect(await says('')).toBe('I look around in demo-1a.')
    expect(await says('', 2)).toBe('I look around in demo-1a.')
    expect(await says('The name is ours.')).toBe('You have answered.')
    expect(await says('The name is ours.', 2)).toBe('You have answered.')
    const network = networkText({ network: 'none', allow: [] })
    expect(await says(network)).toBe('I look around in demo-1a.')
    expect(await says(`The name is ours.\n\n${network}`)).toBe('You have answered.')
  })

  test('plays the turn that follows from the number of assistant messages', async () => {
    const { client, clock, usages } = await scriptedWorld()
    const first = await client.chat.completions.create(ask([user]))
    expect(first).toMatchObject({
      model: 'scripted',
      system_fingerprint: 'recorded run, no AI',
      choices: [
        {
          finish_reason: 'tool_calls',
          message: {
            content: 'I look around in demo-1a.',
            tool_calls: [{ type: 'function', function: { name: 'bash', arguments: '{"command":"ls \\"1\\""}' } }],
          },
        },
      ],
    })
    expect(clock.slept).toContain(300)
    const last = await client.chat.completions.create(ask([user, said, user, said, user]))
    expect(last.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: turns[2]?.say } })
    expect(usages).toHaveLength(2)
    expect(usages[0]).toMatchObject({ model: 'scripted', known: true, input: first.usage?.prompt_tokens })
    expect(first.usage?.completion_tokens).toBe(
      Math.ceil('I look around in demo-1a.bash{"command":"ls \\"1\\""}'.length / 4),
    )
  })

  test('answers a question for a document with one, and no other question', async () => {
    const { client } = await scriptedWorld({ bead: 'review:demo-1a' })
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'x', schema: {} } }
    const answer = await client.chat.completions.create({ ...ask([user]), response_format })
    expect(answer.choices[0]?.message.content).toBe('{"of":"review:demo-1a"}')
    await expect(client.chat.completions.create(ask([user]))).rejects.toThrow(/400.*the request asks for none/)
  })

  test('refuses a question for a document if its script has no structured output', async () => {
    const { client } = await scriptedWorld({ bead: 'review:demo-2b' })
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'x', schema: {} } }
    await expect(client.chat.completions.create({ ...ask([user]), response_format })).rejects.toThrow(
      /400.*response_format/,
    )
    expect((await client.chat.completions.create(ask([user]))).choices[0]?.message.content).toBe('In words.')
  })

  test('streams the same turn in pieces, with its usage at the end', async () => {
    const { client } = await scriptedWorld()
    for (const messages of [[user], [user, said], [user, said, said]]) {
      const whole = await client.chat.completions.create(ask(messages))
      const runner = client.chat.completions.stream(ask(messages))
      const chunks: OpenAI.ChatCompletionChunk[] = []
      for await (const chunk of runner) chunks.push(chunk)
      const streamed = await runner.finalChatCompletion()
      expect(streamed.choices[0]?.message.content || null).toBe(whole.choices[0]?.message.content)
      expect(streamed.choices[0]?.message.tool_calls ?? []).toMatchObject(whole.choices[0]?.message.tool_calls ?? [])
      expect(streamed.choices[0]?.finish_reason).toBe(whole.choices[0]?.finish_reason)
      expect(chunks.at(-1)).toMatchObject({ choices: [], usage: whole.usage })
      expect(chunks.length).toBeGreaterThan(3)
    }
  })

  test('plays the script of the attempt, and the last one for attempts beyond it', async () => {
    for (const attempt of [2, 3]) {
      const { client } = await scriptedWorld({ attempt })
      const { choices } = await client.chat.completions.create(ask([user]))
      expect(choices[0]?.message.content).toBe('Second attempt.')
    }
  })

  test('fails where the script says so', async () => {
    const world = await scriptedWorld({ bead: 'demo-2b' as GatewayCaller['bead'] })
    const response = await world.ask()
    expect([response.status, await errorOf(response)]).toMatchObject([500, { message: 'the model fell over' }])
    expect(world.problems).toEqual(['the model fell over'])
  })

  test('plays a script by the title of a bead that was unknown beforehand', async () => {
    const titles = { 'Some decimals are lost': { turns: [{ say: 'I mend {{bead}}.' }] } }
    const otherwise = { turns: [{ say: 'Nothing about it.' }] }
    const { client } = await scriptedWorld({ bead: 'demo-new1' }, { ...scenario, titles, otherwise })
    const about = (title: string): Message => ({
      role: 'user',
      content: `...\nTASK: Bead #demo-new1 - ${title}\nMore.`,
    })
    const answer = async (title: string) =>
      (await client.chat.completions.create(ask([about(title)]))).choices[0]?.message.content
    expect(await answer('Some decimals are lost')).toBe('I mend demo-new1.')
    expect(await answer('Some decimals are lost, again')).toBe('Nothing about it.')
    expect((await client.chat.completions.create(ask([user]))).choices[0]?.message.content).toBe('Nothing about it.')
  })

  test('plays "otherwise" for a bead without a script, and says so if there is none', async () => {
    const bead = 'toString' as GatewayCaller['bead']
    const otherwise = { turns: [{ say: 'Whatever {{bead}} is.' }] }
    const { client } = await scriptedWorld({ bead }, { ...scenario, otherwise })
    expect((await client.chat.completions.create(ask([user]))).choices[0]?.message.content).toBe(
      'Whatever toString is.',
    )
    const without = await scriptedWorld({ bead })
    expect((await errorOf(await without.ask())).message).toContain('"play" has no script for bead toString')
  })

  test('says so when its script has ended', async () => {
    const { ask: post } = await scriptedWorld()
    const response = await post({ messages: [user, said, said, said] })
    expect(response.status).toBe(400)
    expect((await errorOf(response)).message).toContain('has only 3 turns for attempt 1 at bead demo-1a')
  })

  test('is subject to the budget like any other', async () => {
    const { ask: post } = await scriptedWorld({ usedUp: () => ({ scope: 'day', limit: 5 }) })
    expect((await errorOf(await post())).code).toBe('budget_exhausted')
  })
})

describe('a scenario file', () => {
  const check = async (content: unknown) => (await scriptedWorld({}, content)).gateway.check('scripted', 'play')

  test('that is good can be used, and describes itself', async () => {
    expect(await check(scenario)).toEqual({
      ok: true,
      name: 'scripted',
      text: 'scenario "play": recorded run, no AI',
      note: 'recorded run, no AI',
    })
  })

  test('has all its problems named at once', async () => {
    const { ok, text } = await check({
      name: 'other',
      about: '',
      colour: 'red',
      beads: {
        a: { attempts: [{ turns: [{ say: 1, calls: [{ tool: 'bash' }], delay: 5 }] }] },
        b: { turns: [{}], attempts: [] },
        c: {},
      },
    })
    expect(ok).toBe(false)
    for (const part of ['"about"', '"colour"', 'turns.0.say', 'calls.0.arguments', 'turns.0.delay', '"beads.c"']) {
      expect(text).toContain(part)
    }
  })

  test.each([
    ['{', 'is not JSON'],
    ['[]', 'expected object'],
    [{ ...scenario, name: 'other' }, '"name" is "other", not "play"'],
  ])('%j cannot be used: %s', async (content, why) => {
    expect(await check(content)).toMatchObject({ ok: false, text: expect.stringContaining(why) })
  })

  test.each(['../play', 'a/b', '', 'PLAY', 'x'.repeat(99)])('is not looked for under the name %j', async (name) => {
    const { gateway } = await scriptedWorld()
    const { ok, text } = await gateway.check('scripted', name)
    expect([ok, text]).toEqual([false, expect.stringMatching(/not a scenario name|needs a scenario/)])
  })
})
