import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Message } from '@beadloom/core/records/message.ts'
import { SCENARIO, scenarioText, WAITING } from './agent-beads.ts'
import { ScriptedEndpoint } from './scripted-endpoint.ts'
import { World } from './world.ts'

/** A server for known agents that are told something while they work, and their model, which plays one bead. */
export type ToldAgents = {
  world: World
  endpoint: ScriptedEndpoint
  /** Ends the wait of an execution's agent. */
  letGo: (execution: string) => Promise<void>
  say: (execution: string, body: object) => Promise<{ status: number; body: Message }>
  said: (execution: string) => Promise<Message[]>
  /** The number of times that each request has these words; only of requests that have them. */
  timesIn: (words: string) => number[]
}

/** Started before the tests of a file, and stopped after them. */
export function toldAgents(bead: string): ToldAgents {
  const told: Partial<ToldAgents> = {}
  const folder = mkdtempSync(join(tmpdir(), 'bl-told-'))
  beforeAll(async () => {
    const scenarios = join(folder, 'scenarios')
    mkdirSync(scenarios)
    writeFileSync(join(scenarios, `${SCENARIO}.json`), scenarioText('true'))
    const endpoint = await ScriptedEndpoint.start(scenarios, SCENARIO, bead)
    const env = {
      OPENAI_API_KEY: 'sk-canary',
      ANTHROPIC_API_KEY: 'sk-canary',
      OPENAI_BASE_URL: `${endpoint.url}/v1`,
      ANTHROPIC_BASE_URL: endpoint.url,
    }
    const world = await World.start({ env })
    Object.assign(told, {
      world,
      endpoint,
      letGo: async (execution) => {
        for (const container of await world.containers.of(execution, 'work'))
          await world.containers.write(container, WAITING)
      },
      say: (execution, body) => world.api<Message>('POST', `/api/executions/${execution}/messages`, body),
      said: async (execution) => (await world.get<{ items: Message[] }>(`/api/executions/${execution}/messages`)).items,
      timesIn: (words) => endpoint.requests.map((one) => one.split(words).length - 1).filter((times) => times > 0),
    } satisfies ToldAgents)
  })
  afterAll(async () => {
    await told.world?.stop()
    told.endpoint?.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  return told as ToldAgents
}
