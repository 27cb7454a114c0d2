import type { EventView, ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { waitOfKind } from '@beadloom/core/records/wait.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { commitAndPush, shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'
import { longDescribe, longTest } from '@beadloom/core/testing/long-test.ts'

/* The run policy: an execution whose agent broke off runs again, on the same work, as often as the policy says. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

/** Kills the process that runs the agent's shell, as a crash would; the container ends without a result. */
const CRASH = "kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60\n"
const crashesTwice = `cat > /dev/null
echo run >> .git/runs
[ "$(wc -l < .git/runs)" -gt 2 ] || { ${CRASH} }
cp .git/runs runs.txt
${commitAndPush('rt-1', 'Survive')}`

const add = (id: string, agent: string, config: object = {}) =>
  world.addProject(id, shellProject({ agent, config }), [{ id: 'rt-1', title: 'Survive' }])

const retriesOf = async ({ id }: ExecutionView): Promise<EventView['data'][]> =>
  (await world.events(id)).filter(({ type }) => type === 'retry').map(({ data }) => data)
const work = ({ sessions }: ExecutionView) => sessions.filter(({ kind }) => kind === 'work')

longDescribe('an agent that crashes', () => {
  test('ends the execution by default: nothing is retried by itself', async () => {
    await add('crash-once', crashesTwice)
    const ended = await world.run('crash-once', 'rt-1')
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'infra_error', retryCount: 0, retryAttempt: 0 })
    expect(work(ended).map(({ outcome }) => outcome)).toEqual(['infra_error'])
  })

  test('is run again in the same workspace, within the same attempt, until it succeeds', async () => {
    await add('crash-twice', crashesTwice)
    const ended = await world.run('crash-twice', 'rt-1', { retryCount: 3, retryDelay: 10, retryBackoff: 'fixed' })
    expect(ended).toMatchObject({ state: 'COMPLETED', retryCount: 3, retryAttempt: 2, attempt: 1 })
    expect(work(ended).map(({ outcome, attempt }) => [outcome, attempt])).toEqual([
      ['infra_error', 1],
      ['infra_error', 1],
      ['success', 1],
    ])
    const patch = await world.get<{ patch: string }>(`/api/executions/${ended.id}/diff?path=runs.txt`)
    expect(patch.patch).toContain('+run\n+run\n+run')
  })

  test('waits longer each time, visibly', async () => {
    await add('crash-always', `cat > /dev/null; ${CRASH}`)
    const ended = await world.run('crash-always', 'rt-1', { retryCount: 3, retryDelay: 20 })
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'retries_exhausted', retryAttempt: 3 })
    // The execution alone has to show that it was tried, and why it failed at last.
    expect(ended.detail).toMatch(/^Failed 4 times\. Last error: .*killed/)
    const events = await world.events(ended.id)
    const waits = events.flatMap(({ type, data }) => (type === 'retry' ? [(data as { inMs: number }).inMs] : []))
    expect(waits).toEqual([20, 40, 80])
  })

  test('says when the next run starts, and a cancel ends the wait', async () => {
    await add('crash-slow', `cat > /dev/null; ${CRASH}`)
    const { id } = await world.queue('crash-slow', 'rt-1', { retryCount: 1, retryDelay: 60_000 })
    await world.until(async () => (await world.execution(id)).waits?.kind === 'retry')
    const waiting = await world.execution(id)
    expect(waiting).toMatchObject({ state: 'RUNNING', retryAttempt: 1 })
    expect(waitOfKind(waiting.waits, 'retry')?.at).toBeGreaterThan(waiting.startedAt ?? Infinity)
    await world.api('POST', `/api/executions/${id}/cancel`)
    expect(await world.ended(id)).toMatchObject({ state: 'CANCELLED', waits: null })
  })

  test('is run at once when a person does not want to wait; without a wait that is refused', async () => {
    await add('crash-now', `cat > /dev/null; ${CRASH}`)
    const { id } = await world.queue('crash-now', 'rt-1', { retryCount: 1, retryDelay: 60_000 })
    const now = () => world.api('POST', `/api/executions/${id}/retry-now`)
    await world.until(async () => (await world.execution(id)).waits?.kind === 'retry')
    const retry = waitOfKind((await world.execution(id)).waits, 'retry')
    expect((await now()).status).toBe(202)
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'retries_exhausted', retryAttempt: 1, waits: null })
    expect(work(ended)[1]?.startedAt).toBeLessThan(retry?.at ?? 0)
    expect((await world.events(id)).filter(({ type }) => type === 'retry_now')).toHaveLength(1)
    expect((await now()).status).toBe(409)
  })

  test('is not run again when no pattern is in the error', async () => {
    await add('crash-picky', crashesTwice)
    const other = await world.run('crash-picky', 'rt-1', { retryCount: 2, retryDelay: 1, retryOn: ['rate limit'] })
    expect(other).toMatchObject({ state: 'FAILED', reason: 'infra_error', retryAttempt: 0 })
    await add('crash-picked', crashesTwice)
    const ours = await world.run('crash-picked', 'rt-1', {
      retryCount: 2,
      retryDelay: 1,
      retryOn: ['Was KILLED'],
    })
    expect(ours.state).toBe('COMPLETED')
  })

  test('is not run again when the time for it is over', async () => {
    await add('crash-late', crashesTwice)
    const ended = await world.run('crash-late', 'rt-1', { retryCount: 5, retryDelay: 50_000, retryMaxTime: 40_000 })
    expect(ended).toMatchObject({ state: 'FAILED', retryAttempt: 0 })
    expect(await retriesOf(ended)).toEqual([])
  })

  test('has the retries of beadloom.json, and those of the request override them', async () => {
    await add('crash-file', crashesTwice, { retry: { retryCount: 2, retryDelay: 1 } })
    const ended = await world.run('crash-file', 'rt-1')
    expect(ended).toMatchObject({ state: 'COMPLETED', retryCount: 2, retryAttempt: 2 })
    await add('crash-above', crashesTwice, { retry: { retryCount: 2, retryDelay: 1 } })
    expect(await world.run('crash-above', 'rt-1', { retryCount: 0 })).toMatchObject({ state: 'FAILED', retryCount: 0 })
  })

  test('never has more sessions than the execution may have, whatever the policy', async () => {
    await add('crash-bound', `cat > /dev/null; ${CRASH}`, { limits: { maxSessions: 2 } })
    const ended = await world.run('crash-bound', 'rt-1', { retryCount: 9, retryDelay: 1 })
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'retries_exhausted' })
    expect(work(ended)).toHaveLength(2)
    expect(ended.detail).toContain('2 sessions')
  })
})

longDescribe('a container that somebody stops from outside', () => {
  const waits = (bead: string) => `cat > /dev/null
echo run >> .git/runs
[ "$(wc -l < .git/runs)" -gt 1 ] || { echo precious > kept.txt; echo ready; sleep 600; }
cp .git/runs runs.txt
${commitAndPush(bead, 'Survive')}`

  longTest(
    'is recognised, and started again in its workspace, without a retry or an attempt of the policy',
    async () => {
      await add('outside-once', waits('rt-1'))
      const { id } = await world.queue('outside-once', 'rt-1')
      await world.printed(id, 'ready')
      for (const container of await world.containers.of(id, 'work')) await world.containers.kill(container)
      const ended = await world.ended(id)
      expect(ended).toMatchObject({ state: 'COMPLETED', retryCount: 0, retryAttempt: 0, attempt: 1 })
      expect(work(ended).map(({ outcome, detail }) => [outcome, detail])).toEqual([
        ['infra_error', 'the container was stopped from outside Beadloom'],
        ['success', expect.anything()],
      ])
      const told = (await world.events(id)).find(({ type }) => type === 'retry_outside')
      expect(told?.data).toMatchObject({
        retry: 1,
        of: 3,
        why: expect.stringContaining('stopped from outside Beadloom'),
      })
      const patch = await world.get<{ patch: string }>(`/api/executions/${id}/diff?path=kept.txt`)
      expect(patch.patch).toContain('+precious')
    },
  )

  longTest('ends as failed when it is stopped again and again', async () => {
    await add('outside-always', `cat > /dev/null; echo ready; sleep 600\n`)
    const { id } = await world.queue('outside-always', 'rt-1')
    for (let start = 1; start <= 4; start++) {
      await world.until(async () => work(await world.execution(id)).length === start)
      await world.until(async () => work(await world.execution(id)).at(-1)?.state === 'running')
      await world.api('POST', `/api/executions/${id}/retry-now`)
      for (const container of await world.containers.of(id, 'work')) await world.containers.kill(container)
      await world.until(async () => work(await world.execution(id)).at(-1)?.state === 'ended')
      if (start < 4) await world.until(async () => (await world.execution(id)).waits?.kind === 'retry')
      await world.api('POST', `/api/executions/${id}/retry-now`)
    }
    const ended = await world.ended(id)
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'infra_error', retryAttempt: 0, attempt: 1 })
    expect(ended.detail).toContain('stopped from outside Beadloom')
  })
})

longTest('neither a missing agent, nor BLOCKED, nor a timeout is run again', async () => {
  const policy = { retryCount: 3, retryDelay: 1 }
  await add('never-failed', 'exec no-such-agent\n')
  expect(await world.run('never-failed', 'rt-1', policy)).toMatchObject({ state: 'FAILED', retryAttempt: 0 })
  await add('never-blocked', 'cat > /dev/null; echo "BLOCKED: no access"\n')
  expect(await world.run('never-blocked', 'rt-1', policy)).toMatchObject({ state: 'BLOCKED', retryAttempt: 0 })
  await add('never-late', 'cat > /dev/null; sleep 100\n', { limits: { executionTimeoutSeconds: 4 } })
  expect(await world.run('never-late', 'rt-1', policy)).toMatchObject({ state: 'TIMEOUT', retryAttempt: 0 })
})

test('wrong fields are refused by name, and nothing is queued', async () => {
  await add('bad-fields', 'exit 0\n')
  for (const body of [
    { retryCount: 11 },
    { retryDelay: -1 },
    { retryBackoff: 'slow' },
    { retryOn: 'x' },
    { retries: 1 },
  ]) {
    const answer = await world.api('POST', '/api/projects/bad-fields/beads/rt-1/executions', body)
    expect(answer.status).toBe(400)
    expect(JSON.stringify(answer.body)).toContain(Object.keys(body)[0])
  }
  expect(await world.get('/api/executions?project=bad-fields')).toEqual({ items: [] })
})
