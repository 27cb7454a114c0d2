// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import type { Files } from '../support/repository.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A build that fails on the base decides nothing about the tests after it: they run there, and on the work. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const beads = [
  { id: 'rb-1', title: 'Write one' },
  { id: 'rb-2', title: 'Write two' },
]
/** The first bead does `first`, every other `other`. */
const agentOf = (first: string, other: string) =>
  `cat > /tmp/prompt.$$; if grep -q rb-1 /tmp/prompt.$$; then ${first}; else ${other}; fi; rm /tmp/prompt.$$\n`
const add = (id: string, agent: string, verify: object[], files: Files = {}) => {
  const config = { verify, verification: { maxAttempts: 1 } }
  return world.addProject(id, { ...shellProject({ agent, config, testsFirst: false }), ...files }, beads)
}
const proofOf = (id: string) => world.server.store.proofs(parseProjectId(id))[0]
const problemOf = async (id: string) => {
  await world.queue(id, 'rb-1')
  const reason = async () => (await world.get<BeadView>(`/api/projects/${id}/beads/rb-1`)).reason?.code
  await world.until(async () => (await reason()) === 'base_broken')
  return (await world.get<ProjectView>(`/api/projects/${id}`)).problem
}

const lint = { type: 'lint', name: 'lint', command: 'true' }
const build = { type: 'build', name: 'build', command: 'echo "Error: no compiler today"; exit 2' }
const tests = { type: 'test', name: 'test', command: 'node --test' }
const nodeProject: Files = {
  'math.mjs': 'export const add = (a, b) => a + b\n',
  'add.test.mjs':
    "import test from 'node:test'\nimport assert from 'node:assert'\nimport { add } from './math.mjs'\ntest('adds', () => assert.equal(add(1, 2), 3))\n",
}
const breaks = "sed -i 's/a + b/a - b/' math.mjs"

test('the tests behind a red build are measured, and decide about the work', async () => {
  await add('measured', agentOf('echo x > x.txt', breaks), [build, tests], nodeProject)
  const good = await world.run('measured', 'rb-1')
  const proof = proofOf('measured')
  expect(proof?.state).toBe('red')
  expect(proof && world.server.store.proofChecks(proof.id)).toMatchObject([
    { name: 'build', passed: false, exitCode: 2 },
    { name: 'test', passed: true, tests: [{ passed: 1 }] },
  ])
  expect(good).toMatchObject({ state: 'COMPLETED', flags: [{ kind: 'base_red' }] })
  expect(good.verifications.map(({ name, passed, onBase }) => [name, passed, onBase ?? false])).toEqual([
    ['build', true, true],
    ['test', true, false],
  ])
  expect(await world.run('measured', 'rb-2')).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
})

test('a check that passes before them makes up for no test that did not run', async () => {
  await add('linted', agentOf(breaks, ':'), [lint, build, tests], nodeProject)
  const ended = await world.run('linted', 'rb-1')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
  expect(ended.verifications.filter(({ passed }) => !passed).map(({ name }) => name)).toContain('test')
})

test('work that breaks a green build is told of that alone', async () => {
  const compile = { ...build, command: 'test ! -f broken.txt' }
  await add('broken', agentOf('echo x > broken.txt', ':'), [compile, tests], nodeProject)
  const ended = await world.run('broken', 'rb-1')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
  expect([...new Set(ended.verifications.map(({ name }) => name))]).toEqual(['build'])
})

test('a step that cannot run without the build says so, and is not a program that somebody forgot to install', async () => {
  await add('unbuilt', agentOf(':', ':'), [build, { ...tests, command: './dist/run-tests' }])
  expect(await problemOf('unbuilt')).toMatch(
    /^All 2 checks fail before any work is done: build \(.*\): .*; test \(\.\/dist\/run-tests\): no test ran, after build failed: .*/,
  )
  expect(proofOf('unbuilt')).toMatchObject({ state: 'broken', by: 'checks' })
})

test('a program that no build makes is still missing', async () => {
  await add('missing', agentOf(':', ':'), [build, { ...tests, command: 'no-such-runner .' }])
  expect(await problemOf('missing')).toContain('no-such-runner is not installed')
  expect(proofOf('missing')).toMatchObject({ state: 'broken', by: 'command' })
})

test('a script that misses a program is told which toolchain has it, though it ends with a code of its own', async () => {
  const script = 'echo "sh: 1: rebar3: not found"; echo "make: *** [Makefile:2: all] Error 127"; exit 2'
  const config = { setup: script, test: 'true' }
  await world.addProject('scripted', shellProject({ agent: ':', config, testsFirst: false }), beads)
  expect(await problemOf('scripted')).toContain(
    'failed with exit code 2. Ask for Erlang, which has rebar3: "toolchains": { "erlang": "*" } in beadloom.json',
  )
  await add('made', ':', [{ ...tests, command: script }])
  expect(await problemOf('made')).toContain('Ask for Erlang, which has rebar3: "toolchains"')
})

test('tests that cannot run beside some that do leave work unchecked, and cost no attempts', async () => {
  const verify = [tests, { type: 'test', name: 'more', command: 'no-such-runner .' }]
  const config = { verify, verification: { maxAttempts: 3 } }
  const agent = agentOf('echo "export const more = 1" >> math.mjs', 'echo words >> README.md')
  await world.addProject('beside', { ...shellProject({ agent, config, testsFirst: false }), ...nodeProject }, beads)
  expect(await world.run('beside', 'rb-1')).toMatchObject({ state: 'FAILED', reason: 'not_checked', attempt: 1 })
  expect((await world.get<ProjectView>('/api/projects/beside')).warnings.join(' ')).toContain(
    'No test of more is known to have run: work on code is not checked by it.',
  )
  expect((await world.run('beside', 'rb-2')).state).toBe('COMPLETED')
})

test('work in a folder whose tests are too deep to run is not checked, and work beside it is', async () => {
  const deep = 'a/b/c/d/e'
  const manifest = JSON.stringify({ scripts: { test: 'node --test add.test.mjs' } })
  const config = { test: undefined, verification: { maxAttempts: 3 } }
  const agent = agentOf(`echo "export const more = 1" >> ${deep}/math.mjs`, 'echo "export const more = 1" >> math.mjs')
  const below = Object.fromEntries(Object.entries(nodeProject).map(([name, text]) => [`${deep}/${name}`, text]))
  const files: Files = { 'package.json': manifest, ...nodeProject, [`${deep}/package.json`]: manifest, ...below }
  await world.addProject('deep', { ...shellProject({ agent, config, testsFirst: false }), ...files }, beads)
  const ended = await world.run('deep', 'rb-1')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'not_checked', attempt: 1 })
  expect((await world.get<ProjectView>('/api/projects/deep')).warnings).toContainEqual(
    expect.stringContaining(`1 more folder has tests that do not run (${deep})`),
  )
  expect(ended.flags).toContainEqual(
    expect.objectContaining({ text: `the tests in ${deep} do not run: name them as "verify" in beadloom.json` }),
  )
  expect((await world.run('deep', 'rb-2')).state).toBe('COMPLETED')
})
