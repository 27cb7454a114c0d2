// @suite policy-long
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git, writeFiles, type Files } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/*
 * Two beads add a package each at the same time. Git merges what they wrote, but not the lock file, which npm makes
 * anew. The packages are folders of the repository, so no registry is asked.
 */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const LOCK = ['install', '--package-lock-only', '--offline', '--no-audit', '--no-fund']

/** The lists are far enough apart in the file that git merges a line in each. */
const manifest = {
  name: 'app',
  version: '1.0.0',
  dependencies: { y: 'file:y' },
  description: 'An app',
  license: 'MIT',
  keywords: ['one', 'two', 'three'],
  devDependencies: { z: 'file:z' },
}

function npmProject(folder: string): Files {
  const packages = Object.fromEntries(
    ['a', 'b', 'y', 'z'].map((name) => [`${name}/package.json`, JSON.stringify({ name, version: '1.0.0' })]),
  )
  const files = { 'package.json': `${JSON.stringify(manifest, null, 2)}\n`, ...packages }
  writeFiles(folder, files)
  execFileSync('npm', LOCK, { cwd: folder })
  return { ...files, 'package-lock.json': readFileSync(join(folder, 'package-lock.json'), 'utf8') }
}

const agent = (second: string) => `cat > /tmp/prompt; cat /tmp/prompt
case "$(grep -o 'Bead #[a-z0-9-]*' /tmp/prompt | head -1)" in
  *-1) npm pkg set dependencies.a=file:a; npm ${LOCK.join(' ')}; touch merged.txt; ${commitAndPush('lo-1', 'Use a')} exit;;
esac
test -e .git/begun || { touch .git/begun; echo started
  until git fetch -q origin && git cat-file -e origin/beadloom/work:merged.txt 2> /dev/null; do sleep 0.2; done; }
${second}`

const usesB = `npm pkg set devDependencies.b=file:b; npm ${LOCK.join(' ')}\n${commitAndPush('lo-2', 'Use b')}`

async function sideBySide(project: string, second: string) {
  const files = { ...npmProject(world.newFolder(`npm-${project}`)), ...shellProject({ agent: agent(second) }) }
  const { remote } = await world.addProject(project, files, [
    { id: 'lo-1', title: 'Use a' },
    { id: 'lo-2', title: 'Use b' },
  ])
  const { id } = await world.queue(project, 'lo-2')
  await world.printed(id, 'started')
  expect(await world.run(project, 'lo-1')).toMatchObject({ state: 'COMPLETED' })
  const ended = await world.ended(id)
  return { ended, remote, events: await world.events(id) }
}

function packagesIn(remote: string): string[] {
  const lock = JSON.parse(git(remote, 'show', 'beadloom/work:package-lock.json')) as { packages: object }
  return Object.keys(lock.packages)
}

test('a lock file in conflict is made anew by its own tool, and the result is checked before it is published', async () => {
  const { ended, remote, events } = await sideBySide('locks', usesB)
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
  expect(packagesIn(remote)).toEqual(expect.arrayContaining(['a', 'b', 'node_modules/a', 'node_modules/b']))
  expect(events.find(({ type }) => type === 'locks_remade')?.data).toMatchObject({ files: ['package-lock.json'] })
  expect(ended.verifications.map(({ purpose, passed }) => [purpose, passed])).toEqual([
    ['attempt', true],
    ['merge', true],
  ])
})

test('if the tool fails, the agent is asked, with the command', async () => {
  // npm refuses an override of a direct dependency.
  const second = `if grep -q 'CONFLICTS WITH OTHER WORK' /tmp/prompt; then
  git merge -q origin/beadloom/work || true
  npm pkg delete overrides; git checkout -q --theirs package-lock.json; npm ${LOCK.join(' ')}
else
  npm pkg set devDependencies.b=file:b; npm ${LOCK.join(' ')}; npm pkg set overrides.y=1.0.0
fi
${commitAndPush('lo-2', 'Use b')}`
  const { ended, remote, events } = await sideBySide('broken', second)
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2 })
  expect(packagesIn(remote)).toEqual(expect.arrayContaining(['a', 'b']))
  const warnings = events.flatMap(({ type, data }) => (type === 'warning' ? [(data as { text: string }).text] : []))
  expect(warnings.join('\n')).toContain('package-lock.json could not be made anew by its tool')
  const asked = ended.sessions.findLast(({ kind }) => kind === 'work')
  expect(await world.log(asked?.id ?? '')).toContain('Do not merge `package-lock.json` by hand')
})

test('a lock file that one side has deleted is not made anew: the agent decides whether it stays', async () => {
  const second = `if grep -q 'CONFLICTS WITH OTHER WORK' /tmp/prompt; then git merge -q origin/beadloom/work || true; fi
git rm -q package-lock.json
${commitAndPush('lo-2', 'Lock nothing')}`
  const { ended, remote, events } = await sideBySide('deleted', second)
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2 })
  expect(events.map(({ type }) => type)).not.toContain('locks_remade')
  expect(git(remote, 'ls-tree', '--name-only', 'beadloom/work')).not.toContain('package-lock.json')
})
