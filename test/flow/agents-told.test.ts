// @suite flow-long
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Message } from '@beadloom/core/records/message.ts'
import { agentsAsked, beads, filesFor, SCENARIO, scenarioText, WAITING } from '../support/agent-beads.ts'
import { containersRunning } from '../support/containers.ts'
import { ScriptedEndpoint } from '../support/scripted-endpoint.ts'
import { workOf } from '../support/session-events.ts'
import { World } from '../support/world.ts'

/* Known agents are told something in the middle of a command, and paused. */
const LONG_MS = 600_000
const WORDS = 'Please greet the moon, too.'

let world: World
let folder: string
let endpoint: ScriptedEndpoint
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bl-agents-told-'))
  const scenarios = join(folder, 'scenarios')
  mkdirSync(scenarios)
  writeFileSync(join(scenarios, `${SCENARIO}.json`), scenarioText('true'))
  endpoint = await ScriptedEndpoint.start(scenarios, SCENARIO, 'a-5')
  const env = {
    OPENAI_API_KEY: 'sk-canary',
    ANTHROPIC_API_KEY: 'sk-canary',
    OPENAI_BASE_URL: `${endpoint.url}/v1`,
    ANTHROPIC_BASE_URL: endpoint.url,
  }
  world = await World.start({ env })
})
afterAll(async () => {
  await world?.stop()
  endpoint?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const letGo = async (id: string) => {
  for (const container of await world.containers.of(id)) await world.containers.write(container, WAITING)
}

describe.each(agentsAsked('pi'))('%s', (agent) => {
  test(
    'reads a message behind the result of its command, once in each later request, and is paused and resumed there',
    async () => {
      endpoint.requests.length = 0
      await world.addProject(agent, filesFor(agent, { model: 'some-model', scenario: undefined }), beads)
      const { id } = await world.queue(agent, 'a-5')
      await world.until(() => endpoint.requests.length > 0)
      const said = await world.api<Message>('POST', `/api/executions/${id}/messages`, { text: WORDS })
      expect(said).toMatchObject({ status: 202, body: { state: 'waiting' } })
      expect((await world.api('POST', `/api/executions/${id}/pause`, {})).status).toBe(202)
      const before = endpoint.requests.length
      await letGo(id)
      await world.until(async () => (await world.execution(id)).waits?.kind === 'pause')
      expect(endpoint.requests.length).toBe(before)
      expect((await world.api('POST', `/api/executions/${id}/resume`)).status).toBe(202)
      const ended = await world.ended(id)
      const log = await world.log(workOf(ended))
      expect(ended, `${ended.detail}\n${log}`).toMatchObject({ state: 'COMPLETED', attempt: 1 })
      expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
      const later = endpoint.requests.slice(before)
      expect(later.length).toBeGreaterThan(0)
      expect(later.map((body) => body.split(WORDS).length - 1)).toEqual(later.map(() => 1))
      expect(log).toContain(`A person says: ${WORDS}`)
      const { items } = await world.get<{ items: Message[] }>(`/api/executions/${id}/messages`)
      expect(items).toMatchObject([{ state: 'delivered', delivered: { session: workOf(ended), through: 'gateway' } }])
    },
    LONG_MS,
  )

  test(
    'reads a message for after its turn in the same conversation',
    async () => {
      endpoint.requests.length = 0
      const project = `${agent}-turn`
      await world.addProject(project, filesFor(agent, { model: 'some-model', scenario: undefined }), beads)
      const { id } = await world.queue(project, 'a-5')
      await world.until(() => endpoint.requests.length > 0)
      const body = { text: WORDS, when: 'turn' }
      expect((await world.api('POST', `/api/executions/${id}/messages`, body)).status).toBe(202)
      await letGo(id)
      const ended = await world.ended(id)
      const work = ended.sessions.filter(({ kind }) => kind === 'work')
      const log = await world.log(work.at(-1)!.id)
      expect(ended, `${ended.detail}\n${log}`).toMatchObject({ state: 'COMPLETED' })
      expect(work).toHaveLength(2)
      const told = endpoint.requests.filter((one) => one.includes(WORDS))
      expect(told.length).toBeGreaterThan(0)
      // The words of its first turn, and the result of its command.
      for (const one of told) {
        expect(one).toContain('I wait for a sign.')
        expect(one.indexOf('I wait for a sign.')).toBeLessThan(one.indexOf(WORDS))
      }
    },
    LONG_MS,
  )

  test(
    'loses the command that it runs to a message for now, and nothing else',
    async () => {
      endpoint.requests.length = 0
      const project = `${agent}-now`
      await world.addProject(project, filesFor(agent, { model: 'some-model', scenario: undefined }), beads)
      const { id } = await world.queue(project, 'a-5')
      await world.until(() => endpoint.requests.length > 0)
      await world.until(async () => (await containersRunning(id, WAITING)).length > 0)
      const before = endpoint.requests.length
      const body = { text: WORDS, when: 'now' }
      expect((await world.api('POST', `/api/executions/${id}/messages`, body)).status).toBe(202)
      // The edit was a part of the command, so there is nothing to commit, and the next attempt would wait again.
      await world.until(async () => (await world.execution(id)).sessions[0]?.state === 'ended')
      const later = endpoint.requests.slice(before)
      await world.api('POST', `/api/executions/${id}/cancel`)
      const [first] = (await world.ended(id)).sessions
      const log = await world.log(first!.id)
      expect(first, log).toMatchObject({ outcome: 'success' })
      expect(log).toContain('There it is; I commit.')
      expect(later.length).toBeGreaterThan(1)
      for (const body of later.slice(0, 2)) expect(body.split(WORDS)).toHaveLength(2)
      expect(log).toContain('A person has stopped what the agent did')
    },
    LONG_MS,
  )
})
