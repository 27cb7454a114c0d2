// @suite policy-long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adding, agentOf, nodeProject, nodeTest, once, oneFails } from '../support/tested-projects.ts'
import { World } from '../support/world.ts'

/* Commands that end with 0 and do not say that tests ran, or say that some failed. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())
const add = adding(() => world)

test("a bead's repairs count for the next one, which was red when the project was proved", async () => {
  const agent = agentOf("sed -i 's/a - b/a + b/' math.mjs", "sed -i 's/a + b/a - b/' math.mjs")
  await add('mended', agent, { ...nodeTest, ...once }, oneFails)
  expect(await world.run('mended', 'tr-1')).toMatchObject({ state: 'COMPLETED' })
  const ended = await world.run('mended', 'tr-2')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
  expect(ended.verifications.at(-1)?.digest).toContain('adds')
})

describe('if the tests come first, and the earlier tests are unknown,', () => {
  const first = { verification: { proveBase: false, maxAttempts: 1 } }

  test('a file of Node’s runner in which no test ran has not passed', async () => {
    await add('node-first', agentOf("echo 'process.exit(0)' >> math.mjs"), { ...nodeTest, ...first }, nodeProject)
    const ended = await world.run('node-first', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
    expect(ended.verifications.at(-1)?.digest).toContain('the tests of add.test.mjs did not run')
  })

  test('neither has one that is named from the folder of its check', async () => {
    const files = Object.fromEntries(Object.entries(nodeProject).map(([path, text]) => [`api/${path}`, text]))
    const verify = [{ type: 'test', name: 'api', folder: 'api', command: 'node --test' }]
    await add('folder-first', agentOf("echo 'process.exit(0)' >> api/math.mjs"), { verify, ...first }, files)
    const ended = await world.run('folder-first', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
    expect(ended.verifications.at(-1)?.digest).toContain('the tests of api/add.test.mjs did not run')
  })

  test('a runner that the command or its script names has to say that it ran a test', async () => {
    const files = { 'test.sh': '#!/bin/sh\npython3 -m pytest --version >/dev/null 2>&1; exit 0\n' }
    await add('pytest-first', agentOf('echo x > x.txt'), { test: 'sh test.sh', ...first }, files)
    const ended = await world.run('pytest-first', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
    expect(ended.verifications.at(-1)?.summary).toBe('pytest ended without saying that it ran a test')
  })

  test('a test program in C++ has to say so as well', async () => {
    const files = {
      'run.sh': '#!/bin/sh\nexit 0\n',
      'sum_test.cpp': '#include "test/catch.hpp"\nTEST_CASE("adds") {\n  REQUIRE(add(1, 1) == 2);\n}\n',
    }
    await add('catch-first', agentOf('echo x > x.txt'), { test: 'sh run.sh', ...first }, files)
    const ended = await world.run('catch-first', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
    expect(ended.verifications.at(-1)?.summary).toBe('Catch2 ended without saying that it ran a test')
  })

  test('a check whose tests could not start on the base has to say so as well', async () => {
    const files = {
      ...nodeProject,
      'test.sh': '#!/bin/sh\ntest -e x.txt || exit 1\npython3 -m pytest --version >/dev/null 2>&1; exit 0\n',
    }
    const verify = ['node --test', 'sh test.sh'].map((command) => ({ type: 'test', name: command, command }))
    await add('pytest-red', agentOf('echo x > x.txt'), { verify, ...once }, files)
    const ended = await world.run('pytest-red', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
    expect(ended.verifications.at(-1)?.summary).toBe('pytest ended without saying that it ran a test')
  })
})

describe('a command that ends with 0 while its runner says that tests fail', () => {
  const trusting = { test: 'node --test; true' }

  test('has not passed', async () => {
    await add('denied', agentOf("sed -i 's/a + b/a - b/' math.mjs"), { ...trusting, ...once }, nodeProject)
    const ended = await world.run('denied', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
    expect(ended.verifications.at(-1)).toMatchObject({ exitCode: 0, passed: false, failures: 1 })
  })

  test('may do so on the base too, by name', async () => {
    await add('denied-before', agentOf('echo x > x.txt'), { ...trusting, ...once }, oneFails)
    const ended = await world.run('denied-before', 'tr-1')
    expect(ended.state).toBe('COMPLETED')
    expect(ended.flags.map(({ kind }) => kind)).toEqual(['base_red'])
  })
})
