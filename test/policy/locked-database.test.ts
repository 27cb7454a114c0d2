// @suite policy-long
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { git } from '../support/repository.ts'
import { lockDatabase } from '../support/lock-holder.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Another program locks the database while a whole server works, and unlocks it when the test says so. */
let world: World | null = null
let letGo = async () => {}
afterEach(async () => {
  await letGo()
  await world?.stop()
  world = null
})

const LINES = 300
/** Prints until its remote has a branch `go`, which needs no database; then works and ends. */
const AGENT = `echo ready
until git fetch -q origin go 2>/dev/null; do echo waiting; sleep 0.2; done
for i in $(seq 1 ${LINES}); do echo "line $i"; done
cat > prompt.txt
id=$(grep -o 'r-[1-3]' prompt.txt | head -n 1)
rm prompt.txt; echo "$id" > "$id.txt"
${commitAndPush('$id', 'Works')}`

const beads = ['r-1', 'r-2', 'r-3'].map((id) => ({ id, title: 'Works' }))

test('three agents keep working and end well while another program holds the lock, and no line or event is lost', async () => {
  world = await World.start({ engine: 'process' })
  const { data } = world
  await world.addProject('r', shellProject({ agent: AGENT }), beads)
  const ids: string[] = []
  for (const { id } of beads) ids.push((await world.queue('r', id)).id)
  for (const id of ids) await world.printed(id, 'ready')

  letGo = await lockDatabase(join(data, 'beadloom.db'))
  const hub = join(data, 'hub', 'r.git')
  git(hub, 'branch', 'go', 'beadloom/work')
  const branches = await Promise.all(ids.map(async (id) => (await world!.execution(id)).branch))
  await world.until(() => branches.every((branch) => git(hub, 'log', '-1', '--format=%s', branch).includes('Works')))

  expect(await world.get<ServerStatus>('/api/status')).toMatchObject({
    database: { kind: 'busy', text: expect.stringContaining('another program holds the lock') },
  })
  const checks = (await world.get<{ checks: { name: string; ok: boolean }[] }>('/api/system')).checks
  expect(checks.find(({ name }) => name === 'database')).toMatchObject({ ok: false })
  expect((await world.get<{ items: unknown[] }>('/api/projects/r/beads')).items).toHaveLength(3)
  const response = await fetch(`${world.server.url}/api/projects/r/pause`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.server.token}` },
  })
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await response.json()).toMatchObject({
    error: { code: 'database_busy', message: expect.stringMatching(/Another program .* try again in a moment\./) },
  })
  for (const id of ids) expect(await world.execution(id)).toMatchObject({ state: 'RUNNING' })

  await letGo()
  for (const id of ids) {
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'COMPLETED', retryAttempt: 0, attempt: 1 })
    const work = ended.sessions.filter(({ kind }) => kind === 'work')
    expect(work).toHaveLength(1)
    const log = await world.log(work[0]!.id)
    for (let line = 1; line <= LINES; line++) expect(log).toContain(`line ${line}\n`)
    expect((await world.events(id)).map(({ seq }, at) => seq - at)).toEqual((await world.events(id)).map(() => 1))
  }
  expect(await world.get<ServerStatus>('/api/status')).toMatchObject({ database: null })
  expect((await world.api('POST', '/api/projects/r/pause')).status).toBe(200)
})

test('a cancel while the database is locked is refused in words, and carried out when it is asked again', async () => {
  world = await World.start({ engine: 'process' })
  await world.addProject('r', shellProject({ agent: 'echo ready; sleep 600\n' }), beads)
  const { id } = await world.queue('r', 'r-1')
  await world.printed(id, 'ready')
  letGo = await lockDatabase(join(world.data, 'beadloom.db'), 'EXCLUSIVE')
  expect((await world.api('POST', `/api/executions/${id}/cancel`)).status).toBe(503)
  await letGo()
  expect((await world.api('POST', `/api/executions/${id}/cancel`)).status).toBe(202)
  expect(await world.ended(id)).toMatchObject({ state: 'CANCELLED' })
})
