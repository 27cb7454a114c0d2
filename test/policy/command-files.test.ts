// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git, writeFiles, type Files } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A command comes from the base branch, and so do the files it names: a bead's own branch may lack them. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const beads = [{ id: 'cf-1', title: 'Write one' }]
const filesOf = (command: string, agent: string): Files =>
  shellProject({ agent, test: 'grep -q good work.txt\n', config: { command, verification: { maxAttempts: 1 } } })

function commit(id: string, remote: string, files: Files) {
  const folder = world.newFolder(`clone-${id}`)
  git(folder, 'clone', '--quiet', remote, '.')
  writeFiles(folder, files)
  git(folder, 'add', '--all')
  git(folder, 'commit', '--quiet', '--message', 'Another agent')
  git(folder, 'push', '--quiet', 'origin', 'HEAD:main')
}

test('an agent that came after the work can join a branch with the base that has it', async () => {
  const { remote } = await world.addProject('behind', filesOf('sh agent.sh', 'echo bad > work.txt\n'), beads)
  expect((await world.run('behind', 'cf-1')).state).toBe('FAILED')
  // It conflicts with the branch, so only an agent can merge it.
  const merges =
    'git merge origin/beads-cf-1-write-one || true; git checkout -q --ours . || true; echo good > work.txt\n'
  commit('behind', remote, {
    ...filesOf('sh tools/agent.sh', ''),
    'work.txt': 'of a person\n',
    'tools/agent.sh': `. tools/lib.sh; ${merges}`,
    'tools/lib.sh': ':\n',
  })
  const ended = await world.run('behind', 'cf-1')
  expect(ended.sessions[0]?.outcome).toBe('success')
})

test('an agent whose earlier work removed its program has it when the bead runs again', async () => {
  const agent = 'if [ -f work.txt ]; then echo good > work.txt; else git rm -q agent.sh; echo bad > work.txt; fi\n'
  const { remote } = await world.addProject('removed', filesOf('sh agent.sh', agent), beads)
  expect((await world.run('removed', 'cf-1')).state).toBe('FAILED')
  expect((await world.run('removed', 'cf-1')).state).toBe('COMPLETED')
  expect(git(remote, 'ls-tree', '--name-only', 'beadloom/work')).not.toContain('agent.sh')
})
