// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* A script that a check starts decides about the work like a test, whatever its name. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const run = '[ "$(sh prog.sh x)" = 43 ] || exit 1\n[ "$(sh prog.sh y)" = 44 ] || exit 1\n'
const prog = 'case $1 in x) echo 43 ;; *) echo 44 ;; esac\n'
const write = (path: string, text: string) => `cat > ${path} <<'END'\n${text}END\n`

async function play(id: string, agent: string, verification: object = {}) {
  const files = shellProject({
    agent: `cat > /dev/null\n${agent}${commitAndPush('st-1', 'Make it faster')}`,
    config: {
      verify: [{ type: 'test', name: 'tests', command: 'sh checks/run.sh' }],
      verification: { maxAttempts: 1, redGreen: false, ...verification },
    },
  })
  const project = { ...files, 'checks/run.sh': run, 'prog.sh': prog }
  await world.addProject(id, project, [{ id: 'st-1', title: 'Make it faster' }])
  return world.run(id, 'st-1')
}

test('a script that checks nothing any more is refused, and so is the work that needs it', async () => {
  const ended = await play('gutted', write('checks/run.sh', 'echo all fine\n') + write('prog.sh', 'echo 7\n'))
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
  expect(ended.verifications.at(-1)?.findings).toEqual([
    'checks/run.sh, which a check starts, lost 2 assertions: [ "$(sh prog.sh x)" = 43 ] || exit 1',
  ])
})

const other = write('checks/run.sh', run.replace('44', '45')) + write('prog.sh', prog.replace('44', '45'))

test('another value in it is shown to people, with what its old form says', async () => {
  const ended = await play('other', other)
  expect(ended.state).toBe('COMPLETED')
  const told = ended.flags.flatMap(({ kind, text }) => (kind === 'tests_changed' ? [text] : []))
  expect(told.join('\n')).toContain('files that a check starts changed: checks/run.sh')
  expect(told.join('\n')).toContain('passed before the work, and fails with its tests as they were')
})

test('and refused if the project wants the tests as they were', async () => {
  const ended = await play('refused', other, { originalTests: 'refuse' })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_weakened' })
})

test('an added check is no reason to ask anybody', async () => {
  const ended = await play('added', `echo '[ "$(sh prog.sh z)" = 44 ] || exit 1' >> checks/run.sh\n`)
  expect(ended).toMatchObject({ state: 'COMPLETED', flags: [] })
})
