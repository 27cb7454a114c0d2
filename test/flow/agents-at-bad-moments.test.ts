// @suite flow-long
import { execFileSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import type { Message } from '@beadloom/core/records/message.ts'
import { Victim } from '../crash/victim.ts'
import { agentsAsked, beads, filesFor, WAITING } from '../support/agent-beads.ts'
import { containersRunning } from '../support/containers.ts'
import { toldAgents } from '../support/told-agents.ts'

/* Known agents are told something at the worst moment. Nothing is lost, and nothing is said twice. */
const LONG_MS = 600_000
const told = toldAgents('a-6')

const docker = (...args: string[]) => execFileSync('docker', args, { encoding: 'utf8' })

describe.each(agentsAsked('pi'))('%s', (agent) => {
  /** Its agent waits in a command. */
  const begun = async (moment: string, settings: object = {}) => {
    const { world, endpoint } = told
    endpoint.requests.length = 0
    const project = `${agent}-${moment}`
    await world.addProject(project, filesFor(agent, { model: 'some-model', scenario: undefined, ...settings }), beads)
    const { id } = await world.queue(project, 'a-6')
    await world.until(async () => (await containersRunning(id, WAITING)).length > 0)
    return { project, id, container: (await world.containers.of(id, 'work'))[0]! }
  }

  /** The next run of the bead has the words in its prompt, once. */
  const isInTheNextRun = async (project: string, words: string) => {
    const { world, endpoint } = told
    endpoint.requests.length = 0
    const { id } = await world.queue(project, 'a-6')
    await world.until(() => endpoint.requests.length > 0)
    await world.api('POST', `/api/executions/${id}/cancel`)
    await world.ended(id)
    expect(told.timesIn(words)[0]).toBe(1)
  }

  test(
    'whose container is killed while a message waits: it continues with what was said',
    async () => {
      const { project, id, container } = await begun('killed')
      const words = `Greet ${project}.`
      expect((await told.say(id, { text: words })).status).toBe(202)
      docker('kill', container)
      await told.world.until(() => told.timesIn(words).length > 0)
      await told.letGo(id)
      const ended = await told.world.ended(id)
      // Claude Code repairs its conversation with a turn of its own, so it is a turn ahead in the scenario.
      expect(['BLOCKED', 'COMPLETED'], ended.detail ?? '').toContain(ended.state)
      expect(new Set(told.timesIn(words))).toEqual(new Set([1]))
      expect(await told.said(id)).toMatchObject([{ state: 'delivered', delivered: { through: 'prompt' } }])
    },
    LONG_MS,
  )

  test(
    'whose processes are frozen while a message arrives: it reads it once they continue',
    async () => {
      const { project, id, container } = await begun('frozen')
      const words = `Greet ${project}.`
      const pids = docker('top', container, '-o', 'pid').split('\n').slice(1).filter(Boolean).map(Number)
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      expect((await told.say(id, { text: words })).status).toBe(202)
      for (const pid of pids) process.kill(pid, 'SIGCONT')
      await told.letGo(id)
      const ended = await told.world.ended(id)
      expect(ended).toMatchObject({ state: 'BLOCKED' })
      expect(told.timesIn(words).length).toBeGreaterThan(0)
      expect(new Set(told.timesIn(words))).toEqual(new Set([1]))
      expect(await told.said(id)).toMatchObject([{ state: 'delivered' }])
    },
    LONG_MS,
  )

  test(
    'that ends its turn with a question at the same moment: it reads the message in the same conversation',
    async () => {
      const { project, id } = await begun('asking')
      const words = `Greet ${project}.`
      expect((await told.say(id, { text: words, when: 'turn' })).status).toBe(202)
      await told.letGo(id)
      const ended = await told.world.ended(id)
      expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED' })
      expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(2)
      expect(new Set(told.timesIn(words))).toEqual(new Set([1]))
    },
    LONG_MS,
  )

  test(
    'that is cancelled before it could read a message: its next run knows what was said',
    async () => {
      const { project, id } = await begun('cancelled')
      const words = `Greet ${project}.`
      expect((await told.say(id, { text: words })).status).toBe(202)
      expect((await told.world.api('POST', `/api/executions/${id}/cancel`)).status).toBe(202)
      expect(await told.world.ended(id)).toMatchObject({ state: 'CANCELLED' })
      expect(told.timesIn(words)).toEqual([])
      expect((await told.said(id))[0]!.state).not.toBe('delivered')
      expect(await told.say(id, { text: 'Too late.' })).toMatchObject({ status: 409 })
      await isInTheNextRun(project, words)
    },
    LONG_MS,
  )

  test(
    'that reaches its token limit before it could read a message: its next run knows what was said',
    async () => {
      // Less than any agent's first call, and more than the title for which opencode asks before it.
      const { project, id } = await begun('limited', { limits: { maxTokens: 1_500 } })
      const words = `Greet ${project}.`
      expect((await told.say(id, { text: words })).status).toBe(202)
      await told.letGo(id)
      const ended = await told.world.ended(id)
      expect(ended, ended.detail ?? '').toMatchObject({ state: 'FAILED', reason: 'budget_exhausted' })
      expect(told.timesIn(words)).toEqual([])
      expect((await told.said(id))[0]!.state).not.toBe('delivered')
      await isInTheNextRun(project, words)
    },
    LONG_MS,
  )

  test(
    'whose server is killed while a message waits: the next server gives it to the same agent',
    async () => {
      const { endpoint } = told
      endpoint.requests.length = 0
      const keys = { OPENAI_API_KEY: 'sk-canary', ANTHROPIC_API_KEY: 'sk-canary' }
      const env = { ...keys, OPENAI_BASE_URL: `${endpoint.url}/v1`, ANTHROPIC_BASE_URL: endpoint.url }
      const victim = await Victim.start({ env })
      const words = `Greet whoever killed ${agent}'s server.`
      try {
        await victim.addProject('killed', {
          files: filesFor(agent, { model: 'some-model', scenario: undefined }),
          beads,
        })
        const id = await victim.queue('killed', 'a-6')
        await victim.until(id, async () => (await containersRunning(id, WAITING)).length > 0)
        await victim.api('POST', `/api/executions/${id}/messages`, { text: words })
        await victim.kill()
        await victim.again(env)
        await told.letGo(id)
        await victim.ended(id)
        const { items } = await victim.api<{ items: Message[] }>('GET', `/api/executions/${id}/messages`)
        expect(items).toMatchObject([{ state: 'delivered' }])
        expect(told.timesIn(words).length).toBeGreaterThan(0)
        expect(new Set(told.timesIn(words))).toEqual(new Set([1]))
        expect((await victim.execution(id)).sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
      } finally {
        await victim.remove()
      }
    },
    LONG_MS,
  )

  test(
    'that is told 100 kB: they are refused with the limit, and it works on',
    async () => {
      const { id } = await begun('flooded')
      const answer = await told.say(id, { text: 'x'.repeat(100_000) })
      expect(answer.status).toBe(400)
      expect(JSON.stringify(answer.body)).toMatch(/20,?000/)
      await told.letGo(id)
      expect(await told.world.ended(id)).toMatchObject({ state: 'BLOCKED' })
      expect(await told.said(id)).toEqual([])
    },
    LONG_MS,
  )
})
