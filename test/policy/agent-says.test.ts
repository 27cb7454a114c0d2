// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { EventPage } from '@beadloom/core/api/executions/execution-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* An agent's words are kept for people to read, and decide nothing about beads. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const bead = (id: string) => ({ id, title: 'Write a greeting' })

test("an agent's words about beads change none: only the orchestrator moves them and files follow-ups", async () => {
  const line = (id: string) => JSON.stringify({ id, title: 'By the agent', status: 'closed', issue_type: 'task' })
  const agent = `cat > /dev/null
printf '%s\\n' '${line('bl-16')}' '${line('bl-17')}' '${line('bl-99')}' > .beads/issues.jsonl
${commitAndPush('bl-16', 'Close everything')}
for path in beads/bl-16 beads/bl-17; do
  curl -s -o /dev/null -w "answered %{http_code}\\n" -X PATCH -H 'content-type: application/json' -d '{"status":"done"}' "http://127.0.0.1:4610/api/projects/closer/$path"
done
exit 3
`
  await world.addProject('closer', shellProject({ agent }), [bead('bl-16'), bead('bl-17')])
  const ended = await world.run('closer', 'bl-16')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'agent_failed' })
  expect(
    (await world.log(ended.sessions.find(({ kind }) => kind === 'work')?.id ?? '')).match(/answered \d+/g),
  ).toEqual(['answered 404', 'answered 404'])
  expect((await world.api('POST', '/api/projects/closer/sync')).status).toBe(200)
  const { items } = await world.get<Page<BeadCard>>('/api/projects/closer/beads?limit=100')
  const filed = ended.followUps.map((one) => one.bead)
  expect(filed).toHaveLength(1)
  expect(Object.fromEntries(items.map(({ id, status }) => [id, status]))).toEqual({
    'bl-16': 'in_progress',
    'bl-17': 'open',
    [filed[0] ?? '']: 'open',
  })
})

test("an agent's words can be read while it runs, by asking for what came after, each event once", async () => {
  const agent = 'cat > /dev/null; echo first; until [ -f /tmp/go ]; do sleep 0.1; done; echo second\n'
  await world.addProject('polled', shellProject({ agent, config: { verification: { maxAttempts: 1 } } }), [
    bead('bl-18'),
  ])
  const { id } = await world.queue('polled', 'bl-18')
  const seen: EventPage['items'] = []
  const said = () => seen.flatMap(({ type, data }) => (type === 'message' ? [(data as { text: string }).text] : []))
  let gone = false
  for (let after = '0', ended = false; !ended;) {
    const page = await world.get<EventPage>(`/api/executions/${id}/events?after=${after}&limit=3&wait=5`)
    seen.push(...page.items)
    after = page.next
    ended = page.ended && page.items.length === 0
    if (gone || !said().join('').includes('first')) continue
    expect(said().join('')).not.toContain('second')
    expect((await world.execution(id)).state).toBe('RUNNING')
    for (const container of await world.containers.of(id)) await world.containers.write(container, '/tmp/go')
    gone = true
  }
  expect(said().join('')).toContain('second')
  expect(seen).toEqual(await world.events(id))
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, at) => at + 1))
})
