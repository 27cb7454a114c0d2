// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Whether a bead's tests fail without its change: a fact for people, and no verdict. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const code = 'exports.add = (a, b) => a + b\n'
const head = `const { test } = require('node:test')
const assert = require('node:assert')
const { add, sub } = require('../math.js')
`
const adds = `test('adds', () => {\n  assert.equal(add(1, 2), 3)\n})\n`
const subtracts = `test('subtracts', () => {\n  assert.equal(sub(2, 1), 1)\n})\ntest('subtracts more', () => {\n  assert.equal(sub(2, 3), -1)\n})\n`

const write = (path: string, text: string) => `cat > ${path} <<'END'\n${text}END\n`
const mended = write('math.js', `${code}exports.sub = (a, b) => a - b\n`)

async function play(id: string, agent: string, config: object = {}, command = 'node --test'): Promise<ExecutionView> {
  const files = shellProject({
    agent: `cat > /dev/null\n${agent}${commitAndPush('rg-1', 'Subtract')}`,
    config: { verify: [{ type: 'test', name: 'tests', command }], ...config },
  })
  await world.addProject(id, { ...files, 'math.js': code, 'test/add.test.js': `${head}${adds}` }, [
    { id: 'rg-1', title: 'Subtract' },
  ])
  const ended = await world.run(id, 'rg-1')
  expect(ended.state).toBe('COMPLETED')
  return ended
}

test('new tests that fail without the change are noted on the bead, and are no warning sign', async () => {
  const ended = await play('red', `${mended}${write('test/sub.test.js', `${head}${subtracts}`)}`)
  expect(ended.redGreen).toMatchObject({
    is: 'red',
    text: '2 new tests, both fail without the change',
    commit: ended.commit,
  })
  expect(ended.signs).toEqual([])
  // They ran in a container of their own, and their failure is not one of the checks.
  expect(ended.verifications.every(({ passed }) => passed)).toBe(true)
  expect(ended.sessions.find(({ id }) => id === ended.redGreen?.session)).toMatchObject({ kind: 'verify' })
})

test('new tests that pass even without the change are a warning sign', async () => {
  const ended = await play(
    'green',
    `${mended}${write('test/more.test.js', `${head}${adds.replace('adds', 'adds again')}`)}`,
  )
  expect(ended.redGreen).toMatchObject({ is: 'green', text: '1 new test, and it passes without the change' })
  expect(ended.signs).toEqual([ended.redGreen?.text])
})

test('new tests in a file that has others are counted apart', async () => {
  const ended = await play(
    'partly',
    `${mended}${write('test/add.test.js', `${head}${adds}${adds.replace('adds', 'adds again')}${subtracts}`)}`,
  )
  expect(ended.redGreen).toMatchObject({ is: 'partly', text: '3 new tests, 2 of them fail without the change' })
})

test('a code change without any test is a warning sign; a change of words is not', async () => {
  const ended = await play('untested', mended)
  expect(ended.redGreen).toMatchObject({ is: 'no_tests', session: null })
  expect(ended.signs).toEqual(['The code was changed without any test'])
  const words = await play('words', 'echo more >> README.md\n')
  expect(words.redGreen).toBeUndefined()
  expect(words.signs).toEqual([])
})

test('if the command cannot choose tests, nobody is told that they passed', async () => {
  const change = `${mended}${write('test/sub.test.js', `${head}${subtracts}`)}`
  const ended = await play('unchosen', change, {}, 'node --test && true')
  expect(ended.redGreen).toMatchObject({ is: 'unknown', session: null })
  expect(ended.signs).toEqual([])
})

test('verification.redGreen: false turns it off', async () => {
  const ended = await play('off', mended, { verification: { redGreen: false } })
  expect(ended.redGreen).toBeUndefined()
  expect(ended.signs).toEqual([])
})

test('whatever the tests do to their container or their output decides nothing', async () => {
  const loud = `${head}${subtracts}if (!sub) { console.log('✔ fine\\n'.repeat(200000)); process.kill(process.pid, 9) }\n`
  const ended = await play('hostile', `${mended}${write('test/sub.test.js', loud)}`)
  expect(ended.redGreen?.is).toMatch(/red|partly|unknown/)
})
