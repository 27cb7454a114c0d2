// @suite policy-long
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { reviewed, reviewedProject } from '../support/reviewer.ts'
import { shellProject } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* BLOCKED takes effect when it is said: an agent that stays is stopped long before its deadline. */

let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process', blockedGraceMs: 1 })
})
afterAll(() => world.stop())

test('an agent that says BLOCKED and stays ends its execution with its question, and its work is saved', async () => {
  const agent = `cat > /dev/null
echo half > half.txt
echo "BLOCKED: which colour should it be?"
sleep 20000
`
  await world.addProject('stays', shellProject({ agent }), [{ id: 'bl-1', title: 'Paint' }])
  const ended = await world.run('stays', 'bl-1', { retryCount: 2, retryDelay: 1 })
  expect(ended).toMatchObject({
    state: 'BLOCKED',
    blockedReason: 'which colour should it be?',
    retryAttempt: 0,
    attempt: 1,
  })
  const saved = (await world.events(ended.id)).find(({ type }) => type === 'result')
  expect(saved?.data).toMatchObject({ savedRef: expect.stringContaining(ended.id) })
})

test('a reviewer that says BLOCKED and stays does not hold its slot either', async () => {
  const reviewer = 'cat > /dev/null; echo "BLOCKED: no diff here"; sleep 20000\n'
  await world.addProject('review-stays', reviewedProject({ reviewer, bead: 'bl-1' }), [{ id: 'bl-1', title: 'Greet' }])
  expect(await world.run('review-stays', 'bl-1')).toMatchObject({ state: 'COMPLETED' })
  const { view } = await reviewed(world, 'review-stays', { bead: 'bl-1' })
  expect(view).toMatchObject({ state: 'BLOCKED' })
  expect(await world.execution(view.id)).toMatchObject({ blockedReason: 'no diff here' })
})

test('an answer runs the bead with it, once, and an answer to an outdated question is refused', async () => {
  const agent = `prompt=$(cat)
case "$prompt" in *"paint it blue"*) echo blue > colour.txt ;; *) echo "BLOCKED: which colour?" ;; esac
`
  await world.addProject('answers', shellProject({ agent }), [{ id: 'bl-1', title: 'Paint' }])
  const asking = await world.run('answers', 'bl-1')
  expect(asking.state).toBe('BLOCKED')
  const beads = async () => (await world.get<{ items: BeadCard[] }>('/api/projects/answers/beads')).items
  const reminders = async () =>
    (await beads()).filter(({ reminderOf, status }) => reminderOf === 'bl-1' && status !== 'done')
  await expect.poll(async () => (await reminders()).length).toBe(1)
  const path = '/api/projects/answers/beads/bl-1/executions'
  const answer = { context: 'paint it blue', answers: asking.id }
  const sent = await Promise.all([world.api('POST', path, answer), world.api('POST', path, answer)])
  expect(sent.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409])
  await expect
    .poll(async () => (await beads()).find(({ id }) => id === 'bl-1')?.status, { timeout: 20_000 })
    .toBe('done')
  expect(await reminders()).toEqual([])
  await world.api('PATCH', '/api/projects/answers/beads/bl-1', { status: 'open' })
  expect(await world.api('POST', path, answer)).toMatchObject({ status: 409, body: { error: { code: 'not_asked' } } })
})
