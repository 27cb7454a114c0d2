import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { issues, makeRepository } from '../support/repository.ts'
import { World } from '../support/world.ts'
import { removeImages } from './images.ts'

/* Projects with two languages in folders and an empty root get both toolchains, setup and checks without settings. */

let world: World
beforeAll(async () => {
  world = await World.start()
})
afterAll(async () => {
  const projects = world.server.store.projects()
  await world.stop()
  for (const { id } of projects) removeImages(id)
})

const AGENT = 'echo "// changed" >> api/sum.go && git add -A && git commit -q -m "Change the API" && git push -q'

test('an API in Go beside a page in JavaScript goes from "project add" to COMPLETED by the checks of the changed part', async () => {
  const id = `monorepo-${world.server.store.instance.slice(-6).toLowerCase()}`
  const source = makeRepository(world.newFolder(id), {
    'beadloom.json': JSON.stringify({ agent: 'command', command: AGENT }),
    '.beads/issues.jsonl': issues({ id: 'm-1', title: 'Change the API' }),
    '.gitignore': 'node_modules\n',
    'api/go.mod': 'module example.org/api\n\ngo 1.22\n',
    'api/sum.go': 'package api\n\nfunc Sum(a, b int) int { return a + b }\n',
    'api/sum_test.go':
      'package api\n\nimport "testing"\n\nfunc TestSum(t *testing.T) {\n\tif Sum(1, 2) != 3 {\n\t\tt.Fatal("no")\n\t}\n}\n',
    'web/package.json': JSON.stringify({
      scripts: { test: 'node --test' },
      dependencies: { 'is-number': '7.0.0' },
    }),
    'web/sum.test.js':
      "const test = require('node:test')\ntest('is a number', () => { if (!require('is-number')(3)) throw new Error('no') })\n",
  })
  const { status } = await world.api('POST', '/api/projects', { source, id })
  expect(status).toBe(201)
  const ended = await world.run(id, 'm-1')
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED' })
  expect(ended.verifications.map(({ name, tool }) => [name, tool])).toEqual([['test api', 'go-test']])
  const { proof, toolchains } = await world.get<EnvironmentView>(`/api/projects/${id}/environment`)
  expect(proof?.checks.map(({ name, passed }) => [name, passed])).toEqual([
    ['test api', true],
    ['test web', true],
  ])
  expect(toolchains.toolchains.map(({ tool, place }) => [tool, place.file])).toEqual([
    ['go', 'api/go.mod'],
    ['node', 'web/package.json'],
  ])
})
