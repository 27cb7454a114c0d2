// @suite flow-long
import { describe, expect, test } from 'vitest'
import { agentsAsked, beads, filesFor, QUESTION } from '../support/agent-beads.ts'
import { workOf } from '../support/session-events.ts'
import { toldAgents } from '../support/told-agents.ts'

/* Known agents that ask are answered in the same conversation, and a person changes their model while they work. */
const LONG_MS = 600_000
const ANSWER = 'The whole world, please.'
const WORDS = 'Be brief.'
const told = toldAgents('a-6')

describe.each(agentsAsked('pi'))('%s', (agent) => {
  test(
    'asks, keeps its container, and continues the same conversation with the answer',
    async () => {
      const { world, endpoint } = told
      endpoint.requests.length = 0
      const settings = { model: 'some-model', scenario: undefined, onBlocked: 'wait' }
      await world.addProject(agent, filesFor(agent, settings), beads)
      const { id } = await world.queue(agent, 'a-6')
      await world.until(() => endpoint.requests.length > 0)
      await told.letGo(id)
      await world.until(async () => (await world.execution(id)).waits?.kind === 'pause')
      expect((await world.execution(id)).waits).toMatchObject({ question: QUESTION })
      expect((await told.say(id, { text: ANSWER })).status).toBe(202)
      const ended = await world.ended(id)
      const [first, second, ...others] = ended.sessions.filter(({ kind }) => kind === 'work')
      const log = await world.log(workOf(ended))
      expect(ended, `${ended.detail}\n${log}`).toMatchObject({ state: 'COMPLETED', retryAttempt: 0 })
      expect(others).toEqual([])
      expect(second!.container).toBe(first!.container)
      const answered = endpoint.requests.filter((one) => one.includes(ANSWER))
      expect(answered.length).toBeGreaterThan(0)
      for (const one of answered) {
        expect(one.split(ANSWER)).toHaveLength(2)
        expect(one.indexOf('I wait for a sign.')).toBeGreaterThan(-1)
        expect(one.indexOf('I wait for a sign.')).toBeLessThan(one.indexOf(ANSWER))
      }
    },
    LONG_MS,
  )

  test(
    'has the model that a person chooses in its next call, and a message that names its session',
    async () => {
      const { world, endpoint } = told
      endpoint.requests.length = 0
      const project = `${agent}-model`
      await world.addProject(project, filesFor(agent, { model: 'some-model', scenario: undefined }), beads)
      const { id } = await world.queue(project, 'a-6')
      await world.until(() => endpoint.requests.length > 0)
      const to = workOf(await world.execution(id))
      expect(await told.say(id, { text: WORDS, to })).toMatchObject({ status: 202, body: { to } })
      expect((await world.api('PATCH', `/api/executions/${id}`, { model: 'another-model' })).status).toBe(200)
      const before = endpoint.requests.length
      await told.letGo(id)
      const ended = await world.ended(id)
      const log = await world.log(to)
      expect(ended, `${ended.detail}\n${log}`).toMatchObject({ state: 'BLOCKED', course: { model: 'another-model' } })
      const models = endpoint.requests.map((body) => (JSON.parse(body) as { model: string }).model)
      expect(new Set(models.slice(0, before))).toEqual(new Set(['some-model']))
      expect(models.length).toBeGreaterThan(before)
      expect(new Set(models.slice(before))).toEqual(new Set(['another-model']))
      expect(new Set(told.timesIn(WORDS))).toEqual(new Set([1]))
      expect(await told.said(id)).toMatchObject([{ state: 'delivered', delivered: { session: to } }])
    },
    LONG_MS,
  )
})
