// @suite unit-long
import { beforeEach, describe, expect, test } from 'vitest'
import { call, ScriptedModel, type Turn } from '../testing/scripted-model.ts'
import { branch, startKit, workWith, type Kit } from '../testing/session-kit.ts'
import { HANDOVER_QUESTION } from './handover.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

/** Far more than the system prompt and the tools take, at four characters a token, since this model does not count. */
const WINDOW = 40_000

async function play(turns: Turn[], order: { windowTokens?: number; tokenBudget?: number } = {}) {
  const model = await ScriptedModel.start(...turns)
  const limits = { maxSteps: 40, toolTimeoutMs: 20_000, toolOutputLimit: 500_000 }
  const work = workWith({ name: 'openai', model: 'scripted', ...limits, windowTokens: WINDOW, ...order })
  const result = await kit.run(work, { linkUrl: model.url })
  return { model, result }
}

let steps = 0
/** A step whose result takes this part of the window, in percent. */
const step = (percent: number, command = `: ${steps++}`): Turn => ({
  text: 'I look.',
  calls: [call('bash', { command: `${command}; yes | head -c ${percent * 0.04 * WINDOW}` })],
})
const done: Turn = { text: 'All done.' }
const counted = (tokens: number, name = 'bash', args: object = { command: `: ${steps++}` }): Turn => ({
  calls: [call(name, args)],
  usage: { prompt_tokens: tokens - 10, completion_tokens: 10 },
})
const told = (model: ScriptedModel) =>
  model.asked.map(({ messages }) =>
    messages.slice(1).flatMap(({ role, content }) => (role === 'system' ? [String(content).split('\n')[0]] : [])),
  )
const warnings = () => kit.record.of('warning').map(({ text }) => text)

describe('the context of the built-in agent', () => {
  test('is reported at 70 and at 80 percent, once each, with the next call alone, and in the log', async () => {
    const { model, result } = await play([step(60), step(10), step(2), step(9), step(1), done])
    expect(result.outcome).toBe('success')
    expect(told(model)).toEqual([
      [],
      [],
      ['⚠️ Context budget is 70% used. Consider:'],
      [],
      ['⚠️ Context budget is 80% used. Consider:'],
      [],
    ])
    expect(model.asked[2]?.messages.at(-1)).toMatchObject({ role: 'system' })
    expect(warnings()).toEqual([
      expect.stringMatching(/^the context is 7\d% full \(2\d,\d\d\d of 40,000 tokens\)$/),
      expect.stringMatching(/^the context is 8\d% full/),
    ])
  })

  test("is handed over at 90 percent to a fresh one in the same session, with the task and the model's notes", async () => {
    const write: Turn = { calls: [call('write_file', { path: 'a.txt', content: 'one' })] }
    const { model, result } = await play([write, step(92), { text: 'a.txt is written.' }, step(20), done])
    expect(result).toMatchObject({ outcome: 'success', commit: await kit.hub.tip(branch) })
    expect(await kit.git('show', 'HEAD:a.txt')).toBe('one')
    const [, , question, fresh] = model.asked
    expect(question?.messages.at(-1)).toEqual({ role: 'user', content: HANDOVER_QUESTION })
    expect(question).toMatchObject({ tool_choice: 'none' })
    expect(fresh?.messages.map(({ role }) => role)).toEqual(['system', 'user'])
    expect(fresh?.messages[1]?.content).toBe(
      'the prompt, with an ü\n\n\n## Handover from your earlier context\na.txt is written.',
    )
    expect(kit.record.of('handover')).toEqual([
      expect.objectContaining({ text: 'a.txt is written.', windowTokens: WINDOW }),
    ])
    // The steps are the session's, and the handover is not one of them.
    expect(kit.record.of('step').map((event) => event.step)).toEqual([1, 2, 3, 4])
  })

  test('is reported anew after a handover', async () => {
    const { model } = await play([step(91), { text: 'Nothing yet.' }, step(71), step(1), done])
    expect(told(model).flat()).toEqual(['⚠️ Context budget is 70% used. Consider:'])
    expect(warnings().filter((text) => text.startsWith('the context is'))).toHaveLength(2)
  })

  test.each<[string, Turn]>([
    [
      'is too long for the model',
      { status: 400, body: '{"error":{"message":"prompt is too long: 9900 tokens > 9000 maximum"}}' },
    ],
    ['is answered with nothing', { text: ' ' }],
    ['is answered with a call', { calls: [call('bash', { command: 'echo no > no.txt' })] }],
    ['is refused', { status: 500, body: '{"error":{"message":"grammar"}}' }],
  ])('is handed over all the same if the question for notes %s: the newest steps are listed', async (_, odd) => {
    const { model, result } = await play([step(91, 'echo first'), odd, done])
    expect(result.outcome).toBe('success')
    const [handover] = kit.record.of('handover')
    expect(handover?.text).toMatch(/^The newest steps.*\n- I look\.\n- bash \{"command":"echo first.*\n {2}-> first/s)
    expect(String(model.asked.at(-1)?.messages[1]?.content)).toContain('echo first')
    expect(await kit.hub.files(branch)).not.toContain('no.txt')
  })

  test('ends no session however often it is outgrown', async () => {
    const rounds = Array.from({ length: 5 }, (_, at): Turn[] => [
      step(50, `echo a${at}`),
      step(43, `echo b${at} >> made.txt`),
      { text: `Round ${at}.` },
    ]).flat()
    const { result } = await play([...rounds, done])
    expect(result.outcome).toBe('success')
    expect(kit.record.of('handover').map(({ text }) => text)).toEqual([0, 1, 2, 3, 4].map((at) => `Round ${at}.`))
    expect(await kit.git('show', 'HEAD:made.txt')).toBe('b0\nb1\nb2\nb3\nb4')
  })

  test('that is smaller than assumed is learnt from the refusal, even if nothing can be shortened', async () => {
    const tooLong: Turn = {
      status: 400,
      body: JSON.stringify({ error: { message: "This model's maximum context length is 25,600 tokens." } }),
    }
    const { model, result } = await play([
      step(30, 'echo one'),
      step(35, 'echo two'),
      tooLong,
      { text: 'One and two are known.' },
      done,
    ])
    expect(result.outcome).toBe('success')
    expect(kit.record.of('handover')).toEqual([
      expect.objectContaining({ windowTokens: 25_600, text: 'One and two are known.' }),
    ])
    // The model is not asked again with what it refused as too long.
    expect(JSON.stringify(model.asked[3]?.messages).length).toBeLessThan(10_000)
  })

  test('is not handed over in vain when the task alone nearly fills it', async () => {
    const { model, result } = await play([step(0.1), step(0.1), done], { windowTokens: 1800 })
    expect(result.outcome).toBe('success')
    expect(kit.record.of('handover')).toEqual([])
    expect(model.asked).toHaveLength(3)
  })

  test('is asked without the warning when a model refuses it together with one', async () => {
    const refused: Turn = { status: 400, body: '{"error":{"message":"roles must alternate"}}' }
    const { model, result } = await play([step(75), refused, done])
    expect(result.outcome).toBe('success')
    expect(told(model)).toEqual([[], ['⚠️ Context budget is 70% used. Consider:'], []])
  })
})

describe('the use of the built-in agent', () => {
  test('is recorded with each call: the total so far, and the rest; estimated if the model does not count', async () => {
    const last: Turn = { text: 'Done.', usage: { prompt_tokens: 100, completion_tokens: 5 } }
    await play([counted(1000), { calls: [call('bash', { command: 'true' })] }, last], { tokenBudget: 50_000 })

    const [first, second, third] = kit.record.of('usage')
    expect(first).toMatchObject({ cumulativeTokens: 1000, remainingBudget: 49_000, contextTokens: 1000 })
    expect(second?.estimated).toBe(true)
    const spent = (second?.input ?? 0) + (second?.output ?? 0)
    expect(spent).toBeGreaterThan(900)
    expect(second?.cumulativeTokens).toBe(1000 + spent)
    expect(third).toMatchObject({ cumulativeTokens: 1000 + spent + 105, remainingBudget: 50_000 - 1000 - spent - 105 })
    expect(third).not.toHaveProperty('estimated')
  })

  test('is reported at 70, 80 and 90 percent of its limit, and has no rest without a limit', async () => {
    const { model } = await play([counted(2000), counted(1600), counted(500), counted(500), done], {
      tokenBudget: 5000,
    })
    expect(told(model)).toEqual([
      [],
      [],
      [expect.stringMatching(/^⚠️ Token budget is 70% used: 3,600 of 5,000 tokens\./)],
      [expect.stringMatching(/^⚠️ Token budget is 80% used/)],
      [expect.stringMatching(/^⚠️ Token budget is 90% used/)],
    ])
    await play([done])
    expect(kit.record.of('usage')[0]?.remainingBudget).toBeNull()
  })

  test('can be requested by the agent itself, with advice', async () => {
    const check = counted(24_000, 'check_token_budget', {})
    const { model } = await play([check, done], { tokenBudget: 80_000 })
    expect(JSON.parse(String(model.asked[1]?.messages.at(-1)?.content))).toEqual({
      budget: WINDOW,
      used: 24_000,
      remaining: 16_000,
      percentUsed: 60,
      recommendation: 'summarize',
      spent: { budget: 80_000, used: 24_000, remaining: 56_000, percentUsed: 30 },
    })
  })
})
