import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import type { Files } from '../support/repository.ts'
import { adding, agentOf, nodeProject, nodeTest, once } from '../support/tested-projects.ts'
import { longDescribe, longTest } from '@beadloom/core/testing/long-test.ts'
import { World } from '../support/world.ts'

/* A check passes work only by tests that ran: those of the base ran again, and unchecked code is not verified. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const add = adding(() => world)
const bead = (id: string, name: string) => world.get<BeadView>(`/api/projects/${id}/beads/${name}`)
const proofsOf = (id: string) => world.server.store.proofs(parseProjectId(id)).map(({ state }) => state)
const view = (id: string) => world.get<ProjectView>(`/api/projects/${id}`)

longDescribe('tests that ran on the base', () => {
  longTest('and do not run now are missed, though the command ends with 0', async () => {
    const agent = agentOf("echo 'process.exit(0)' >> math.mjs")
    await add('ends-early', agent, { ...nodeTest, ...once }, nodeProject)
    const ended = await world.run('ends-early', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
    expect(ended.verifications.map(({ name, passed }) => [name, passed])).toEqual([
      ['test', true],
      ['tests kept', false],
    ])
    expect(ended.verifications.at(-1)?.summary).toMatch(/tests? that ran before the change did not run/)
    // An answer has numbers instead of thousands of names.
    expect(ended.verifications[0]?.tests?.map(({ tool, units }) => [tool, units])).toEqual([['node-test', []]])
  })

  longTest('and whose names the code only prints are missed, too', async () => {
    const names = ['adds', 'doubles'].map((name) => `console.log('✔ ${name} (0.3ms)');`).join(' ')
    const agent = agentOf(`echo "${names} process.exit(0)" >> math.mjs`)
    await add('prints', agent, { ...nodeTest, ...once }, nodeProject)
    const ended = await world.run('prints', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
    expect(ended.verifications.at(-1)?.summary).toContain('the tests of add.test.mjs did not run')
  })

  longTest('may be renamed, moved and joined by others', async () => {
    const agent = agentOf(
      "sed -i 's/adds/sums up/' add.test.mjs && mkdir deep && mv double.test.mjs deep/twice.test.mjs && sed -i 's#./math#../math#' deep/twice.test.mjs",
      `printf "import test from 'node:test'\\ntest('more', () => {})\\n" > more.test.mjs`,
    )
    await add('renamed', agent, nodeTest, nodeProject)
    expect(await world.run('renamed', 'tr-1')).toMatchObject({ state: 'COMPLETED', flags: [] })
    expect(await world.run('renamed', 'tr-2')).toMatchObject({ state: 'COMPLETED', flags: [] })
  })
})

longDescribe('expected values that changed in existing tests', () => {
  longTest('are shown to people, and refuse nothing', async () => {
    const agent = agentOf("sed -i 's/a + b/a + b + 1/' math.mjs && sed -i 's/add(1, 2), 3/add(1, 2), 4/' add.test.mjs")
    await add('values', agent, nodeTest, nodeProject)
    const ended = await world.run('values', 'tr-1')
    expect(ended.state).toBe('COMPLETED')
    expect(ended.flags).toEqual([
      { kind: 'tests_changed', text: expect.stringContaining('add.test.mjs (1: ') },
      {
        kind: 'tests_changed',
        text: expect.stringContaining('fails in its old version and passes only in the changed one: adds'),
      },
    ])
  })
})

longDescribe('another runner of the same tests', () => {
  /** Prints what Mocha does, with one test for each test file. */
  const files: Files = {
    ...nodeProject,
    'package.json': JSON.stringify({ scripts: { test: 'node mocha.mjs' } }),
    'mocha.mjs':
      "import { readdirSync } from 'node:fs'\nconst count = readdirSync('.').filter((name) => name.endsWith('.test.mjs')).length\nconsole.log(`\\n  ${count} passing (3ms)\\n`)\n",
  }
  const changes = (runs: string) => agentOf(`printf '{"scripts":{"test":"${runs}"}}' > package.json && rm mocha.mjs`)

  longTest('is accepted in its place if it runs as many, with a note', async () => {
    await add('taken-over', changes('node --test'), { test: 'npm test --silent', ...once }, files)
    const ended = await world.run('taken-over', 'tr-1')
    expect(ended).toMatchObject({ state: 'COMPLETED' })
    expect(ended.flags).toEqual([
      { kind: 'tests_changed', text: expect.stringContaining('run by node-test now, and no longer by mocha') },
    ])
  })

  longTest('is refused if it runs fewer', async () => {
    await add('fewer', changes('node --test add.test.mjs'), { test: 'npm test --silent', ...once }, files)
    const ended = await world.run('fewer', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
    expect(ended.verifications.at(-1)?.digest).toContain('1 test that ran before the change did not run')
  })
})

longTest('a check none of whose tests ran on the base is held against its former result', async () => {
  const verify = ['api', 'web'].map((name) => ({
    type: 'test',
    name,
    paths: [name],
    command: `cd ${name} && node --test`,
  }))
  const part = (name: string): Files =>
    Object.fromEntries(Object.entries(nodeProject).map(([path, text]) => [`${name}/${path}`, text]))
  const second = "if grep -q tr-2 /tmp/prompt.$$; then echo '// again' >> web/math.mjs; else"
  const agent = agentOf(
    "echo '// more' >> api/math.mjs && echo '// more' >> web/math.mjs",
    `${second} echo 'process.exit(0)' >> api/math.mjs; fi`,
  )
  const config = { verify, verification: { proveBase: false, maxAttempts: 1 } }
  await add('parts', agent, config, { ...part('api'), ...part('web') })
  expect(await world.run('parts', 'tr-1')).toMatchObject({ state: 'COMPLETED' })
  const between = await world.run('parts', 'tr-2')
  expect(between).toMatchObject({ state: 'COMPLETED' })
  expect(between.verifications.map(({ name }) => name)).toEqual(['web'])
  const ended = await world.run('parts', 'tr-3')
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  expect(ended.verifications.at(-1)?.summary).toContain('that ran before the change did not run')
})

longTest('a second attempt that touches another part is not measured by the tests of the first', async () => {
  const verify = ['api', 'web'].map((name) => ({
    type: 'test',
    name,
    paths: [name],
    command: `cd ${name} && node --test`,
  }))
  const tests = (count: number): string =>
    Array.from({ length: count }, (_, at) => `test('sum ${at}', () => assert.equal(sum(1, ${at}), ${at + 1}))\n`).join(
      '',
    )
  const head = "import assert from 'node:assert'\nimport { test } from 'node:test'\nimport { sum } from './math.mjs'\n"
  const part = (name: string, count: number): Files => ({
    [`${name}/math.mjs`]: 'export const sum = (a, b) => a + b\n',
    [`${name}/math.test.mjs`]: `${head}${tests(count)}`,
  })
  const broken = "sed -i 's/a + b/a - b/' api/math.mjs"
  const agent = agentOf(
    `if grep -q 'a - b' api/math.mjs; then sed -i 's/a - b/a + b/' api/math.mjs; echo '// more' >> web/math.mjs; else ${broken}; fi`,
  )
  const config = { verify, verification: { proveBase: false, maxAttempts: 2 } }
  await add('turns', agent, config, { ...part('api', 4), ...part('web', 1) })
  const ended = await world.run('turns', 'tr-1')
  expect(ended.verifications.map(({ attempt, name, passed }) => [attempt, name, passed])).toContainEqual([
    2,
    'web',
    true,
  ])
  expect(ended).toMatchObject({ state: 'COMPLETED' })
})

describe('a command that runs no test', () => {
  const none = { test: "printf '?   \\texample.org/cart\\t[no test files]\\n'" }

  test('passes no work, and starts a project that has none yet', async () => {
    await add('empty', agentOf('echo x > x.txt'), { ...none, ...once }, {})
    const ended = await world.run('empty', 'tr-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
    expect(ended.verifications.at(-1)).toMatchObject({ name: 'test', passed: false, summary: 'no test ran' })
    expect(proofsOf('empty')).toEqual(['red'])
  })

  longTest('is no test if the project says so', async () => {
    const config = { verify: [{ type: 'build', command: none.test }] }
    await add('vetted', agentOf('echo x > x.txt'), config, {})
    expect((await world.run('vetted', 'tr-1')).state).toBe('COMPLETED')
  })
})

/** pytest's output for a suite with a file that cannot be imported: it continues, or is interrupted. */
const pytest = (goesOn: boolean) =>
  [
    '============================= test session starts ==============================',
    'collected 3 items / 1 error',
    '',
    ...(goesOn ? ['tests/test_urls.py ...                                                   [100%]', ''] : []),
    '==================================== ERRORS ====================================',
    '_____________________ ERROR collecting tests/test_b64.py _____________________',
    "E   ModuleNotFoundError: No module named 'zlib_ng'",
    '=========================== short test summary info ============================',
    'ERROR tests/test_b64.py',
    ...(goesOn ? [] : ['!!!!!!!!!!!!!!!!!!!! Interrupted: 1 error during collection !!!!!!!!!!!!!!!!!!!!']),
    `========================= ${goesOn ? '3 passed, ' : ''}1 error in 0.10s ==========================`,
    '',
  ].join('\n')
const partly: Files = {
  'out.txt': pytest(true),
  'src/pkg/b64.py': 'x = 1\n',
  'src/pkg/urls.py': 'y = 1\n',
  'tests/test_b64.py': 'from pkg import b64\n',
}
const suite = { test: 'cat out.txt; exit 1' }

longDescribe('a base on which a part of the suite cannot run', () => {
  longTest('starts nothing if that keeps all tests from running', async () => {
    await add('interrupted', agentOf('echo x > x.txt'), suite, { ...partly, 'out.txt': pytest(false) })
    await world.queue('interrupted', 'tr-1')
    await world.until(async () => (await bead('interrupted', 'tr-1')).reason?.code === 'base_broken')
    expect(proofsOf('interrupted')).toEqual(['broken'])
  })

  longTest('checks work on the rest, and says which part it does not check', async () => {
    await add('partly', agentOf('echo "y = 2" > src/pkg/urls.py', 'echo "x = 2" > src/pkg/b64.py'), suite, partly)
    const rest = await world.run('partly', 'tr-1')
    expect(rest).toMatchObject({ state: 'COMPLETED', attempt: 1 })
    expect((await view('partly')).warnings.join()).toContain(
      'The tests of tests/test_b64.py could not run: work on what they cover is not checked.',
    )
    const ended = await world.run('partly', 'tr-2')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'not_checked', attempt: 1 })
    expect(ended.flags).toContainEqual({
      kind: 'not_checked',
      text: 'the tests of tests/test_b64.py could not run on the base',
    })
    // A person who has read the diff accepts it.
    expect(await world.allow(ended.id, { by: 'ann' })).toMatchObject({ state: 'COMPLETED' })
  })

  longTest('may be a program that fails there and names none of its tests', async () => {
    const program = (at: number, name: string, said: string) =>
      `    Start ${at}: ${name}\n${at}/2 Test #${at}: ${name} .....${said}    0.00 sec\n`
    const told = `${program(1, 'urls', '   Passed')}${program(2, 'b64', '***Failed')}\n50% tests passed, 1 tests failed out of 2\n`
    const agent = agentOf('echo "y = 2" > src/pkg/urls.py', 'echo "x = 2" > src/pkg/b64.py')
    await add('program', agent, suite, { ...partly, 'out.txt': told })
    expect(await world.run('program', 'tr-1')).toMatchObject({ state: 'COMPLETED', attempt: 1 })
    const ended = await world.run('program', 'tr-2')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'not_checked', attempt: 1 })
    expect(ended.flags).toContainEqual({
      kind: 'not_checked',
      text: 'b64 fails on the base, and does not name which of its tests do',
    })
  })

  longTest('may have such work accepted by a setting, with a flag', async () => {
    const config = { ...suite, verification: { acceptUnchecked: true } }
    await add('taken', agentOf('echo "x = 2" > src/pkg/b64.py'), config, partly)
    const ended = await world.run('taken', 'tr-1')
    expect(ended.state).toBe('COMPLETED')
    expect(ended.flags.map(({ kind }) => kind)).toContain('not_checked')
  })
})
