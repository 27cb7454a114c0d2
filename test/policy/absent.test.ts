// @suite policy-long
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { EnvironmentView } from '@beadloom/core/api/projects/environment-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git, issues, makeRepository, type Files } from '../support/repository.ts'
import { World } from '../support/world.ts'

/* Submodules and large files that Beadloom does not have are named: on the project, and with a base that fails. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const PIN = '1'.repeat(40)
const AGENT = 'echo done > NOTE.md && git add -A && git commit -q -m "Add a note" && git push -q'

async function add(id: string, config: object, files: Files): Promise<string> {
  const source = makeRepository(world.newFolder(id), {
    'beadloom.json': JSON.stringify({ agent: 'command', command: AGENT, test: 'test -e vendor/lib/used', ...config }),
    '.beads/issues.jsonl': issues({ id: 's-1', title: 'Add a note' }),
    '.gitmodules': '[submodule "lib"]\n\tpath = vendor/lib\n\turl = https://example.invalid/lib.git\n',
    ...files,
  })
  git(source, 'update-index', '--add', '--cacheinfo', `160000,${PIN},vendor/lib`)
  git(source, 'commit', '--quiet', '--message', 'Use a library')
  const { status, body } = await world.api('POST', '/api/projects', { source, id })
  expect(status, JSON.stringify(body)).toBe(201)
  return source
}
const view = (id: string) => world.get<ProjectView>(`/api/projects/${id}`)
const SUBMODULE =
  /^\.gitmodules:1 has the submodule vendor\/lib, which Beadloom has not fetched: it is not in the working tree, and nothing else of a project on this machine is asked\. Its folder is empty in the containers\. Run `git submodule update --init --recursive` in /

test('a submodule and large files are named on the project, and with a base that fails', async () => {
  await add('absent', {}, { '.gitattributes': '*.bin filter=lfs\n' })
  expect((await view('absent')).warnings).toEqual([
    expect.stringMatching(SUBMODULE),
    expect.stringMatching(/^\.gitattributes:1 keeps \*\.bin in Git LFS/),
  ])
  await world.queue('absent', 's-1')
  const proof = async () => (await world.get<EnvironmentView>('/api/projects/absent/environment')).proof
  await world.until(async () => (await proof())?.state === 'broken')
  expect((await proof())?.text).toContain('has the submodule vendor/lib')
})

test('a submodule that setup fetches is there for agents and checks, and is not named; its pointer stays', async () => {
  const source = await add('fetched', { setup: 'mkdir -p vendor/lib && touch vendor/lib/used' }, {})
  expect((await view('fetched')).warnings).toEqual([])
  const ended = await world.run('fetched', 's-1')
  expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED' })
  const tree = git(source, 'ls-tree', '-r', 'beadloom/work')
  expect(tree).toContain(`160000 commit ${PIN}\tvendor/lib`)
  expect(tree).not.toContain('used')
})
