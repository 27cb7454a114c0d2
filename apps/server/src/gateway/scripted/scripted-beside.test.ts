import type OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { opencodeTools } from '../testing/offered-tools.ts'
import { scripted } from '../testing/scripted-world.ts'

describe('calls beside the work', () => {
  const prompt = '\nTASK: Bead #demo-1a - Sort the list\n'

  test('for a title, a summary, or a test of the key get an answer and no turn of the script', async () => {
    const { ask, messages } = await scripted()
    const asked = [
      { messages: [{ role: 'system', content: 'You are a title generator. You output ONLY a thread title.' }] },
      { messages: [{ role: 'user', content: 'Generate a title for this conversation:\n' }] },
      { messages: [{ role: 'user', content: prompt }] }, // no tools: the script's calls would be impossible
    ]
    for (const more of asked) {
      const answer = (await (await ask(more)).json()) as OpenAI.ChatCompletion
      expect(answer.choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { content: expect.stringMatching(/^Scripted session/) },
      })
    }
    const quota = await messages({ messages: [{ role: 'user', content: 'quota' }], max_tokens: 1, tools: [] })
    expect(quota.body.content[0]?.text).toMatch(/^Scripted session/)
    const schema = { type: 'object', properties: { title: { type: 'string' } }, required: ['title'] }
    const titled = await messages({
      system: 'Generate a concise, sentence-case title (3-7 words)',
      messages: [{ role: 'user', content: prompt }],
      tools: [],
      output_config: { format: { type: 'json_schema', schema } },
    })
    expect(JSON.parse(titled.body.content[0]?.text ?? '')).toEqual({ title: 'scripted' })
  })

  test('that shorten the conversation record the position in the script', async () => {
    const { messages } = await scripted()
    const history = [
      { role: 'user', content: prompt },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_scripted_2_1', name: 'Bash', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_scripted_2_1', content: '' }] },
    ]
    const wish = { role: 'user', content: 'Your task is to create a detailed summary of the conversation so far' }
    const summary = (await messages({ messages: [...history, wish] })).body.content[0]?.text
    const shortened = { role: 'user', content: `This session is being continued. ${summary}\nGo on.` }
    expect((await messages({ messages: [shortened] })).body.content[0]?.text).toBe('Done.')
  })

  test('are not confused with a call of the work whose prompt speaks of titles', async () => {
    const { ask } = await scripted()
    const content = 'Generate a title for each page.\nTASK: Bead #demo-1a - Titles'
    const answer = (await (
      await ask({ messages: [{ role: 'user', content }], tools: opencodeTools })
    ).json()) as OpenAI.ChatCompletion
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls')
  })
})

describe('a sub-agent of the built-in agent', () => {
  const messages = [{ role: 'user', content: 'Review the diff.' }]
  const answered = async (headers: Record<string, string>) => {
    const { ask } = await scripted()
    const { choices } = (await (
      await ask({ messages, tools: opencodeTools }, { headers })
    ).json()) as OpenAI.ChatCompletion
    return choices[0]?.message.content
  }

  test('has the script of its name', async () => {
    expect(await answered({ 'x-beadloom-agent': 'code-review-agent' })).toBe('No issues in code-review-agent:demo-1a.')
  })

  test('with an unknown name has that of its session', async () => {
    expect(await answered({ 'x-beadloom-agent': '../review' })).toMatch(/^I look at demo-1a/)
  })

  test('and a handover of the built-in agent use up no turn, and record the position in the script', async () => {
    const { ask } = await scripted()
    const wish = { role: 'user', content: 'Your context is nearly full. You continue in a fresh one' }
    const history = [
      { role: 'user', content: 'the task' },
      { role: 'assistant', content: 'I look.', tool_calls: [] },
    ]
    const text = async (asked: object[]) =>
      ((await (await ask({ messages: asked, tools: opencodeTools })).json()) as OpenAI.ChatCompletion).choices[0]
        ?.message.content
    const handover = await text([...history, wish])
    expect(handover).toBe('Scripted session (scripted turns so far: 1)')
    expect(await text([{ role: 'user', content: `the task\n${handover}` }, history[1]!])).toBe('Done.')
  })
})
