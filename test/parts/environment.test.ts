import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { Problem } from '@beadloom/server/src/ports/problem.ts'
import { type Kit, projectId, startKit } from '@beadloom/server/src/hub/hub-kit.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { environmentOf } from '@beadloom/server/src/api/environment/environment-query.ts'
import { openTestStore, seededRandom } from '@beadloom/server/src/store/testing.ts'
import { detectAt } from '@beadloom/server/src/workflow/detect-at.ts'
import { git } from '../support/repository.ts'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'

let kit: Kit
const aside = createAside({ clock: new HandClock() })
afterAll(() => aside.close())
let store: Store
beforeEach(async () => {
  kit = await startKit()
  store = openTestStore(join(kit.root, 'beadloom.db'), { clock: new HandClock(), random: seededRandom() })
})
afterEach(async () => {
  await store.close()
  await kit.close()
})

const files = {
  '.nvmrc': '20.11.1\n',
  'package.json': '{\n  "scripts": { "test": "vitest run" }\n}\n',
  'package-lock.json': '{}\n',
  'services/api/go.mod': 'module api\n\ngo 1.24\n',
  'services/api/node_modules/x/package.json': '{}\n',
  '.github/workflows/ci.yml': 'jobs: { a: { services: { db: { image: "postgres:16" } } } }\n',
}

async function project(content: Record<string, string>): Promise<string> {
  const source = await kit.source('lib', content)
  store.addProject({ id: projectId, source })
  return (await kit.hub.fetch(kit.project(source))).commit
}

const view = async (): Promise<EnvironmentView> => {
  const answer = await environmentOf({ store, hub: kit.hub, aside, base: () => null }, projectId)
  if (answer instanceof Problem) throw new Error(answer.message)
  return answer
}

test("a real repository's files are read from its base branch, in all of its folders", async () => {
  const commit = await project(files)
  const { found, proposal, configured, ...rest } = await view()
  expect(rest).toMatchObject({ project: projectId, baseBranch: 'main', commit, proof: null })
  expect(rest.toolchains).toMatchObject({
    official: 'node:20.11.1-bookworm',
    installs: [
      { by: 'node', what: '20.11.1' },
      { by: 'npm', what: 'npm@10' },
    ],
  })
  expect(configured).toBe(false)
  expect(found.tools).toMatchObject([{ tool: 'node', version: '20.11.1', from: { file: '.nvmrc', line: 1 } }])
  expect(found.nested.map(({ folder }) => folder)).toEqual(['services/api'])
  expect(found.services.map(({ name }) => name)).toEqual(['db'])
  expect(proposal.config).toEqual({
    setup: 'npm ci',
    verify: [{ type: 'test', command: 'npm test' }],
    services: { db: { image: 'postgres:16' } },
  })
})

test('files that run unasked are read from the root folder alone', async () => {
  const commit = await project(files)
  expect(await detectAt({ hub: kit.hub, aside }, projectId, commit)).toMatchObject({
    tools: [{ tool: 'node', version: '20.11.1' }],
    setup: 'npm ci',
    test: 'npm test',
    checks: [],
    techStack: ['JavaScript', 'Node.js'],
  })
})

test('a beadloom.json is noted, and a file too large to read does not keep others from being read', async () => {
  const commit = await project({ ...files, 'beadloom.json': '{}', 'package.json': `{"x":"${'x'.repeat(300_000)}"}` })
  expect(await view()).toMatchObject({ configured: true, found: { nested: [{ folder: 'services/api' }] } })
  expect(await detectAt({ hub: kit.hub, aside }, projectId, commit)).toMatchObject({
    setup: expect.stringMatching(/^npm ci && /),
    test: '( cd services/api && go test -v ./... )',
  })
})

test('a project that is missing or not read yet is refused with that reason', async () => {
  const deps = { store, hub: kit.hub, aside, base: () => null }
  expect(await environmentOf(deps, projectId)).toMatchObject({ status: 404 })
  store.addProject({ id: projectId, source: join(kit.root, 'nowhere') })
  expect(await environmentOf(deps, projectId)).toMatchObject({ status: 409 })
})

test('settings that are not JSON lead to no proposal, and their line is named', async () => {
  await project({ ...files, 'beadloom.json': '{\n  "setup": \n}\n' })
  expect((await view()).proposal).toEqual({
    config: {},
    from: [],
    open: ['beadloom.json is not JSON (line 3: a value is missing before }): correct it first.'],
  })
})

test('nothing is proposed beside a beadloom.json that is a link: its settings are not read', async () => {
  const source = await kit.source('lib', { ...files, 'cfg.json': '{}' })
  await symlink('cfg.json', join(source, 'beadloom.json'))
  git(source, 'add', '.')
  git(source, 'commit', '--quiet', '--message', 'Link')
  store.addProject({ id: projectId, source })
  await kit.hub.fetch(kit.project(source))
  const { proposal } = await view()
  expect(proposal).toEqual({
    config: {},
    from: [],
    open: [expect.stringMatching(/main: it is a symbolic link: .*\.$/)],
  })
})
