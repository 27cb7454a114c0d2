// @suite unit-long
import { beforeEach, describe, expect, test } from 'vitest'
import { call, type Turn } from '../testing/scripted-model.ts'
import { startKit, type Kit } from '../testing/session-kit.ts'
import { done, playSpawning, spawn, used } from '../testing/spawning.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit({ 'README.md': 'hello\n', 'src/a.ts': 'export const a = 1\n' })
})

describe('several sub-agents of one answer', () => {
  const both = (...agents: string[]): Turn => ({ calls: agents.map((agent) => spawn({ agent, task: `for ${agent}` })) })

  test('run side by side if all of them only read, and no count is lost', async () => {
    const { model, result } = await playSpawning(kit, {
      parent: [both('code-review-agent', 'code-review-agent', 'code-review-agent'), done],
      children: {
        'code-review-agent': [
          { calls: [call('search', { pattern: 'a' })], ...used(100) },
          { text: 'Fine.', ...used(200) },
        ],
      },
      order: { tokenBudget: 10_000 },
      meet: 3,
    })
    expect(result.outcome).toBe('success')
    expect(model.most).toBe(3)
    // The parent's first answer is estimated; its last one is counted.
    const [first, last] = kit.record.of('usage')
    expect(last?.cumulativeTokens).toBe((first?.cumulativeTokens ?? 0) + 3 * 300 + 510)
    expect(kit.record.of('tool_result').map(({ call: id }) => id)).toEqual(['c0', 'c1', 'c2'])
  })

  test('run one after the other as soon as one of them can change something', async () => {
    const { model } = await playSpawning(kit, {
      parent: [both('code-review-agent', 'coding-agent', 'code-review-agent'), done],
      children: {
        'code-review-agent': [{ calls: [call('search', { pattern: 'a' })] }, { text: 'Fine.' }],
        'coding-agent': [{ calls: [call('bash', { command: 'true' })] }, { text: 'Done.' }],
      },
    })
    expect(model.most).toBe(1)
    expect(model.children.map(({ agent }) => agent)).toEqual([
      'code-review-agent',
      'code-review-agent',
      'coding-agent',
      'coding-agent',
      'code-review-agent',
      'code-review-agent',
    ])
  })
})
