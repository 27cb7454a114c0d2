// @suite policy-long
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git, issues, makeRepository, writeFiles } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A project whose tests need another repository: setup, agents and checks have it, always at the pinned commit. */

let world: World
let lib: string
let one: string
let two: string
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
  lib = makeRepository(join(world.folder, 'lib'), { 'value.txt': 'one\n' })
  one = git(lib, 'rev-parse', 'HEAD')
  writeFiles(lib, { 'value.txt': 'two\n' })
  git(lib, 'commit', '--quiet', '--all', '--message', 'Two')
  two = git(lib, 'rev-parse', 'HEAD')
})
afterAll(() => world.stop())

async function add(id: string, agent: string, test: string): Promise<string> {
  const source = makeRepository(join(world.folder, id), {
    ...shellProject({ agent, testsFirst: false, config: { setup: 'cat vendor/lib/value.txt', test } }),
    '.beads/issues.jsonl': issues({ id: 's-1', title: 'Use the library' }),
    '.gitmodules': '[submodule "lib"]\n\tpath = vendor/lib\n\turl = ../lib\n',
  })
  git(source, 'update-index', '--add', '--cacheinfo', `160000,${one},vendor/lib`)
  git(source, 'commit', '--quiet', '--message', 'Use a library')
  const { status, body } = await world.api('POST', '/api/projects', { source, id })
  expect(status, JSON.stringify(body)).toBe(201)
  return source
}
const pointer = (source: string, branch: string) => git(source, 'rev-parse', `${branch}:vendor/lib`)
const LAST = 'git add -A && git commit -q -m "Bead s-1: Use the library" && git push -q\n'

test("setup, agents and checks have a submodule's files; an agent's changes in them are no part of its work", async () => {
  const agent = `cat > prompt.txt; cat vendor/lib/value.txt > seen.txt; echo spoiled > vendor/lib/value.txt; ${LAST}`
  const source = await add('used', agent, 'grep -qx one vendor/lib/value.txt')
  expect((await world.get<ProjectView>('/api/projects/used')).warnings).toEqual([])
  const { found } = await world.get<EnvironmentView>('/api/projects/used/environment')
  expect(found.absent).toEqual([])
  const ended = await world.run('used', 's-1')
  expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED', flags: [] })
  expect(git(source, 'show', 'beadloom/work:seen.txt')).toBe('one')
  expect(git(source, 'show', 'beadloom/work:prompt.txt')).toContain(
    'These folders are submodules, and have the files of other repositories: vendor/lib.',
  )
  expect(pointer(source, 'beadloom/work')).toBe(one)
  expect(git(source, 'ls-tree', '-r', '--name-only', 'beadloom/work').split('\n')).not.toContain('vendor/lib/value.txt')
})

test('an agent that moves the pointer changes its own repository, and is checked with the existing files', async () => {
  const agent = `git update-index --cacheinfo 160000,${two},vendor/lib; echo work > work.txt; git add work.txt; git commit -qm move; git push -q\n`
  const source = await add('moved', agent, 'if test -f work.txt; then grep -qx two vendor/lib/value.txt; fi')
  const ended = await world.run('moved', 's-1')
  expect(ended, ended.detail).toMatchObject({ state: 'COMPLETED' })
  expect(pointer(source, 'beadloom/work')).toBe(two)
  expect(pointer(source, 'main')).toBe(one)
})

test('an agent that points to a commit nobody has is told so, and its check finds an empty folder', async () => {
  const agent = `git update-index --cacheinfo 160000,${'2'.repeat(40)},vendor/lib; echo work > work.txt; git add work.txt; git commit -qm move; git push -q\n`
  await add('lost', agent, 'test -f vendor/lib/value.txt')
  const ended = await world.run('lost', 's-1')
  expect(ended.state).toBe('FAILED')
  const told = (await world.events(ended.id))
    .filter(({ type }) => type === 'warning')
    .map(({ data }) => JSON.stringify(data))
  expect(told.join('\n')).toMatch(
    /the submodule vendor\/lib is not there, and its folder is empty: .*(not our ref|no commit)/,
  )
})

test('a mended submodule is there after the next sync, and the base is proved again', async () => {
  const source = makeRepository(join(world.folder, 'later'), {
    ...shellProject({
      agent: `echo work > work.txt; ${LAST}`,
      testsFirst: false,
      config: { test: 'test -f vendor/late/late.txt' },
    }),
    '.beads/issues.jsonl': issues({ id: 's-1', title: 'Use the library' }),
    '.gitmodules': '[submodule "late"]\n\tpath = vendor/late\n\turl = ../late\n',
  })
  // The commit that it will have: content and date are the same.
  const made = makeRepository(join(world.folder, 'early'), { 'late.txt': 'late\n' })
  git(source, 'update-index', '--add', '--cacheinfo', `160000,${git(made, 'rev-parse', 'HEAD')},vendor/late`)
  git(source, 'commit', '--quiet', '--message', 'Use a library')
  await world.api('POST', '/api/projects', { source, id: 'later' })
  const view = () => world.get<ProjectView>('/api/projects/later')
  expect((await view()).warnings).toEqual([
    expect.stringMatching(
      /^\.gitmodules:1 has the submodule vendor\/late, which Beadloom has not fetched: There is no folder/,
    ),
  ])
  const { id } = await world.queue('later', 's-1')
  await world.until(async () => (await view()).base?.state === 'broken')
  expect((await view()).problem).toContain('git submodule update --init --recursive')
  git(world.folder, 'clone', '--quiet', '--bare', made, join(world.folder, 'late'))
  await world.api('POST', '/api/projects/later/sync')
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
  expect((await view()).warnings).toEqual([])
})
