import { expect, test } from 'vitest'
import { AgentVoice } from './agent-end.ts'
import { runCommandAgent } from '../agents/command-agent.ts'
import { MemoryRecord } from '../testing/memory-record.ts'
import { startKit, workBy } from '../testing/session-kit.ts'

/** Sleeps that end when the test says so, oldest first. */
function sleepyVoice() {
  const { writer } = new MemoryRecord()
  const sleeps: { ms: number; signal: AbortSignal | undefined; wake: () => void }[] = []
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    sleep: (ms: number, signal?: AbortSignal) => new Promise<void>((wake) => sleeps.push({ ms, signal, wake })),
  }
  const voice = new AgentVoice({ writer, clock }, 30_000)
  const waiting = () => sleeps.filter(({ signal }) => !signal?.aborted)
  const passGrace = async () => {
    for (const { wake } of sleeps) wake()
    await Promise.resolve()
  }
  return { voice, writer, waiting, passGrace }
}

test('an agent that has said BLOCKED is stopped after its grace; others never are', async () => {
  const { voice, waiting, passGrace } = sleepyVoice()
  await voice.say('looking around\n')
  expect(waiting()).toEqual([])
  await voice.say('BLOCKED: which colour?\n')
  expect(waiting()).toMatchObject([{ ms: 30_000 }])
  expect(voice.enough.aborted).toBe(false)
  await passGrace()
  expect(voice.enough.aborted).toBe(true)
})

test('further work restarts the grace; words, output and a repeated BLOCKED do not', async () => {
  const { voice, writer, waiting, passGrace } = sleepyVoice()
  await voice.say('BLOCKED: which colour?')
  const [first] = waiting()
  await voice.say('still here')
  await voice.say('BLOCKED: which colour?')
  await writer.write({ type: 'output', stream: 'stderr', text: 'spinning' })
  await writer.write({ type: 'raw', text: '{}' })
  expect(waiting()).toEqual([first])
  const work = [
    { type: 'tool_call', call: '1', tool: 'bash', arguments: '{}' },
    { type: 'tool_result', call: '1', tool: 'bash', ok: true, text: '', durationMs: 1 },
    { type: 'step', step: 2, maxSteps: 9 },
    { type: 'usage', model: 'm', input: 1, output: 1 },
  ] as const
  let before = first
  for (const body of work) {
    await writer.write(body)
    expect(waiting()).toHaveLength(1)
    expect(waiting()[0]).not.toBe(before)
    before = waiting()[0]
  }
  voice.end()
  await passGrace()
  expect(voice.enough.aborted).toBe(false)
})

test('a command line that stays after BLOCKED is stopped, and the sentence says why', async () => {
  const kit = await startKit()
  const deps = kit.deps(workBy(''))
  const command = 'echo "BLOCKED: no key"; sleep 1000'
  const agent = { name: 'command', command, model: 'some-model' } as const
  expect(await runCommandAgent(deps, new AgentVoice(deps, 1), agent, 'prompt')).toMatchObject({
    outcome: 'failed',
    text: expect.stringContaining('said that it is blocked and stayed'),
  })
})

test('its leftovers are saved as after every other end', async () => {
  const kit = await startKit()
  const work = workBy('echo half > half.txt; echo "BLOCKED: which database?"; sleep 1000')
  const result = await kit.run({ ...work, blockedGraceMs: 1 } as typeof work)
  expect(result).toMatchObject({ outcome: 'failed', text: 'the agent is blocked: which database?', dirty: true })
  expect(result.savedRef).not.toBeNull()
})
