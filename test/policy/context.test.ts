// @suite policy-long
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { beadloom } from '../support/command-line.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* The context usage of an agent unknown to Beadloom, derived from its calls. */
const folder = mkdtempSync(join(tmpdir(), 'bl-gauge-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const start = worldsOfATest()

/** Calls its model as Codex does when its conversation grows, is summarized, and begins again. */
const AGENT = `cat > ask.mjs <<'END'
const tools = [{ type: 'function', function: { name: 'bash', parameters: {} } }]
const ask = async (characters, last, offered) => {
  const messages = [{ role: 'user', content: 'x'.repeat(characters) }, { role: 'user', content: last }]
  const body = JSON.stringify({ model: 'any', messages, ...(offered && { tools }) })
  const url = process.env.OPENAI_BASE_URL + '/chat/completions'
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (!answer.ok) throw new Error(await answer.text())
  await answer.text()
}
await ask(40000, 'go on', true)
await ask(75000, 'go on', true)
await ask(100, 'a title, please', false)
await ask(75000, 'You are performing a CONTEXT CHECKPOINT COMPACTION.', true)
await ask(8000, 'go on', true)
END
node ask.mjs
rm ask.mjs
echo work > work.txt
echo more >> README.md
`

test('the calls of any agent show how full its context is, and where it was compacted', async () => {
  const scenarios = join(folder, 'scenarios')
  mkdirSync(scenarios)
  const script = { name: 'talk', about: 'Says yes.', beads: {}, otherwise: { turns: [{ say: 'yes' }] } }
  writeFileSync(join(scenarios, 'talk.json'), JSON.stringify(script))
  const world = await start({
    scenarios,
    config: { windows: { scripted: 20_000 }, prices: { scripted: { input: 1, output: 2 } } },
  })
  const config = { model: 'scripted', scenario: 'talk' }
  const agent = `${AGENT}${commitAndPush('c-1', 'Talk a lot')}`
  await world.addProject('talk', shellProject({ agent, config }), [
    { id: 'c-1', title: 'Talk a lot', description: 'Say it in README.md.' },
  ])

  const ended = await world.run('talk', 'c-1')
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  const work = ended.sessions.find(({ kind }) => kind === 'work')
  const { tokens, window, peak, compactions } = work?.context ?? { tokens: 0, window: 0, peak: 0, compactions: 0 }
  expect([window, compactions]).toEqual([20_000, 1])
  expect(Math.round(tokens / 1000)).toBe(2)
  expect(Math.round(peak / 1000)).toBe(19)
  const compacted = (await world.events(ended.id)).filter(({ type }) => type === 'compaction')
  expect(compacted.map(({ data }) => data)).toEqual([{ before: peak, after: tokens, window: 20_000 }])
  expect(await world.log(work?.id ?? '')).toMatch(
    /^# the context was 9\d% full \(1[89],\d{3} of 20,000 tokens\): the agent has shortened it to 2,\d{3}$/m,
  )
  // All five calls count, also the one beside the work, at the server's price.
  const { input, output } = ended.tokens
  expect(ended.tokens.costMicros).toBe(input + 2 * output)
  const { stdout } = await beadloom(['budget', 'talk', '--data', world.data, '--json'])
  expect(JSON.parse(stdout)).toMatchObject({
    all: { calls: 5, input, output, costMicros: input + 2 * output, unpriced: 0 },
    by: { agent: { items: [{ name: 'command' }] } },
    merged: { beads: 1, usual: { tokens: { median: input + output, of: 1 } } },
  })
  const file = await beadloom(['budget', 'talk', '--data', world.data, '--csv'])
  expect(file.stdout.split('\r\n')).toEqual([
    expect.stringMatching(/^day,bead,/),
    expect.stringContaining(`,c-1,work,,command,,scripted,5,0,${input},`),
    '',
  ])
  expect(ended.signs).toEqual([
    expect.stringMatching(/^the agent's context was up to 9\d% full, and was compacted once/),
    'a file is changed that the bead does not name: work.txt',
  ])
})
