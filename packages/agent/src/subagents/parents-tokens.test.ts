// @suite unit-long
import { beforeEach, describe, expect, test } from 'vitest'
import type { OpenAiOrder } from '@beadloom/core/execution/session-order.ts'
import { call, type Turn } from '../testing/scripted-model.ts'
import { startKit, type Kit } from '../testing/session-kit.ts'
import { done, helper, playSpawning, spawn, used } from '../testing/spawning.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit({ 'README.md': 'hello\n' })
})

const play = (parent: Turn[], children: Record<string, Turn[]>, order: Partial<OpenAiOrder> = {}) =>
  playSpawning(kit, { parent, children, order })

describe('a sub-agent that uses its parent’s tokens', () => {
  test('leaves the last tenth to its parent, once it is warned about its own part', async () => {
    const helperTurns = [1200, 200].map((tokens): Turn => ({
      text: `Part of ${tokens}.`,
      calls: [call('bash', { command: 'true' })],
      ...used(tokens),
    }))
    const { first, model } = await play(
      [{ calls: [spawn({ agent: 'helper', task: 't' })], ...used(3400) }, done],
      { helper: [...helperTurns, done] },
      { tokenBudget: 5000, warnAtPercent: 72, agents: [helper()] },
    )
    // 1,200 of its 1,600 tokens, and 4,600 of its parent's 5,000.
    expect(first).toMatchObject({ status: 'budget', tokensUsed: 1200, summary: 'Part of 1200.' })
    expect(model.of('helper')).toHaveLength(1)
  })

  test('continues if people are asked at a limit: they decide whether its call is answered', async () => {
    const greedy: Turn = { text: 'I look.', calls: [call('bash', { command: 'true' })], ...used(9000) }
    const { first } = await play(
      [{ calls: [spawn({ agent: 'helper', task: 't' })], ...used(6000) }, done],
      { helper: [greedy, { text: 'All of it.', ...used(100) }] },
      { tokenBudget: 5000, onLimit: 'ask', agents: [helper()] },
    )
    expect(first).toMatchObject({ success: true, status: 'completed', tokensUsed: 9100, summary: 'All of it.' })
  })
})
