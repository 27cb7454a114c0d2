import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'
import { git, type Files } from '../support/repository.ts'
import { commitAndPush } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Projects without a test suite: the first bead creates one, or the project says that it wants none. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const bead = { id: 'nt-1', title: 'Begin' }
const publish = commitAndPush('nt-1', 'Begin')

async function run(id: string, agent: string, config: object = {}, beads = [bead]) {
  const files: Files = {
    'beadloom.json': JSON.stringify({ agent: 'command', command: 'sh agent.sh', ...config }),
    'agent.sh': agent,
    'README.md': 'Nothing yet.\n',
  }
  const { remote, view } = await world.addProject(id, files, beads)
  return { remote, view, ended: await world.run(id, 'nt-1') }
}
const rows = ({ verifications }: ExecutionView) =>
  verifications.map(
    ({ attempt, name, passed, made }) => `${attempt} ${name} ${passed ? 'passed' : 'failed'}${made ? ' (made)' : ''}`,
  )
const keepPrompt = 'cat > "prompt-$(ls prompt-* 2>/dev/null | wc -l).txt"\n'
const makes = (recipe: string) => `printf 'test:\\n\\t${recipe}\\n' > Makefile\n`

test("an agent is told to make a test suite, which is found on its commit, run, and shown as the agent's own", async () => {
  const agent = `${keepPrompt}${makes('grep -q hello hello.txt')}echo hello > hello.txt\n`
  const { remote, view, ended } = await run('greenfield', agent, {}, [bead, { id: 'nt-2', title: 'Go on' }])
  expect(view.problem).toBeNull()
  expect(view.warnings.join(' ')).toContain('told to make a test suite')
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
  expect(rows(ended)).toEqual(['1 test passed (made)'])
  expect(ended.flags).toEqual([
    {
      kind: 'checks_made',
      text: 'the project had no tests: this bead made the checks that it passed, test (make -k test)',
    },
  ])
  const told = git(remote, 'show', 'beadloom/work:prompt-0.txt')
  expect(told).toContain('Test Command: none yet: create a test suite first')
  expect(told).toMatch(/has no test suite yet, so creating one is part of this task.*package\.json.*Makefile/)

  // The base branch has none until a person merges. The next bead has them anyway, and did not make them.
  const next = await world.run('greenfield', 'nt-2')
  expect(next.state).toBe('COMPLETED')
  expect(rows(next)).toEqual(['1 test passed'])
  expect(git(remote, 'show', 'beadloom/work:prompt-1.txt')).toContain('Test Command: make -k test')
})

longTest('the usual command prepares it, unless the project names another', async () => {
  const manifest = '{"scripts":{"test":"test -f made/ready","install":"mkdir -p made && touch made/ready"}}'
  const agent = `cat > /dev/null\necho '${manifest}' > package.json; echo made > .gitignore\n${publish}`
  const { ended } = await run('prepared', agent)
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
  expect(ended.sessions.map(({ kind }) => kind)).toContain('setup')
  const own = await run('own-setup', agent, { setup: null, verification: { maxAttempts: 1 } })
  expect(own.ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
})

longTest('a suite that fails costs the attempt like any other, even if its command is missing', async () => {
  const agent = `cat > prompt.txt
if grep -q 'PREVIOUS ATTEMPT' prompt.txt; then ${makes('true')}else
printf '{"scripts":{"test":"no-such-tool"}}' > package.json; fi
test -f Makefile && rm -f package.json
${publish}`
  const { ended } = await run('mended', agent)
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2 })
  expect(rows(ended)).toEqual(['1 test failed (made)', '1 test failed (made)', '2 test passed (made)'])
})

longTest('work without a suite is never COMPLETED: it is filed, and the agent was told', async () => {
  const agent = `${keepPrompt}date +%N > work.txt\n${publish}`
  const { ended } = await run('never', agent, { verification: { maxAttempts: 2 } })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'no_checks', attempt: 2 })
  expect(rows(ended)).toEqual(['1 test suite failed', '2 test suite failed'])
  expect(ended.verifications[0]?.digest).toMatch(/no test suite.*Create one.*Makefile/)
  expect(ended.detail).toMatch(/^The project has no test suite, and 2 attempts made none\./)
  const filed = await world.get<BeadView>(`/api/projects/never/beads/${ended.followUps[0]?.bead}`)
  expect(filed.title).toBe('No test suite: Begin')
})

longTest('work is neither COMPLETED nor a standstill when the next agent only shrugs', async () => {
  const { ended } = await run('shrugs', `cat > /dev/null\ntest -f a || { touch a; ${publish.trim()}; }\n`)
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'no_checks', attempt: 2 })
})

longTest(
  '"verify": [] takes an agent\'s commits, and the result says wherever it is shown that nothing checked them',
  async () => {
    const { remote, view, ended } = await run('unchecked', `${keepPrompt}echo hi > hi.txt\n${publish}`, { verify: [] })
    expect(view.problem).toBeNull()
    expect(view.warnings.join(' ')).toContain('Nothing checks the work of agents here')
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1 })
    expect(ended.detail).toMatch(/^Not verified, because the project says "verify": \[\]: merged into beadloom\/work/)
    expect(ended.flags).toEqual([{ kind: 'unverified', text: 'nothing was checked: the project says "verify": []' }])
    expect(rows(ended)).toEqual(['1 no checks passed'])
    expect(ended.sessions.map(({ kind }) => kind)).not.toContain('verify')
    expect(git(remote, 'show', 'beadloom/work:prompt-0.txt')).not.toContain('has no test suite yet')
  },
)

longTest('"verify": [] still wants a commit', async () => {
  const { ended } = await run('unchecked-idle', 'cat > /dev/null\n', { verify: [], verification: { maxAttempts: 1 } })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'nothing_committed' })
})

longTest('tests that no known tool runs start no agent, and are not called missing', async () => {
  const files: Files = {
    'beadloom.json': JSON.stringify({ agent: 'command', command: 'sh agent.sh' }),
    'agent.sh': makes('true'),
    'lib/sum_test.zig': 'test "adds" {}\n',
    'spec/sum.spec.js': 'it("adds", () => {})\n',
  }
  const { view } = await world.addProject('untold', files, [bead])
  const told =
    /^There are tests, such as lib\/sum_test\.zig, but no command that runs them was found, so nothing starts\./
  expect(view.warnings).toEqual([expect.stringMatching(told)])
  const { id } = await world.queue('untold', 'nt-1')
  const reason = async () => (await world.get<BeadView>('/api/projects/untold/beads/nt-1')).reason
  await world.until(async () => (await reason())?.code === 'base_broken')
  expect((await reason())?.text).toMatch(told)
  expect((await reason())?.text).toContain('Name the command as "test" in beadloom.json')
  expect(await world.execution(id)).toMatchObject({ state: 'QUEUED', sessions: [] })

  // A person answers, and it starts.
  const answer = await world.api('PATCH', '/api/projects/untold/settings', { revision: 0, changes: { test: 'true' } })
  expect(answer.status).toBe(200)
  expect(await world.ended(id)).toMatchObject({ state: 'COMPLETED' })
})
