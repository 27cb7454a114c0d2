// @suite policy-long
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AddingView } from '@beadloom/core/api/projects/adding-api.ts'
import type { ApiError, Page } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startedServer } from '../support/command-line.ts'
import { World } from '../support/world.ts'

/* Adding a repository that takes long to fetch: its progress is shown, and it can be cancelled. */

let world: World
let source: string
/** Random bytes, which nothing makes smaller. */
const BYTES = 64 * 1024 ** 2
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
  source = world.newFolder('large')
  const git = (...args: string[]) => execFileSync('git', args, { cwd: source, stdio: 'pipe' })
  git('init', '--quiet', '--initial-branch=main')
  execFileSync('sh', ['-c', `for n in 1 2 3 4 5 6 7 8; do head -c ${BYTES / 8} /dev/urandom > file-$n; done`], {
    cwd: source,
  })
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'add', '--all')
  git('-c', 'user.name=A', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'Begin')
})
afterAll(() => world.stop())

const adding = async () => (await world.get<Page<AddingView>>('/api/adding')).items
const add = (id: string) => world.api<ProjectView & ApiError>('POST', '/api/projects', { source, id })

test('git’s own progress is visible while it runs, and gone afterwards', async () => {
  const seen = new Map<string, AddingView>()
  const added = add('large')
  let over = false
  void added.finally(() => (over = true))
  while (!over) for (const view of await adding()) seen.set(view.doing, view)
  expect((await added).status).toBe(201)
  expect(
    [...seen.keys()].some((doing) => /objects|reading its files/.test(doing)),
    [...seen.keys()].join(),
  ).toBe(true)
  for (const view of seen.values()) expect(view).toMatchObject({ project: 'large', source })
  expect(await adding()).toEqual([])
})

test('a cancelled project leaves no project and no clone, and can be added again', async () => {
  const added = add('ended')
  await world.until(async () => (await adding()).length > 0)
  expect((await add('ended')).status).toBe(409)
  expect((await world.api('DELETE', '/api/adding/ended')).status).toBe(204)
  const { status, body } = await added
  expect([status, body.error.code]).toEqual([409, 'cancelled'])
  expect((await world.api('DELETE', '/api/adding/ended')).status).toBe(404)
  expect((await world.api('GET', '/api/projects/ended')).status).toBe(404)
  expect(execFileSync('ls', [join(world.data, 'hub')], { encoding: 'utf8' })).not.toContain('ended')
  expect((await add('ended')).status).toBe(201)
})

test('a project whose server is killed in the middle leaves no clone to the next server', async () => {
  const data = world.newFolder('killed')
  const { line, up } = await startedServer(data)
  const headers = { authorization: `Bearer ${readFileSync(join(data, 'token'), 'utf8').trim()}` }
  const body = JSON.stringify({ source, id: 'killed' })
  void fetch(`${up.url}/api/projects`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  }).catch(() => {})
  await expect.poll(() => readdirSync(join(data, 'hub'))).toEqual(['killed.git'])
  line.child.kill('SIGKILL')
  await line.ended
  expect(readdirSync(join(data, 'hub'))).toEqual(['killed.git'])
  const next = await startedServer(data)
  expect(readdirSync(join(data, 'hub'))).toEqual([])
  next.line.child.kill('SIGTERM')
  await next.line.ended
})
