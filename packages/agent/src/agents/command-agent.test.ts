import { expect, test } from 'vitest'
import { AgentVoice } from '../ends/agent-end.ts'
import { runCommandAgent } from './command-agent.ts'
import { startKit, workBy } from '../testing/session-kit.ts'

async function run(command: string, graceMs?: number) {
  const kit = await startKit()
  const deps = kit.deps(workBy(command))
  const end = await runCommandAgent(
    deps,
    new AgentVoice(deps, 30_000),
    { name: 'command', command, model: 'some-model' },
    'prompt',
    graceMs,
  )
  await deps.writer.finish()
  return { end, message: kit.record.text('message') }
}

test('the gateway and the model are set where command lines look for them', async () => {
  const { message } = await run('echo "$OPENAI_BASE_URL $ANTHROPIC_BASE_URL $BEADLOOM_MODEL ${OPENAI_API_KEY:+key}"')
  expect(message).toBe('http://127.0.0.1:1/v1 http://127.0.0.1:1 some-model key\n')
})

test.each([
  ['exit 0', 'success', undefined, 0],
  ['exit 5', 'failed', 'agent_failed', 5],
  ['kill -9 $$', 'failed', 'agent_failed', 137],
  ['no-such-agent', 'failed', 'agent_failed', 127],
])('%s is %s', async (command, outcome, reason, exitCode) => {
  const { end } = await run(command)
  expect(end).toMatchObject({ outcome, exitCode })
  expect(end.reason).toBe(reason)
})

const last = (failed: boolean) => JSON.stringify({ type: 'result', subtype: 'x', is_error: failed })

test('a command line that hangs after it reported success is stopped, and its report counts', async () => {
  expect((await run(`echo '${last(false)}'; sleep 1000`, 50)).end).toMatchObject({ outcome: 'success' })
  expect((await run(`echo '${last(true)}'; sleep 1000`, 50)).end).toMatchObject({
    outcome: 'failed',
    reason: 'agent_failed',
  })
})

test('a command line that tries again after it reported an end is not stopped, and its last report counts', async () => {
  const said = (stopReason: string, errorMessage = '') =>
    `echo '${JSON.stringify({ type: 'message_end', message: { role: 'assistant', stopReason, errorMessage, content: [] } })}'; echo '${JSON.stringify({ type: 'agent_end', messages: [] })}'`
  const again = `echo '${JSON.stringify({ type: 'auto_retry_start' })}'`
  expect((await run(`${said('error', 'terminated')}; ${again}; sleep 1; ${said('stop')}`, 300)).end).toMatchObject({
    outcome: 'success',
  })
  expect((await run(`${said('error', 'terminated')}; ${again}; ${said('error', 'twice')}`)).end).toMatchObject({
    outcome: 'failed',
    text: 'the agent failed: twice',
  })
})

test('a command line that ends by itself is judged by its exit code', async () => {
  expect((await run(`echo '${last(false)}'; exit 1`)).end).toMatchObject({ outcome: 'failed', exitCode: 1 })
})
