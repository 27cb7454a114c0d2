// @suite unit-long
import { TokenTracker } from '@beadloom/core/context/token-tracker.ts'
import { beforeEach, expect, test } from 'vitest'
import type { Parent } from '../testing/answering-model.ts'
import { call, type Turn } from '../testing/scripted-model.ts'
import { startKit, type Kit } from '../testing/session-kit.ts'
import { done, playSpawning, spawn } from '../testing/spawning.ts'
import { checkTokenBudget } from '../tools/check-token-budget.ts'
import type { ToolContext } from '../tools/tool.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

test('an agent whose context fills up asks another one for the rest when warned, and without the warning does all by itself', async () => {
  let looks = 0
  /** Spawns only because it was told to consider that. */
  const obedient: Parent = ({ messages }): Turn => {
    const last = messages.at(-1)
    if (last?.role === 'system' && String(last.content).includes('Spawning a sub-agent for remaining work'))
      return { text: 'It fills up.', calls: [spawn({ agent: 'helper-agent', task: 'Do the rest.' })] }
    if (looks >= 3) return done
    looks += 1
    return { text: `Part ${looks}.`, calls: [call('bash', { command: `: ${looks}; yes | head -c 40000` })] }
  }
  const agents = [{ name: 'helper-agent', description: 'Helps.', tools: null, model: null, prompt: 'You help.' }]
  const order = { agents, toolOutputLimit: 500_000 }
  const children = { 'helper-agent': [{ text: 'The rest is done.' }] }
  const full = await playSpawning(kit, { parent: obedient, children, order: { ...order, windowTokens: 40_000 } })
  expect(full.told).toMatchObject([{ success: true, summary: 'The rest is done.' }])
  looks = 0
  const roomy = await playSpawning(kit, { parent: obedient, children, order: { ...order, windowTokens: 400_000 } })
  expect(roomy.told).toEqual([])
})

test.each([
  [75, 10, true, 'spawn_subagent'],
  [75, 10, false, 'summarize'],
  [10, 75, true, 'summarize'],
  [72, 78, true, 'summarize'],
  [10, 95, true, 'complete_now'],
])(
  'with %i percent of its context and %i percent of its limit used, and sub-agents: %s, an agent is advised to %s',
  async (context, part, canSpawn, advice) => {
    const spent = new TokenTracker(1000)
    spent.add(part * 10)
    const tokens = { context: () => ({ budget: 100, used: context }), spent, canSpawn: () => canSpawn }
    const { text } = await checkTokenBudget.run('{}', { tokens } as ToolContext)
    expect(JSON.parse(text)).toMatchObject({ recommendation: advice })
  },
)
