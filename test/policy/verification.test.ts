// @suite policy-long
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { checkRows } from '../support/check-rows.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* The decision whether work is good, and the report to the next attempt. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const beads = [{ id: 'vf-1', title: 'Verify me' }]
const publish = commitAndPush('vf-1', 'Verify me')
const run = async (id: string, agent: string, config: object, files: Record<string, string> = {}) => {
  const { remote } = await world.addProject(id, { ...shellProject({ agent, config }), ...files }, beads)
  return { remote, ended: await world.run(id, 'vf-1') }
}
const flags = ({ flags }: ExecutionView) => flags.map(({ kind }) => kind)

/** Changes the content each time, so every attempt makes progress; keeps the prompt of each in the repository. */
const counting = `cat > "prompt-$(ls prompt-* 2>/dev/null | wc -l).txt"; n=$(ls prompt-* | wc -l); echo "$n" > count.txt
${publish}`

describe('steps', () => {
  const verify = [
    { type: 'build', command: 'echo compiling; test -f count.txt' },
    {
      type: 'test',
      command: 'echo "3 tests"; [ "$(cat count.txt)" -ge 2 ] || { echo "FAIL adds two numbers"; exit 1; }',
    },
    { type: 'lint', name: 'style', command: 'echo "no problems"' },
    { type: 'custom', name: 'licences', command: 'echo "all known"' },
  ]

  test('run in their order, each with its own outcome; a build that fails leaves out the rest', async () => {
    const { ended } = await run('steps', counting, { verify })
    expect(ended.state).toBe('COMPLETED')
    expect(checkRows(ended)).toEqual([
      '1.1 build passed',
      '1.1 test failed',
      '1.1 style passed',
      '1.1 licences passed',
      '1.2 build passed',
      '1.2 test failed',
      '1.2 style passed',
      '1.2 licences passed',
      '2.1 build passed',
      '2.1 test passed',
      '2.1 style passed',
      '2.1 licences passed',
    ])
    for (const { summary, durationMs } of ended.verifications) {
      expect(summary).toMatch(/^.{1,100}$/)
      expect(durationMs).toBeGreaterThanOrEqual(0)
    }
    expect(ended.verifications.map(({ type }) => type).slice(0, 4)).toEqual(['build', 'test', 'lint', 'custom'])
    const broken = [{ type: 'build', command: 'echo "src/a.ts(1,2): error TS2322: wrong"; exit 2' }, ...verify.slice(1)]
    const other = await run('steps-build', counting, { verify: broken, verification: { maxAttempts: 1 } })
    expect(checkRows(other.ended)).toEqual(['1.1 build failed', '1.2 build failed'])
    expect(other.ended.verifications[0]).toMatchObject({ tool: 'tsc', type: 'build', failures: 1, exitCode: 2 })
  })

  test('have a time limit each, and a late step fails with it', async () => {
    const slow = [{ type: 'test', command: 'echo before; sleep 100', timeoutSeconds: 1 }]
    const { ended } = await run('late', counting, { verify: slow, verification: { maxAttempts: 1 } })
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
    expect(ended.verifications[0]).toMatchObject({ passed: false, exitCode: null })
    expect(ended.verifications[0]?.digest).toMatch(/did not end within 1 s/)
  })

  test('a command that does not exist ends it at once: no attempt would find it', async () => {
    const { ended } = await run('missing', counting, { verify: [{ type: 'test', command: 'no-such-runner' }] })
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'tests_failed', attempt: 1 })
    expect(checkRows(ended)).toEqual(['1.1 test failed'])
  })
})

test('the next attempt is told the original task first, then a digest, newest first, and what to do', async () => {
  const fails = 'n=$(cat count.txt); [ "$n" = 3 ] && exit 0; seq 1 5000; echo "FAIL number $n"; exit 1'
  const reads = `for log in $(grep -o '\\.beadloom/execution/[^, ]*' "prompt-$((n - 1)).txt"); do
  echo "$log $(grep -cx '[0-9][0-9]*' "$log") $(grep -o 'FAIL number [0-9]' "$log")"; done > "seen-$((n - 1)).txt"
${publish}`
  const reading = counting.replace(publish, reads)
  const { remote, ended } = await run('told', reading, { verify: [{ type: 'test', command: fails }] })
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 3 })
  const prompt = (number: number) => git(remote, 'show', `beadloom/work:prompt-${number}.txt`)
  const [first, third] = [prompt(0), prompt(2)]
  expect(first).not.toContain('PREVIOUS ATTEMPT')
  const [before, after] = third.split('---\nPREVIOUS ATTEMPT 2 FAILED VERIFICATION:\n')
  expect(first.startsWith(before!.trimEnd())).toBe(true)
  expect(after!.indexOf('FAIL number 2')).toBeGreaterThan(-1)
  expect(after!.indexOf('FAIL number 1')).toBeGreaterThan(after!.indexOf('FAIL number 2'))
  expect(after).toContain('---\nFix the issues above and complete the original task.')
  expect(third.length - first.length).toBeLessThan(2000 + 500)
  // All output of the checks is in files that the prompt names and that no commit has.
  const logs = [...after!.matchAll(/\.beadloom\/execution\/attempt-(\d)\/check-\d+\.log/g)]
  expect(logs.map(([, attempt]) => attempt)).toEqual(['2', '1'])
  expect(git(remote, 'show', 'beadloom/work:seen-2.txt').split('\n')).toEqual([
    `${logs[0]?.[0]} 5000 FAIL number 2`,
    `${logs[1]?.[0]} 5000 FAIL number 1`,
  ])
  expect(git(remote, 'ls-tree', '-r', '--name-only', 'beadloom/work')).not.toContain('.beadloom')
})

test('the next attempt is told which check failed by which command, and all that it has to pass; a linter is no test', async () => {
  const late = (words: string) => `echo "${words} $(cat count.txt)"; test $(cat count.txt) -ge 2`
  const verify = [
    { type: 'test', command: 'echo "1 test"' },
    { type: 'lint', name: 'style', command: late('ugly') },
    { type: 'custom', name: 'licences', command: late('unknown owner') },
  ]
  const { remote, ended } = await run('named', counting, { verify })
  expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2 })
  const prompt = git(remote, 'show', 'beadloom/work:prompt-1.txt')
  expect(prompt).toContain(`The check style (${late('ugly')}) failed:\n[LINT] `)
  expect(prompt).toContain(`The check licences (${late('unknown owner')}) failed:\n[CUSTOM] unknown owner 1\n`)
  expect(prompt).toContain('All of these have to pass, in this order')
  expect(prompt).toContain('\n- test (echo "1 test")\n- style (echo')

  const lint = await run('lint', counting, {
    verify: [{ type: 'lint', command: 'exit 1' }],
    verification: { maxAttempts: 1 },
  })
  expect(lint.ended.detail).toMatch(/^The linter still reports problems after 1 attempt/)
})

/** The container of the `number`th check of an execution, once it has printed "checking". */
async function checking(id: string, number: number): Promise<string> {
  const started = async () => {
    const check = (await world.execution(id)).sessions.filter(({ kind }) => kind === 'verify')[number]
    return check && (await world.log(check.id)).includes('checking')
  }
  await world.until(async () => Boolean(await started()))
  const [container] = await world.containers.of(id, 'verify')
  return container ?? ''
}

test('a failed verification is run once more on the same commit; a different outcome costs no attempt and is shown', async () => {
  // A check finds nothing left by the one before, so its outcome comes from outside.
  const command = 'echo checking; until [ -s /tmp/outcome ]; do sleep 0.1; done; exit "$(cat /tmp/outcome)"'
  const agent = `cat > /dev/null; echo work > work.txt; ${publish}`
  const outcomes = async (project: string, ...exits: number[]) => {
    const config = { verify: [{ type: 'test', command }], verification: { maxAttempts: 1 } }
    await world.addProject(project, shellProject({ agent, config }), beads)
    const { id } = await world.queue(project, 'vf-1')
    for (const [number, exit] of exits.entries())
      await world.containers.write(await checking(id, number), '/tmp/outcome', `${exit}\n`)
    return world.ended(id)
  }
  const steady = await outcomes('steady', 1, 1)
  expect(checkRows(steady)).toEqual(['1.1 test failed', '1.2 test failed'])
  expect(steady.state).toBe('FAILED')
  expect(flags(steady)).not.toContain('flaky')

  const flaky = await outcomes('flaky', 1, 0)
  expect(checkRows(flaky)).toEqual(['1.1 test failed', '1.2 test passed'])
  expect(flaky).toMatchObject({ state: 'COMPLETED', attempt: 1 })
  expect(flaky.flags).toEqual([
    { kind: 'flaky', text: expect.stringContaining('failed and then passed on the same commit') },
  ])
})

describe('a check that breaks because its container does', () => {
  const waits = 'echo checking; sleep 600'
  /** Removes the container of the running check. */
  const breakCheck = async (id: string, number: number) => world.containers.remove(await checking(id, number))

  test('is not the fault of the work: it costs no attempt, and the run policy decides about a repetition', async () => {
    await world.addProject(
      'lost-check',
      shellProject({ agent: counting, config: { verify: [{ type: 'test', command: waits }] } }),
      beads,
    )
    const { id } = await world.queue('lost-check', 'vf-1', { retryCount: 1, retryDelay: 1 })
    await breakCheck(id, 0)
    await breakCheck(id, 1)
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'retries_exhausted', attempt: 1, retryAttempt: 1 })
    expect(ended.sessions.map(({ kind }) => kind).filter((kind) => kind !== 'setup')).toEqual([
      'work',
      'verify',
      'verify',
    ])
    expect(checkRows(ended)).toEqual([])
    expect(await world.containers.of(id)).toEqual([])
  })
})

describe('no progress', () => {
  test('the same failure without a change ends it at once, with that reason', async () => {
    const agent = `cat > /dev/null; echo same > work.txt; ${publish.replace('git commit', '(git diff --cached --quiet || git commit').replace(' && git push', ') && git push')}`
    const { ended } = await run('still', agent, { verify: [{ type: 'test', command: 'echo "FAIL it"; exit 1' }] })
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'no_progress', attempt: 2 })
    expect(flags(ended)).toContain('no_progress')
    expect(ended.verifications.at(-1)?.verdict).toBe('same')
  })

  test('the same failure with a change continues: there is something new to judge', async () => {
    const { ended } = await run('moving', counting, { verify: [{ type: 'test', command: 'echo "FAIL it"; exit 1' }] })
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted', attempt: 3 })
    expect(ended.signs.length).toBeGreaterThan(0)
  })
})

describe('weakened tests', () => {
  const test1 =
    'test("adds", () => { expect(add(1, 1)).toBe(2) })\ntest("subtracts", () => { expect(sub(2, 1)).toBe(1) })\n'
  const verify = [
    { type: 'test', command: 'grep -q "test.skip" math.test.js || [ -f fixed.txt ] || { echo "FAIL adds"; exit 1; }' },
  ]

  test('do not count as passed if they had failed, and the next attempt is told', async () => {
    const agent = `cat > prompt.txt; cat prompt.txt >> all.txt
if grep -q 'because they were weakened' prompt.txt; then git checkout -q origin/main -- math.test.js; echo yes > fixed.txt
elif grep -q 'PREVIOUS ATTEMPT' prompt.txt; then sed -i 's/^test("adds"/test.skip("adds"/' math.test.js
else echo first > first.txt; fi
${publish}`
    const { ended } = await run('weakened', agent, { verify }, { 'math.test.js': test1 })
    expect(checkRows(ended)).toContain('2.1 tests kept failed')
    expect(flags(ended)).toContain('tampered')
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 3 })
  })
})

test('wrong steps in beadloom.json are named, and nothing starts', async () => {
  const { view } = await world.addProject(
    'wrong-steps',
    shellProject({ agent: 'true', config: { verify: [{ type: 'tests', command: '' }], retry: { retryCount: 99 } } }),
    beads,
  )
  expect(view.problem).toContain('verify.0.type')
  expect(view.problem).toContain('verify.0.command')
  expect(view.problem).toContain('retry.retryCount')
})
