// @suite policy-long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DiffView } from '@beadloom/core/api/executions/diff-api.ts'
import { checkRows } from '../support/check-rows.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* An agent cannot get weaker tests past the checks by waiting, by trying again, or in other ways. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const tests =
  'test("adds", () => {\n  expect(add(1, 1)).toBe(2)\n})\ntest("subtracts", () => {\n  expect(sub(2, 1)).toBe(1)\n})\n'
/** A runner for which the test "adds" fails until the code is fixed, in whatever form the test still runs. */
const run = 'if grep -qs "^test(.adds" *.test.js && [ ! -f mended.txt ]; then echo "FAIL adds"; exit 1; fi'
const push = commitAndPush('wt-1', 'Weaken me')
const pushIfAny = `git add -A; git diff --cached --quiet || git commit -q -m "Bead wt-1: Weaken me"; git push -q\n`
/** The agent's steps in its first, second and third session. */
const sessions = (...steps: string[]) =>
  `cat > /tmp/prompt.$$; n=$(cat .git/count 2>/dev/null || echo 0); n=$((n + 1)); echo $n > .git/count
case $n in ${steps.map((step, at) => `${at + 1}) ${step} ;;`).join('\n')} esac
${pushIfAny}`
const skip = `sed -i 's/^test("adds"/test.skip("adds"/' math.test.js`
const change = 'date +%N > note.txt'

async function play(id: string, agent: string, more: { type?: string; description?: string } = {}) {
  const config = { verify: [{ type: more.type ?? 'test', name: 'tests', command: run }] }
  const bead = { id: 'wt-1', title: 'Weaken me', ...(more.description && { description: more.description }) }
  const { remote } = await world.addProject(id, { ...shellProject({ agent, config }), 'math.test.js': tests }, [bead])
  return { remote, ended: await world.run(id, 'wt-1') }
}
/** The published tests. */
const publishedTests = (remote: string) => git(remote, 'show', 'beadloom/work:math.test.js')

describe('an agent that sits it out is not done', () => {
  test.each<[string, string, string?]>([
    ['leaves the skip where it is, without a commit', sessions(change, skip, ':')],
    ['leaves the skip where it is, under more work', sessions(change, skip, change)],
    ['deletes the failing test at once, and then changes something else', sessions('rm math.test.js', change, change)],
    [
      'puts another test in the place of the failing one',
      sessions(
        change,
        `printf 'test("subtracts", () => {\\n  expect(sub(2, 1)).toBe(1)\\n  expect(sub(3, 1)).toBe(2)\\n  expect(sub(4, 1)).toBe(3)\\n})\\n' > math.test.js`,
        change,
      ),
    ],
    [
      'moves the test to where no runner looks, and is refused by a check that is no test',
      sessions(skip, 'git mv math.test.js math.old', change),
      'custom',
    ],
    [
      'skips it at once, and makes a commit of each kind after',
      sessions(skip, `${change}; git add -A; git commit -qm one; ${change}`, change),
      'custom',
    ],
  ])('%s', async (name, agent, type) => {
    const { remote, ended } = await play(`sit-${name.replace(/\W+/g, '-').slice(0, 30)}`, agent, type ? { type } : {})
    expect(ended.state).toBe('FAILED')
    expect(checkRows(ended).at(-1)).toMatch(/tests kept failed$/)
    expect(ended.flags.map(({ kind }) => kind)).toContain('tampered')
    expect(publishedTests(remote)).toBe(tests.trimEnd())
  })

  test.each([
    ['code that equals everything', `printf 'class A:\\n    def __eq__(self, other):\\n        return True\\n' > a.py`],
    ['code that changes the runner', `printf 'unittest.TestCase.assertEqual = print\\n' > a.py`],
  ])('that writes %s is refused with its file', async (name, way) => {
    const { ended } = await play(`reach-${name.length}`, sessions(`touch mended.txt; ${way}`, change, change))
    expect(checkRows(ended).at(-1)).toMatch(/tests kept failed$/)
    expect(ended.verifications.at(-1)?.summary).toContain('a.py')
  })

  test('comes back in another execution of the bead', async () => {
    const { remote, ended } = await play('sit-again', sessions(skip, skip, skip, change, change, change))
    expect(checkRows(ended).at(-1)).toMatch(/tests kept failed$/)
    const again = await world.run('sit-again', 'wt-1')
    expect(again.state).toBe('FAILED')
    expect(checkRows(again).at(-1)).toMatch(/tests kept failed$/)
    expect(publishedTests(remote)).toBe(tests.trimEnd())
  })
})

test('restored tests count, and the agent is told what to restore', async () => {
  const agent = sessions(
    skip,
    `grep -q 'because they were weakened' /tmp/prompt.$$ && git checkout -q origin/main -- math.test.js; echo yes > mended.txt`,
  )
  const { ended } = await play('restored', agent)
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2 })
})

test('a bead that asks for it may remove the test, at once', async () => {
  const { ended } = await play('asked-for', sessions(`sed -i 1,3d math.test.js`), {
    description: 'Remove the test "adds": nobody adds any more.',
  })
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
})

describe('a person allows it', () => {
  test('and the work is checked again without an agent, published, and the record says who and why', async () => {
    const { remote, ended } = await play('allowed', sessions(skip, ':', ':'))
    expect(ended.state).toBe('FAILED')
    const body = { why: 'adding is over', by: 'ann' }
    const done = await world.allow(ended.id, body)
    expect(done.state).toBe('COMPLETED')
    expect(done.sessions.map(({ kind }) => kind)).not.toContain('work')
    expect(done.testsAllowed).toEqual([
      {
        ...body,
        at: expect.any(Number),
        commit: expect.any(String),
        findings: [expect.stringContaining('math.test.js')],
      },
    ])
    expect(done.flags.map(({ text }) => text).join()).toContain('allowed by ann: adding is over')
    expect(publishedTests(remote)).toContain('test.skip')
    // The diff shows what was checked again: all of the work, not the empty addition to it.
    const { files } = await world.get<DiffView>(`/api/executions/${done.id}/diff`)
    expect(files.map(({ path }) => path)).toContain('math.test.js')
    expect(done.diffSize?.files).toBe(files.length)
    // Nothing is refused any more.
    expect((await world.api('POST', `/api/executions/${done.id}/allow-tests`, {})).status).toBe(409)
  })

  test('but only what they saw: further weakening is refused again', async () => {
    const { ended } = await play(
      'allowed-once',
      sessions(`if grep -q test.skip math.test.js; then rm math.test.js; else ${skip}; fi`, ':', ':'),
    )
    expect((await world.run('allowed-once', 'wt-1')).state).toBe('FAILED')
    const again = await world.allow(ended.id, { why: 'fine' })
    expect(again.state).toBe('FAILED')
    expect(checkRows(again)).toContain('1.1 tests kept failed')
  })

  test('and nothing else can be allowed', async () => {
    const { ended } = await play('not-refused', `cat > /dev/null; ${change}; ${push}`)
    expect((await world.api('POST', `/api/executions/${ended.id}/allow-tests`, {})).status).toBe(409)
    expect((await world.api('POST', '/api/executions/ex-aaaaaaaaaa/allow-tests', {})).status).toBe(404)
  })
})
