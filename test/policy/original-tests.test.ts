// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Work that changes tests has to pass their original form too: however a test was bent, its original tells. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const head = `const { test } = require('node:test')
const assert = require('node:assert')
const { add, sub } = require('../math.js')
`
const adds = `test('adds', () => {\n  assert.equal(add(1, 2), 3)\n})\n`
const subtracts = `test('subtracts', () => {\n  assert.equal(sub(2, 1), 1)\n})\n`
const add = 'exports.add = (a, b) => a + b\n'
const works = `${add}exports.sub = (a, b) => a - b\n`
const stub = `${add}exports.sub = () => undefined\n`

const write = (path: string, text: string) => `cat > ${path} <<'END'\n${text}END\n`
const bent = write('test/math.test.js', `${head}${adds}${subtracts.replace('1), 1)', '1), undefined)')}`)

type Played = {
  verification?: object
  tests?: string
  code?: string
  files?: Record<string, string>
  command?: string
}

async function play(
  id: string,
  agent: string,
  { verification = {}, tests, code, files: more, command = 'node --test' }: Played = {},
): Promise<ExecutionView> {
  const files = shellProject({
    agent: `cat > /dev/null\n${agent}${commitAndPush('ot-1', 'Subtract')}`,
    config: {
      verify: [{ type: 'test', name: 'tests', command }],
      verification: { maxAttempts: 1, redGreen: false, ...verification },
    },
  })
  const project = {
    ...files,
    ...more,
    'math.js': code ?? stub,
    'test/math.test.js': tests ?? `${head}${adds}${subtracts}`,
  }
  await world.addProject(id, project, [{ id: 'ot-1', title: 'Subtract' }])
  return world.run(id, 'ot-1')
}

const told = ({ flags }: ExecutionView) => flags.flatMap(({ kind, text }) => (kind === 'tests_changed' ? [text] : []))
const verifications = ({ sessions }: ExecutionView) => sessions.filter(({ kind }) => kind === 'verify').length

test('a test that failed before the work, and passes only in its changed form, is refused by its name', async () => {
  const ended = await play('bent', bent)
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  const last = ended.verifications.at(-1)
  expect(last).toMatchObject({ name: 'tests kept', passed: false })
  expect(last?.findings).toEqual([
    '1 test that failed before the work passes only because it was changed: subtracts (math.test.js)',
  ])
  expect(last?.digest).toContain('git diff')
})

test('that also holds if nobody has proved the base', async () => {
  const ended = await play('bent-unproved', bent, { verification: { proveBase: false } })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  expect(ended.verifications.at(-1)?.findings.join()).toContain('subtracts')
})

test('so is a test whose cases are in a file that asserts nothing', async () => {
  const rows = (first: string) => `exports.list = [\n  [2, 1, ${first}],\n  [5, 1, ${first}],\n]\n`
  const each = `for (const [a, b, c] of list) test(\`takes \${b} from \${a}\`, () => assert.equal(sub(a, b), c))\n`
  // The agent is a file of the project here, and must not contain the name of the other file.
  const ended = await play('rows', write('su""ms.js', rows('undefined')), {
    tests: `${head}const { list } = require('../sums.js')\n${adds}${each}`,
    files: { 'sums.js': rows('4') },
  })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  expect(ended.verifications.at(-1)?.findings).toEqual([
    expect.stringMatching(/^2 tests that failed before the work pass only because they were changed: takes # from #/),
  ])
})

test('so is a test that disappeared and came back elsewhere in another form', async () => {
  const moved = `git rm -q test/math.test.js; mkdir -p test; ${bent.replace('test/math.test.js', 'test/sums.test.js')}`
  const ended = await play('moved', moved)
  expect(ended.state).toBe('FAILED')
  expect(ended.verifications.at(-1)?.findings.join()).toContain('passes only because it was changed: subtracts')
})

const results = `test('subtracts', () => {
  const wanted = require('node:fs').readFileSync('golden/sub.txt', 'utf8').trim()
  assert.equal(String(sub(2, 1)), wanted)
})
`

test('so is a test that compares with a results file that was changed, outside of its folder', async () => {
  const ended = await play('golden', write('golden/sub.txt', 'undefined\n'), {
    tests: `${head}${adds}${results}`,
    files: { 'golden/sub.txt': '1\n' },
  })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  expect(ended.verifications.at(-1)?.findings.join()).toContain('passes only because it was changed: subtracts')
})

test('so is a test that takes its expectations from a changed file beside it', async () => {
  const rows = (wanted: string) => `exports.rows = [[2, 1, ${wanted}]]\n`
  const ended = await play('beside', write('test/rows.js', rows('undefined')), {
    tests: `${head}${adds}test('subtracts', () => {\n  for (const [a, b, c] of require('./rows.js').rows) assert.equal(sub(a, b), c)\n})\n`,
    files: { 'test/rows.js': rows('1') },
  })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  expect(ended.verifications.at(-1)?.findings.join()).toContain('passes only because it was changed: subtracts')
})

const loaded = {
  // Each file of the folder is loaded before the tests, as with RSpec.
  files: {
    'test/support/load.js': `for (const file of require('node:fs').readdirSync(__dirname)) require('./' + file)\n`,
  },
  verification: { proveBase: true },
  command: 'node --test --require ./test/support/load.js test/math.test.js',
}

test('so is a test that passes because of a new file beside it, which no test names', async () => {
  const ended = await play(
    'beside-new',
    write('test/support/calm.js', `const all = require('../../math.js')\nall['su' + 'b'] = (a, b) => a - b\n`),
    loaded,
  )
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  expect(ended.verifications.at(-1)?.findings.join()).toContain('passes only for new files beside the tests: subtracts')
})

test('a test that the code passes now is accepted beside such a file, and so is one whose tests waited for it', async () => {
  const mended = write('math.js', works)
  const more = write('test/support/calm.js', 'exports.calm = true\n')
  expect((await play('beside-fair', `${mended}${more}`, loaded)).state).toBe('COMPLETED')
  const rows = write('test/rows.js', 'exports.rows = [[2, 1, 1]]\n')
  const asked = `test('subtracts', () => {\n  for (const [a, b, c] of require('./rows.js').rows) assert.equal(sub(a, b), c)\n})\n`
  const ended = await play('beside-waited', rows, {
    tests: `${head}${adds}${asked}`,
    code: works,
    verification: { proveBase: true },
  })
  expect(ended.state).toBe('COMPLETED')
})

const rust = (code: string, wanted: string) =>
  `pub fn two() -> u8 { ${code} }\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn is_two() { assert_eq!(super::two(), ${wanted}); }\n}\n`

test('so is a test in the file of its code, if both were changed', async () => {
  const ended = await play('inline', write('src/lib.rs', `// More.\n${rust('3', '3')}`), {
    files: { 'src/lib.rs': rust('1', '2') },
    // It passes if the function returns what its test wants.
    command: `node -e "const t = require('fs').readFileSync('src/lib.rs', 'utf8'); process.exit(/u8 . (.)/.exec(t)[1] === /two..,.(.)/.exec(t)[1] ? 0 : 1)"`,
    verification: { proveBase: false },
  })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  expect(ended.verifications.at(-1)?.findings.join()).toContain('passes only because its tests were changed')
})

test('the same change of a test is accepted if the code passes its original form', async () => {
  const mended = write('math.js', `${add}exports.sub = (a, b) => a - b\n`)
  const more = write('test/math.test.js', `${head}${adds}${subtracts.replace('sub(2, 1), 1', 'sub(3, 1), 2')}`)
  const ended = await play('mended', `${mended}${more}`)
  expect(ended.state).toBe('COMPLETED')
  expect(told(ended).join()).not.toContain('old version')
  expect(verifications(ended)).toBe(2)
})

const other = `${write('math.js', `${add}exports.sub = (a, b) => b - a\n`)}${write('test/math.test.js', `${head}${adds}${subtracts.replace('1), 1)', '1), -1)')}`)}`

test('a test that passed before and fails in its original form is reported, because another behaviour looks the same', async () => {
  const ended = await play('other', other, { code: works })
  expect(ended.state).toBe('COMPLETED')
  expect(told(ended).join()).toContain(
    '1 test that passed before the work fails in its old version and passes only in the changed one: subtracts (math.test.js)',
  )
})

test('"refuse" has a person look at it first, whose word is enough', async () => {
  const ended = await play('asked', other, { code: works, verification: { originalTests: 'refuse' } })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  const again = await world.allow(ended.id)
  expect(again.state).toBe('COMPLETED')
})

test('"off" runs nothing more', async () => {
  const ended = await play('off', other, { code: works, verification: { originalTests: 'off' } })
  expect(ended.state).toBe('COMPLETED')
  expect(told(ended).join()).not.toContain('old version')
  expect(verifications(ended)).toBe(1)
})

test('new tests in a file of their own need no second run', async () => {
  const fresh = write('test/more.test.js', `${head}${adds.replace('adds', 'adds again')}`)
  const ended = await play('fresh', fresh, { code: works })
  expect(ended.state).toBe('COMPLETED')
  expect(verifications(ended)).toBe(1)
})
