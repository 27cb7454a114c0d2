// @suite flow-long
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { presets } from '@beadloom/core/agents/presets.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agentsAsked, filesFor, SCENARIO, scenarioText } from '../support/agent-beads.ts'
import { textsOf, workOf } from '../support/session-events.ts'
import { shellProject } from '../support/shell-project.ts'
import { TroubledEndpoint, type Trouble } from '../support/troubled-endpoint.ts'
import { World } from '../support/world.ts'

/*
 * The known agents when their model's endpoint misbehaves: the report to a person at the end. `npm test` runs one agent
 * with some of the troubles, `npm run test:agents` all with every trouble.
 */
const asked = agentsAsked('pi')
const everything = process.env['AGENTS'] !== undefined
const LONG_MS = 900_000
/** Some agents ask again by themselves; each of their calls may be four of the gateway. */
const MOST_CALLS = 40
const canary = 'canary-key-of-the-endpoint'

type Words = (place: { url: string; key: string; address: string; model: string }) => string

/** The words in an execution's detail after "The session failed: ". */
const fatal: [Trouble, Words][] = [
  [
    'breaks-off',
    ({ url }) => `the model's answer broke off in the middle (connection closed): check ${url} and the network`,
  ],
  ['stalls', () => 'the model endpoint sent nothing for 3 s, so the call was aborted'],
  [
    'knows-no-such-model',
    ({ url, address, model }) =>
      `the model endpoint ${url} answered 404: The model does not exist; check "model" in beadloom.json (now "${model}") and ${address}`,
  ],
  ['refuses-the-key', ({ url, key }) => `the model endpoint ${url} answered 401: check ${key}`],
  ['is-broken', ({ url }) => `the model endpoint ${url} answered 500: oh no; gave up after 4 calls`],
  [
    'is-a-page',
    ({ url, address }) =>
      `the model endpoint ${url} answered 200 with something that is not a model's answer: check that ${address} is the address of an API, not of a web page`,
  ],
]
const passing: Trouble[] = ['is-busy-until', 'breaks-off-once']

let world: World
let folder: string
let endpoint: TroubledEndpoint
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bl-trouble-'))
  const scenarios = join(folder, 'scenarios')
  mkdirSync(scenarios)
  writeFileSync(join(scenarios, `${SCENARIO}.json`), scenarioText('true'))
  endpoint = await TroubledEndpoint.start(scenarios, SCENARIO, 'a-1')
  world = await World.start({
    flags: { slots: '4' },
    env: {
      OPENAI_API_KEY: canary,
      OPENAI_BASE_URL: `${endpoint.url}/v1`,
      ANTHROPIC_API_KEY: canary,
      ANTHROPIC_BASE_URL: endpoint.url,
    },
    // People wait 60 s for a byte; a model that is parked shows a sign of life each 15 s.
    modelBounds: { idleMs: 3000, keepAliveMs: 1000 },
  })
})
afterAll(async () => {
  await world?.stop()
  endpoint?.stop()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(asked)('%s, with an endpoint that', (agent) => {
  const own = presets[agent].api === 'messages' ? 'ANTHROPIC' : 'OPENAI'
  beforeAll(() =>
    world.addProject(
      agent,
      filesFor(agent),
      fatal.map(([trouble]) => ({ id: trouble, title: 'Greet the world' })),
    ),
  )

  test.concurrent.each(everything ? fatal : fatal.slice(0, 2))(
    '%s, ends with a sentence that says what happened',
    async (trouble, words) => {
      const model = `${trouble}.${agent}`
      const ended = await world.run(agent, trouble, { model })
      const log = await world.log(workOf(ended))
      expect(ended, `${ended.detail}\n${log}`).toMatchObject({ state: 'FAILED', reason: 'agent_failed', attempt: 1 })
      const said = words({ url: endpoint.url, key: `${own}_API_KEY`, address: `${own}_BASE_URL`, model })
      expect(ended.detail).toMatch(/^The session failed(, because its model gave no answer)?: /)
      expect(ended.detail).toContain(`: ${said}`)
      expect(ended.detail).toMatch(
        /[^.]\. (Read its log; when the cause is gone|When it answers again), run the bead again\.$/,
      )
      const events = await world.events(ended.id)
      expect(textsOf(events, 'model_problem').join('\n')).toContain(said)
      expect(log).toContain(said)
      expect(endpoint.calls.get(model)).toBeLessThanOrEqual(MOST_CALLS)
      expect([JSON.stringify([ended, events]), log].join('\n')).not.toContain(canary)
    },
    LONG_MS,
  )

  test.concurrent.each(everything ? passing : [])(
    '%s, continues when that has passed',
    async (trouble) => {
      // A project of its own: otherwise the work that one merges would be there for the next.
      const project = `${agent}-${trouble}`
      await world.addProject(project, filesFor(agent), [{ id: 'a-1', title: 'Greet the world' }])
      const ended = await world.run(project, 'a-1', { model: `${trouble}.${agent}` })
      const log = await world.log(workOf(ended))
      expect(ended, `${ended.detail}\n${log}`).toMatchObject({ state: 'COMPLETED', attempt: 1 })
      expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
      expect(log).toMatch(
        trouble === 'is-busy-until' ? /# the model asked to wait until/ : /# .*broke off in the middle/,
      )
    },
    LONG_MS,
  )
})

test.concurrent('a command line that never gives up is stopped after many useless calls', async () => {
  const ask = `curl -s http://127.0.0.1:4610/v1/chat/completions -d '{"messages":[]}' > /dev/null`
  const files = shellProject({ agent: `while true; do ${ask}; done\n`, config: { autopilot: false } })
  await world.addProject('endless', files, [{ id: 'en-1', title: 'Ask' }])
  const ended = await world.run('endless', 'en-1', { model: 'refuses-the-key.endless' })
  expect(ended).toMatchObject({
    state: 'FAILED',
    reason: 'agent_failed',
    detail: expect.stringMatching(
      /^The model answered none of very many calls in a row, so the agent was stopped: the model endpoint \S+ answered 401: check OPENAI_API_KEY\. Read its log/,
    ),
  })
  expect(endpoint.calls.get('refuses-the-key.endless')).toBeLessThan(200)
})
