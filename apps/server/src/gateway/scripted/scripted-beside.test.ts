import type OpenAI from 'openai'
import { describe, expect, test } from 'vitest'
import { opencodeTools } from '../testing/offered-tools.ts'
import { scripted } from '../testing/scripted-world.ts'

describe('calls beside the work', () => {
  const prompt = '\nTASK: Bead #demo-1a - Sort the list\n'

  test('for a title, a summary, or whether a key works get an answer and no turn of the script', async () => {
    const { ask, messages } = await scripted()
    const asked = [
      { messages: [{ role: 'system', content: 'You are a title generator. You output ONLY a thread title.' }] },
      { messages: [{ role: 'user', content: 'Generate a title for this conversation:\n' }] },
      { messages: [{ role: 'user', content: prompt }] }, // no tools: what the script calls could not be called
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

  test('that shorten the conversation leave behind where the script is', async () => {
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

  test('do not make a call of the work one of them because its prompt speaks of titles', async () => {
    const { ask } = await scripted()
    const content = 'Generate a title for each page.\nTASK: Bead #demo-1a - Titles'
    const answer = (await (
      await ask({ messages: [{ role: 'user', content }], tools: opencodeTools })
    ).json()) as OpenAI.ChatCompletion
    expect(answer.choices[0]?.finish_reason).toBe('tool_calls')
  })
})
