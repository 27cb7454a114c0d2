import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page } from '@beadloom/core/api/api.ts'
import { git } from '../support/repository.ts'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { longDescribe, longTest } from '@beadloom/core/testing/long-test.ts'

/* Every end that one bead can reach, from the HTTP request to the remote, with a shell script as the agent. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const bead = (id: string, title = 'Write a greeting') => ({ id, title })
const beadStatus = async (project: string, id: string) =>
  (await world.get<{ status: string }>(`/api/projects/${project}/beads/${id}`)).status

describe('a bead whose work is good', () => {
  test('is COMPLETED, merged into the work branch, published, and its container is gone', async () => {
    const { remote } = await world.addProject(
      'good',
      shellProject({
        agent: `cat > prompt.txt; echo hello > greeting.txt\n${commitAndPush('bl-1', 'Write a greeting')}`,
        test: 'grep -q hello greeting.txt\n',
      }),
      [bead('bl-1')],
    )
    const ended = await world.run('good', 'bl-1')
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 1, branch: 'beads-bl-1-write-a-greeting' })
    expect(await beadStatus('good', 'bl-1')).toBe('done')
    expect(git(remote, 'rev-parse', 'refs/heads/beads-bl-1-write-a-greeting')).toBe(ended.commit)
    expect(git(remote, 'show', 'beadloom/work:greeting.txt')).toBe('hello')
    const prompt = git(remote, 'show', 'beadloom/work:prompt.txt')
    expect(prompt).toContain('TASK: Bead #bl-1 - Write a greeting')
    expect(prompt).toMatch(/^1\. Implement the required changes$/m)
    expect(prompt).toMatch(/^3\. Run test suite: sh test\.sh$/m)
    expect(git(remote, 'log', '-1', '--format=%s', 'beads-bl-1-write-a-greeting')).toBe('Bead bl-1: Write a greeting')
    expect(await world.containers.of(ended.id)).toEqual([])
  })

  longTest('that was neither committed nor pushed is committed and pushed by the orchestrator', async () => {
    const { remote } = await world.addProject(
      'lazy',
      shellProject({ agent: 'echo hello > greeting.txt\n', test: 'test -f greeting.txt\n' }),
      [bead('bl-2')],
    )
    const ended = await world.run('lazy', 'bl-2')
    expect(ended.state).toBe('COMPLETED')
    expect(git(remote, 'log', '-1', '--format=%s', ended.branch)).toBe('Bead bl-2: Write a greeting')
  })

  test('after a failed verification is COMPLETED by a fresh session on the kept workspace, which was told why', async () => {
    const agent = `cat > prompt.txt
if grep -q 'PREVIOUS ATTEMPT 1 FAILED VERIFICATION' prompt.txt && test -f left-by-attempt-1; then
  grep -q 'the greeting is wrong' prompt.txt && echo hello > greeting.txt
else
  touch left-by-attempt-1; echo wrong > greeting.txt
fi
${commitAndPush('bl-3', 'Write a greeting')}`
    await world.addProject(
      'second',
      shellProject({ agent, test: 'grep -q hello greeting.txt || { echo "Error: the greeting is wrong"; exit 1; }\n' }),
      [bead('bl-3')],
    )
    const ended = await world.run('second', 'bl-3')
    expect(ended).toMatchObject({ state: 'COMPLETED', attempt: 2 })
    const work = ended.sessions.filter(({ kind }) => kind === 'work')
    expect(work.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
      [1, 'success'],
      [2, 'success'],
    ])
    expect(work[0]?.container).toBe(work[1]?.container)
  })
})

longDescribe('a bead whose work is not good', () => {
  longTest(
    'fails after three attempts, one after the other without a delay, keeps its branch, and stays in progress',
    async () => {
      const { remote } = await world.addProject(
        'never',
        shellProject({
          agent: `date +%N >> tries.txt; echo "this is try $(wc -l < tries.txt)"\n${commitAndPush('bl-4', 'Try')}`,
          test: 'echo "assertion failed: no"; exit 1\n',
        }),
        [bead('bl-4')],
      )
      // The run policy is for what broke, not for what failed: it neither delays nor counts these attempts.
      const ended = await world.run('never', 'bl-4', { retryCount: 5, retryDelay: 60_000 })
      expect(ended).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted', attempt: 3, retryAttempt: 0 })
      const work = ended.sessions.filter(({ kind }) => kind === 'work')
      expect(work.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
        [1, 'success'],
        [2, 'success'],
        [3, 'success'],
      ])
      expect(ended.verifications.map(({ attempt, run, passed }) => [attempt, run, passed])).toEqual(
        [1, 2, 3].flatMap((attempt) => [1, 2].map((run) => [attempt, run, false])),
      )
      expect((await world.events(ended.id)).filter(({ type }) => type === 'retry')).toEqual([])
      expect(ended.detail).toContain('assertion failed: no')
      expect(await beadStatus('never', 'bl-4')).toBe('in_progress')
      // The work branch has the bead's end, and nothing of its work.
      expect(git(remote, 'for-each-ref', '--format=%(refname:short)')).toBe('beadloom/work\nmain')
      expect(git(remote, 'diff', '--name-only', 'main', 'beadloom/work')).toBe('.beads/issues.jsonl')
    },
  )

  longTest('has a log of each of its attempts, though its end is that of the last one', async () => {
    const { items } = await world.get<Page<{ id: string }>>('/api/executions?project=never')
    const { sessions } = await world.execution(items[0]?.id ?? '')
    const work = sessions.filter(({ kind }) => kind === 'work')
    const logs = await Promise.all(work.map(({ id }) => world.log(id)))
    expect(logs.map((text) => text.match(/this is try \d/g))).toEqual([1, 2, 3].map((n) => [`this is try ${n}`]))
  })

  longTest('without any commit fails verification for that reason', async () => {
    await world.addProject(
      'idle',
      shellProject({ agent: 'echo thinking\n', config: { verification: { maxAttempts: 1 } } }),
      [bead('bl-5')],
    )
    const ended = await world.run('idle', 'bl-5')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'nothing_committed', attempt: 1 })
    expect(ended.detail).toContain('No commit arrived')
  })

  longTest(
    'without any commit, twice, is neither failing tests nor a standstill: it is filed under its own reason',
    async () => {
      await world.addProject('idle-twice', shellProject({ agent: 'echo thinking\n' }), [bead('bl-5')])
      const ended = await world.run('idle-twice', 'bl-5')
      expect(ended).toMatchObject({ state: 'FAILED', reason: 'nothing_committed', attempt: 2 })
      expect(ended.flags).toEqual([])
      const [filed] = ended.followUps
      expect(filed).toMatchObject({ kind: 'execution_failed' })
      const view = await world.get<BeadView>(`/api/projects/idle-twice/beads/${filed?.bead}`)
      expect(view.title).toBe('Nothing committed: Write a greeting')
      expect(view.description).toContain('without committing anything')
    },
  )

  longTest('whose commit does not name it is named by a commit all the same', async () => {
    const commit = 'git add -A; git commit -qm "wip"'
    const { remote } = await world.addProject(
      'unnamed',
      shellProject({ agent: `echo hello > greeting.txt; ${commit}\n`, test: 'test -f greeting.txt\n' }),
      [bead('bl-2')],
    )
    const ended = await world.run('unnamed', 'bl-2')
    expect(git(remote, 'log', '-1', '--format=%B', ended.branch).trim()).toBe('Bead bl-2: Write a greeting\n\nwip')
  })

  longTest('that only works with uncommitted files of the session fails: the checkout is clean', async () => {
    const agent = `echo hello > greeting.txt; echo greeting.txt > .gitignore\n${commitAndPush('bl-6', 'Hide')}`
    await world.addProject(
      'hidden',
      shellProject({ agent, test: 'test -f greeting.txt\n', config: { verification: { maxAttempts: 1 } } }),
      [bead('bl-6')],
    )
    expect(await world.run('hidden', 'bl-6')).toMatchObject({ state: 'FAILED', reason: 'verification_exhausted' })
  })

  longTest('whose agent ends with an error is not verified and not repeated', async () => {
    await world.addProject(
      'broken',
      shellProject({ agent: 'echo half > work.txt; echo "cannot go on" >&2; exit 3\n' }),
      [bead('bl-7')],
    )
    const ended = await world.run('broken', 'bl-7')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'agent_failed', attempt: 1 })
    expect(ended.sessions.filter(({ kind }) => kind === 'verify')).toEqual([])
  })
})

describe('BLOCKED', () => {
  test("comes from the agent's own line, with its words, and the bead is blocked", async () => {
    await world.addProject(
      'stuck',
      shellProject({ agent: 'cat > /dev/null; echo "BLOCKED: the licence key is missing"\n' }),
      [bead('bl-8')],
    )
    const ended = await world.run('stuck', 'bl-8')
    expect(ended).toMatchObject({ state: 'BLOCKED', blockedReason: 'the licence key is missing' })
    expect(await beadStatus('stuck', 'bl-8')).toBe('blocked')
  })

  longTest('is not taken from the echoed prompt', async () => {
    const agent = `cat\necho hello > greeting.txt\n${commitAndPush('bl-9', 'Echo')}`
    await world.addProject('echo', shellProject({ agent }), [bead('bl-9')])
    expect(await world.run('echo', 'bl-9')).toMatchObject({ state: 'COMPLETED' })
  })

  longTest("is not taken from a test's output", async () => {
    const agent = `echo hello > greeting.txt\n${commitAndPush('bl-10', 'Test')}`
    await world.addProject('loud', shellProject({ agent, test: 'echo "BLOCKED: says a test"\n' }), [bead('bl-10')])
    expect(await world.run('loud', 'bl-10')).toMatchObject({ state: 'COMPLETED' })
  })
})

describe('time', () => {
  test('runs out by the wall clock: TIMEOUT, with the leftovers saved on a ref', async () => {
    await world.addProject(
      'slow',
      shellProject({
        agent: 'echo half > work.txt; while true; do echo working; sleep 0.2; done\n',
        config: { limits: { executionTimeoutSeconds: 12 } }, // enough for a loaded machine to start the agent in
      }),
      [bead('bl-11')],
    )
    const ended = await world.run('slow', 'bl-11')
    expect(ended).toMatchObject({ state: 'TIMEOUT', reason: 'wall_clock' })
    expect(await beadStatus('slow', 'bl-11')).toBe('timeout')
    expect(ended.detail).toMatch(/refs\/beadloom\/ex-/)
  })

  longTest('runs out by silence: TIMEOUT with its own reason', async () => {
    await world.addProject(
      'silent',
      shellProject({ agent: 'sleep 600\n', config: { limits: { inactivityTimeoutSeconds: 3 } } }),
      [bead('bl-12')],
    )
    expect(await world.run('silent', 'bl-12')).toMatchObject({ state: 'TIMEOUT', reason: 'silence' })
  })
})

describe('cancel', () => {
  test('stops a running execution, saves its work and gives the bead its former status back', async () => {
    await world.addProject('cancelled', shellProject({ agent: 'echo half > work.txt; echo started; sleep 600\n' }), [
      bead('bl-13'),
    ])
    const { id } = await world.queue('cancelled', 'bl-13')
    await world.printed(id, 'started')
    expect((await world.api('POST', `/api/executions/${id}/cancel`)).status).toBe(202)
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'CANCELLED' })
    expect(ended.detail).toContain('refs/beadloom/')
    expect(await beadStatus('cancelled', 'bl-13')).toBe('open')
    expect(await world.containers.of(id)).toEqual([])
  })

  test('of a queued execution ends it at once, and of an ended one is refused', async () => {
    await world.addProject('paused', shellProject({ agent: 'true\n' }), [bead('bl-14')])
    await world.api('POST', '/api/projects/paused/pause')
    const { id } = await world.queue('paused', 'bl-14')
    await world.api('POST', `/api/executions/${id}/cancel`)
    expect(await world.ended(id)).toMatchObject({ state: 'CANCELLED', startedAt: null })
    expect((await world.api('POST', `/api/executions/${id}/cancel`)).status).toBe(409)
  })
})

test('a bead never has two live executions', async () => {
  await world.addProject('twice', shellProject({ agent: 'true\n' }), [bead('bl-15')])
  await world.api('POST', '/api/projects/twice/pause')
  const answers = await Promise.all(
    [1, 2, 3, 4].map(() => world.api('POST', '/api/projects/twice/beads/bl-15/executions', {})),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409])
})
