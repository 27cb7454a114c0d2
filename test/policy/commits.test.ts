// @suite policy-long
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* The history of a project's work: who wrote it, and how many commits it has. */

const worlds: World[] = []
afterEach(async () => {
  for (const world of worlds.splice(0).toReversed()) await world.stop()
})
/** A server whose user has told git who they are. */
async function start(): Promise<World> {
  const world = await World.start({ engine: 'process', env: { GIT_CONFIG_GLOBAL: config } })
  worlds.push(world)
  return world
}
const config = join(process.env['TMPDIR'] ?? '/tmp', `beadloom-gitconfig-${process.pid}`)
writeFileSync(config, '[user]\n\tname = Ada\n\temail = ada@example.org\n')

const idOf = `cat > /tmp/prompt.$$; id=$(grep -o 'Bead #[a-z0-9-]*' /tmp/prompt.$$ | head -1 | cut -c7-)\n`
const until = (condition: string) => `until git fetch -q origin && ${condition}; do sleep 0.2; done\n`
const beads = [
  { id: 'cm-1', title: 'First' },
  { id: 'cm-2', title: 'Second' },
]
const log = (remote: string, format: string) => git(remote, 'log', `--format=${format}`, 'main..beadloom/work')
const noTracker = { tracker: { write: false } }

test("a commit is authored by the server's user, names its agent, and is followed by none of ours", async () => {
  const world = await start()
  const agent = 'echo 1 > one.txt; git add -A; git commit -qm "No name"; git push -q\n'
  const { remote } = await world.addProject('plain', shellProject({ agent, config: noTracker }), beads)
  expect(await world.run('plain', 'cm-1')).toMatchObject({ state: 'COMPLETED' })
  expect(log(remote, '%an %ae %cn|%s|%(trailers:key=Co-authored-by,valueonly,separator=%x2C)')).toBe(
    'Ada ada@example.org Ada|No name|Command line (Beadloom) <beadloom@localhost>',
  )
})

test('a squashed bead is one commit, even if another was faster, and there are no merges', async () => {
  const world = await start()
  const waits = `test "$id" = cm-1 || { ${until('git cat-file -e origin/beadloom/work:cm-1.txt').trim()}; }\n`
  const agent = `${idOf}${waits}touch $id.txt; git add -A; git commit -qm "Half of it"; echo 1 > $id.txt; ${commitAndPush('$id', 'x')}`
  const own = { ...noTracker, commits: 'squash', author: 'Bo <bo@example.org>', committer: 'CI <ci@example.org>' }
  const { remote } = await world.addProject('squash', shellProject({ agent, config: own }), beads)
  const queued = [await world.queue('squash', 'cm-1'), await world.queue('squash', 'cm-2')]
  const ended = await Promise.all(queued.map(({ id }) => world.ended(id)))
  expect(ended.map(({ state }) => state)).toEqual(['COMPLETED', 'COMPLETED'])
  expect(log(remote, '%an %cn %s').split('\n')).toEqual(['Bo CI Bead cm-2: Second', 'Bo CI Bead cm-1: First'])
  expect(git(remote, 'rev-list', '--merges', 'main..beadloom/work')).toBe('')
  expect(git(remote, 'log', '-1', '--format=%b', 'beadloom/work')).toContain('- Half of it\n- Bead cm-2: x')
  for (const { branch, commit } of ended) expect(git(remote, 'rev-parse', branch)).toBe(commit)
  expect(git(remote, 'ls-tree', '--name-only', 'beadloom/work')).toMatch(/cm-1\.txt\ncm-2\.txt/)
})

test('a squashed bead can be worked on again', async () => {
  const world = await start()
  const agent = `${idOf}echo x >> $id.txt; ${commitAndPush('$id', 'x')}`
  const own = { ...noTracker, commits: 'squash' }
  const { remote } = await world.addProject('again', shellProject({ agent, config: own }), beads)
  expect(await world.run('again', 'cm-1')).toMatchObject({ state: 'COMPLETED' })
  await world.api('PATCH', '/api/projects/again/beads/cm-1', { status: 'open' })
  expect(await world.run('again', 'cm-1')).toMatchObject({ state: 'COMPLETED' })
  expect(log(remote, '%s').split('\n')).toEqual(['Bead cm-1: First', 'Bead cm-1: First'])
})
