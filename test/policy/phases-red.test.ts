// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { author, runBlog } from '../support/blog.ts'
import { subtask } from '../support/planned.ts'
import { World } from '../support/world.ts'

/* Phases that write tests first: which tests have to fail, and which stay green. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

test('a phase of tests that pass already, or cannot run, is not approved', async () => {
  const green = author.replace(
    "printf 'test -f users.txt && test -f posts.txt\\n' > test.sh",
    "printf 'true # they work\\n' > test.sh",
  )
  const { ended } = await runBlog(world, 'green', 'gr-1', { author: green })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
  expect(ended.detail).toMatch(/^The new tests still pass, although nothing implements what they test yet/)
  expect(ended.detail).toContain('The tests of this phase pass, although what they are about is not implemented yet')
  expect(ended.followUps).toMatchObject([{ title: 'New tests pass too early: A blog' }])
})

test.each([
  ['tests fail', '=== 1 failed, 2 passed in 0.10s ==='],
  ['no test ran', '=== no tests ran in 0.01s ==='],
])('when %s with exit code 0, the end does not say that tests pass', async (what, said) => {
  const plan = [subtask('1', { title: 'Users', type: 'impl', filesTouched: ['users.txt'] })]
  const files = { 'test.sh': `echo '${said}'\n` }
  const name = what.replaceAll(' ', '-')
  const { ended } = await runBlog(world, name, 'ze-1', { plan, files, author: 'date +%N >> users.txt\n' })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
  expect(ended.detail).toMatch(/^The tests still fail/)
  expect(ended.followUps).toMatchObject([{ title: 'Tests failing: A blog' }])
})

test('a green test stays green in a phase that only writes tests: the agent that turned it red mends it', async () => {
  const testOf = (name: string, sum: number) =>
    `import test from 'node:test'\nimport assert from 'node:assert'\ntest('${name}', () => assert.equal(1 + 1, ${sum}))\n`
  const green = {
    'old.test.mjs': testOf('adds one and one', 2),
    'three.mjs': 'export const three = 2\n',
    'known.test.mjs': `import { three } from './three.mjs'\n${testOf('is known to fail', 3).replace('1 + 1', 'three')}`,
  }
  const plan = [
    subtask('1', { title: 'Test more', filesTouched: ['new.test.mjs', 'old.test.mjs'] }),
    subtask('2', { title: 'Do more', type: 'impl', dependsOn: ['1'], filesTouched: ['new.test.mjs'] }),
  ]
  const careless = `cat > /tmp/prompt; cat /tmp/prompt >&2
if grep -q 'What Failed' /tmp/prompt; then sed -i 's/1 + 1, 3/1 + 1, 2/' old.test.mjs
elif grep -q 'Subtask:.*Test more' /tmp/prompt; then
  sed -i 's/1 + 1, 2/1 + 1, 3/' old.test.mjs
  sed 's/adds one and one/adds more/' old.test.mjs > new.test.mjs
else sed -i 's/1 + 1, 3/1 + 1, 2/' new.test.mjs; echo 'export const three = 3' > three.mjs; fi
`
  const config = { test: 'node --test' }
  const { ended } = await runBlog(world, 'turned', 'tu-1', { plan, author: careless, files: green, config })
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  const { sessions } = await world.execution(ended.id)
  const logs = await Promise.all(sessions.map(({ id }) => world.log(id)))
  const told = logs.find((log) => log.includes('What Failed')) ?? ''
  expect(told).toMatch(/passed before this phase[^]*- adds one and one\n/)
  expect(told).not.toContain('- adds more\n')
  expect(told).not.toContain('- is known to fail\n')
  expect(sessions.filter(({ kind }) => kind === 'work')).toHaveLength(2 + 1 + 2)
})

test('a phase that writes tests first misses none of those behind the first failure, and the end of the plan runs them', async () => {
  const testOf = (name: string, sum: number) =>
    `import test from 'node:test'\nimport assert from 'node:assert'\ntest('${name}', () => assert.equal(1 + 1, ${sum}))\n`
  const plan = [
    subtask('1', { title: 'Test more', filesTouched: ['first.test.mjs'] }),
    subtask('2', { title: 'Do more', type: 'impl', dependsOn: ['1'], filesTouched: ['first.test.mjs'] }),
  ]
  const writes = `cat > /tmp/prompt; cat /tmp/prompt >&2
if grep -q 'Subtask:.*Test more' /tmp/prompt; then
  echo "test('adds more', () => assert.equal(1 + 1, 3))" >> first.test.mjs
else sed -i 's/1 + 1, 3/1 + 1, 2/' first.test.mjs; fi
`
  const files = { 'first.test.mjs': testOf('adds', 2), 'second.test.mjs': testOf('adds again', 2) }
  const config = { test: 'node --test first.test.mjs && node --test second.test.mjs' }
  const { ended } = await runBlog(world, 'behind', 'be-1', { plan, author: writes, files, config })
  expect(ended).toMatchObject({ state: 'COMPLETED' })
  expect(ended.flags.map(({ kind }) => kind)).not.toContain('tampered')
  const { verifications } = await world.execution(ended.id)
  expect(verifications.map(({ exitCode, passed }) => [exitCode === 0, passed])).toContainEqual([false, true])
  expect(verifications.at(-1)).toMatchObject({ name: 'test', exitCode: 0, passed: true })
})
