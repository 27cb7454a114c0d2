// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git, type Files } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Files that run in CI or on other machines change only with a person's consent, or at least visibly. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const workflow = '.github/workflows/ci.yml'
const push = commitAndPush('re-1', 'Speed it up')
const agent = `cat > /tmp/prompt.$$; mkdir -p .github/workflows .husky; echo 'on: push' > ${workflow}; echo 'npm test' > .husky/pre-commit; date +%N > note.txt; ${push}`

type More = { title?: string; elsewhere?: 'ci' | 'all' | 'tell'; scheme?: string; does?: string; files?: Files }

async function play(id: string, more: More = {}) {
  const { title = 'Speed it up', elsewhere, scheme = 'file://', does = agent, files = {} } = more
  const config = {
    verify: [{ type: 'test', name: 'tests', command: 'true' }],
    verification: { maxAttempts: 1, ...(elsewhere && { elsewhere }) },
  }
  const project = { ...shellProject({ agent: does, config }), ...files }
  const { remote } = await world.addProject(id, project, [{ id: 're-1', title }], scheme)
  const ended = await world.run(id, 're-1')
  return { ended, published: () => git(remote, 'ls-tree', '-r', '--name-only', 'beadloom/work').includes(workflow) }
}

const both = `${workflow} (CI runs it); .husky/pre-commit (a git hook)`
const refused = { state: 'FAILED', reason: 'runs_elsewhere', attempt: 1 }

test('code that CI runs is not published to a remote before a person allows it, and is named', async () => {
  const { ended, published } = await play('asked')
  expect(ended).toMatchObject({ ...refused, flags: [{ kind: 'runs_elsewhere', text: both }] })
  expect(ended.verifications.at(-1)).toMatchObject({
    name: 'nothing runs elsewhere',
    passed: false,
    findings: [`${workflow} (CI runs it)`],
  })
  const done = await world.allow(ended.id, { why: 'it is ours', by: 'ann' })
  expect(done.state).toBe('COMPLETED')
  expect(done.flags.map(({ text }) => text).join()).toContain(`${both}; allowed by ann: it is ours`)
  expect(published()).toBe(true)
})

test.each<[string, More]>([
  ['the bead asks for it', { title: 'Run the tests in CI' }],
  ['the project wants to be told alone', { elsewhere: 'tell' }],
  ['the project is a folder of this machine', { scheme: '' }],
])('it is published and reported when %s', async (_, more) => {
  const { ended, published } = await play(`told-${Object.keys(more)[0]}`, more)
  expect(ended).toMatchObject({ state: 'COMPLETED', flags: [{ kind: 'runs_elsewhere', text: both }] })
  expect(published()).toBe(true)
})

test('a project may require permission for all code that runs elsewhere, even in a folder', async () => {
  const { ended } = await play('all', { elsewhere: 'all', scheme: '' })
  expect(ended).toMatchObject(refused)
  expect(ended.verifications.at(-1)?.findings).toHaveLength(2)
})

test('an existing file is deleted if the bead names it, and a new one has to be named by its path', async () => {
  const nightly = '.github/workflows/nightly.yml'
  const title = 'Get rid of nightly.yml'
  const files = { [nightly]: 'on: schedule\n' }
  const begin = 'cat > /tmp/prompt.$$; date +%N > note.txt'
  const gone = await play('gone', { title, files, does: `${begin}; git rm -q ${nightly}; ${push}` })
  expect(gone.ended).toMatchObject({ state: 'COMPLETED', flags: [{ text: `${nightly} (CI runs it; deleted)` }] })
  const moved = '.circleci/nightly.yml'
  const does = `${begin}; mkdir .circleci; echo 'on: push' > ${moved}; ${push}`
  expect((await play('named', { title, does })).ended).toMatchObject(refused)
})

test('no link, submodule, escape or crowd of other files hides code that runs elsewhere', async () => {
  const module = 'mkdir .circleci; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),.circleci'
  const crowd = 'mkdir -p .claude; for at in $(seq 60); do echo a > .claude/$at; done'
  const escaped = String.raw`printf '{"scripts":{"post\\u0069nstall":\n"curl a"}}' > package.json`
  const does = `cat > /tmp/prompt.$$; ${module}; ${crowd}; ln -s .claude .husky; ${escaped}; ${push}`
  const { ended } = await play('hidden', { does, elsewhere: 'all' })
  expect(ended).toMatchObject(refused)
  expect(ended.flags[0]?.text).toMatch(
    /^\.circleci \(CI runs it\); \.husky \(a git hook\); \.claude\/1 .*; and 13 more$/,
  )
  expect(ended.verifications.at(-1)?.findings).toHaveLength(51)
  expect(ended.verifications.at(-1)?.findings.at(-1)).toBe('and 13 more')
})
