// @suite policy-long
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { shellProject } from '../support/shell-project.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* A conversation that outgrows its model's window: the session continues in a fresh context. */
const folder = mkdtempSync(join(tmpdir(), 'bl-context-'))
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const start = worldsOfATest()

test('a conversation that outgrows the window four times still ends COMPLETED, in one session', async () => {
  const scenarios = join(folder, 'scenarios')
  mkdirSync(scenarios)
  const look = (at: number) => ({
    say: `I look at part ${at}.`,
    calls: [{ tool: 'bash', arguments: { command: `echo ${at} >> parts.txt; yes ${at} | head -c 29000` } }],
  })
  const turns = [
    ...Array.from({ length: 13 }, (_, at) => look(at)),
    { say: 'I commit.', calls: [{ tool: 'bash', arguments: { command: 'git add -A; git commit -qm parts' } }] },
    { say: 'It is done.' },
  ]
  writeFileSync(
    join(scenarios, 'long.json'),
    JSON.stringify({ name: 'long', about: 'A lot to read.', beads: {}, otherwise: { turns } }),
  )
  const world = await start({ scenarios, config: { windows: { scripted: 22_000 } } })
  const config = { agent: 'openai', model: 'scripted', scenario: 'long', command: undefined }
  await world.addProject('long', shellProject({ agent: '', config, test: '[ $(wc -l < parts.txt) = 13 ]' }), [
    { id: 'l-1', title: 'Read a lot' },
  ])

  const ended = await world.run('long', 'l-1')
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  const work = ended.sessions.filter(({ kind }) => kind === 'work')
  expect(work).toHaveLength(1)
  const events = await world.events(ended.id)
  const handovers = events.filter(({ type }) => type === 'handover')
  expect(handovers.length).toBeGreaterThanOrEqual(4)
  expect(handovers[0]?.data).toMatchObject({
    windowTokens: 22_000,
    text: expect.stringContaining('scripted turns so far'),
  })
  // Each part was read once: no handover lost or repeated a turn.
  expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(14)
  expect(await world.log(work[0]?.id ?? '')).toMatch(/^! the context is 9\d% full: the agent continues in a fresh one/m)
})
