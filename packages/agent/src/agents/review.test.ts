import { describe, expect, test } from 'vitest'
import type { Work } from '@beadloom/core/execution/session-order.ts'
import { parseOrder } from '../session/order-schema.ts'
import { startKit, type Kit } from '../testing/session-kit.ts'
import { systemClock } from '../process/clock.ts'
import { noTokens } from '../testing/no-tokens.ts'
import { OutputFolder } from '../tools/output-folder.ts'
import { submitAnswer } from '../tools/submit-answer.ts'
import { reviewForm } from './review-form.ts'

const answer = '{"issues":[],"summary":"fine","pr_ready":true}'
const reviewBy = (command: string): Work => ({
  kind: 'review',
  prompt: 'the prompt',
  nonce: 'abc',
  agent: { name: 'command', command, model: 'm' },
  blockedGraceMs: 30_000,
})

const answersOf = (one: Kit) => one.record.of('review')

describe('a reviewing session', () => {
  test("uses a command line's whole standard output as its answer, and keeps nothing else of it", async () => {
    const kit = await startKit()
    const result = await kit.run(
      reviewBy(`cat >&2; echo x > new.txt; git add . && git commit -qm no; printf '%s' '${answer}'`),
    )
    expect(result).toMatchObject({ outcome: 'success', commit: kit.base, savedRef: null })
    expect(answersOf(kit)).toMatchObject([{ nonce: 'abc', text: answer, last: true }])
    expect(kit.record.text('output')).toContain('the prompt')
  })

  test('takes the last message of a command line with a known format', async () => {
    const kit = await startKit()
    const said = (text: string) =>
      JSON.stringify({ type: 'item.completed', item: { id: 'i', type: 'agent_message', text } })
    await kit.run(reviewBy(`cat > /dev/null; echo '${said('I look around.')}'; echo '${said(answer)}'`))
    expect(answersOf(kit)).toMatchObject([{ text: answer }])
  })

  test('cuts a long answer into pieces that can be put together again', async () => {
    const kit = await startKit()
    await kit.run(reviewBy(`cat > /dev/null; seq 1 30000`))
    const pieces = answersOf(kit)
    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.map(({ last }) => last)).toEqual([...pieces.slice(1).map(() => false), true])
    expect(pieces.map(({ text }) => text).join('')).toMatch(/^1\n2\n[\s\S]*30000\n$/)
  })

  test('has no answer from a command line that fails or says nothing', async () => {
    const kit = await startKit()
    expect(await kit.run(reviewBy(`echo '${answer}'; exit 3`))).toMatchObject({ outcome: 'failed', exitCode: 3 })
    expect(answersOf(kit)).toEqual([])
    await kit.run(reviewBy('true'))
    expect(answersOf(kit)).toEqual([])
  })

  test('has an order that this agent understands', async () => {
    const kit = await startKit()
    expect(parseOrder(JSON.stringify(kit.order(reviewBy('true')))).work).toMatchObject({ kind: 'review', nonce: 'abc' })
  })
})

describe('submit_review', () => {
  const context = {
    workspace: '/',
    env: {},
    clock: systemClock,
    stop: new AbortController().signal,
    timeoutMs: 1000,
    outputLimit: 1000,
    outputs: new OutputFolder('/nowhere'),
    tokens: noTokens,
  }

  test('takes an answer of the right form, once; others get their errors', async () => {
    const taken: string[] = []
    const tool = submitAnswer(reviewForm, async (text) => void taken.push(text))
    expect(await tool.run('{"issues":[],"summary":"fine"}', context)).toMatchObject({
      ok: false,
      text: expect.stringContaining('pr_ready'),
    })
    expect(await tool.run(answer, context)).toEqual({ ok: true, text: 'submitted' })
    expect(await tool.run(answer, context)).toMatchObject({ ok: false })
    expect(taken).toEqual([answer])
  })

  test('reads its arguments as strictly as a document: no key twice, no __proto__', async () => {
    const tool = submitAnswer(reviewForm, async () => expect.unreachable('it was taken'))
    for (const args of [
      answer.replace('"pr_ready":true', '"pr_ready":false,"pr_ready":true'),
      answer.replace('{', '{"__proto__":{},'),
      `${answer} ${answer}`,
      '',
    ])
      expect(await tool.run(args, context)).toMatchObject({ ok: false, text: expect.stringMatching(/^Error: /) })
  })
})
