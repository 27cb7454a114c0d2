// @suite policy-long
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { KeptContainer } from '@beadloom/core/api/executions/container-api.ts'
import Database from 'better-sqlite3'
import { expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import type { World } from '../support/world.ts'
import { worldsOfATest } from '../support/worlds-of-a-test.ts'

/* Kept containers, as the next server finds them. */
const start = worldsOfATest()

async function atWork(world: World): Promise<string> {
  const agent = 'cat > /dev/null; echo precious > notes.txt; echo written; sleep 600\n'
  await world.addProject('k', shellProject({ agent, config: { test: 'true' } }), [{ id: 'k-1', title: 'Take notes' }])
  const { id } = await world.queue('k', 'k-1')
  await world.printed(id, 'written')
  return id
}

const kept = async (world: World) => (await world.get<{ items: KeptContainer[] }>('/api/containers')).items

test('a rescue that was due at a time of a wrong wall clock is done by the next server', async () => {
  const first = await start()
  const id = await atWork(first)
  const hub = join(first.data, 'hub', 'k.git')
  renameSync(hub, `${hub}.away`)
  await first.api('POST', `/api/executions/${id}/cancel`)
  await first.ended(id)
  expect(await kept(first)).toHaveLength(1)
  await first.server.stop()
  renameSync(`${hub}.away`, hub)
  const database = new Database(join(first.data, 'beadloom.db'))
  database.prepare('UPDATE container SET next_try_at = next_try_at + 172800000').run()
  database.close()

  const again = await start({ data: first.data, host: first.host })
  await again.until(async () => (await kept(again)).length === 0)
  expect(await again.containers.of(id)).toEqual([])
  const refs = git(hub, 'for-each-ref', '--format=%(refname)', `refs/beadloom/${id}/`).split('\n')
  expect(refs.map((ref) => git(hub, 'show', `${ref}:notes.txt`))).toContain('precious')
})

test("an agent of no known execution is stopped, kept, and saved on a person's request, by its label", async () => {
  const first = await start()
  const id = await atWork(first)
  await first.server.stop()
  const database = new Database(join(first.data, 'beadloom.db'))
  database.pragma('foreign_keys = OFF')
  database.prepare('DELETE FROM container WHERE owner = ?').run(id)
  for (const table of ['session', 'event']) database.prepare(`DELETE FROM ${table} WHERE execution = ?`).run(id)
  database.prepare('DELETE FROM execution WHERE id = ?').run(id)
  database.close()

  const again = await start({ data: first.data, host: first.host })
  await again.until(async () => (await kept(again)).some(({ why }) => /not in the database/.test(why)))
  const [{ name } = { name: '' }] = await kept(again)
  expect(again.host?.find(name)?.state().state).toBe('exited')
  expect((await kept(again))[0]).toMatchObject({
    project: 'k',
    why: expect.stringContaining(`containers save ${name}`),
  })
  const { body, status } = await again.api<{ saved: string }>('POST', `/api/containers/${name}/save`)
  expect({ status, saved: body.saved }).toEqual({ status: 200, saved: `refs/beadloom/${id}/left` })
  expect(git(join(first.data, 'hub', 'k.git'), 'show', `${body.saved}:notes.txt`)).toBe('precious')
  expect(await again.containers.of(id)).toEqual([])
})
