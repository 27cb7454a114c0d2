// @suite unit-long
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseBeadId, parseExecutionId, parseProjectId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { resolveSettings } from '@beadloom/core/project/project-config.ts'
import { nobody, spentBy } from '@beadloom/core/budget/scopes.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { Budget } from '@beadloom/server/src/budget/budget.ts'
import { oneEngine } from '@beadloom/server/src/execution/testing.ts'
import { LentSlots } from '@beadloom/server/src/execution/lent-slots.ts'
import { News } from '@beadloom/server/src/execution/news.ts'
import { MergeTurns } from '@beadloom/server/src/execution/merge-turns.ts'
import { createGateway } from '@beadloom/server/src/gateway/create-gateway.ts'
import type { Engine } from '@beadloom/server/src/ports/engine.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import type { Recorder } from '@beadloom/server/src/ports/recorder.ts'
import { onlyEngine } from '@beadloom/server/src/ports/testing/only-engine.ts'
import { MemoryLogs } from '@beadloom/server/src/ports/testing/memory-logs.ts'
import { systemClock as clock } from '@beadloom/server/src/process/clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { askGateway } from '@beadloom/server/src/sandbox/ask-gateway.ts'
import { modelFor } from '@beadloom/server/src/sandbox/model-access.ts'
import { ProjectEnvironments } from '@beadloom/server/src/sandbox/project-environment.ts'
import { openTestStore, seededRandom, tracked } from '@beadloom/server/src/store/testing.ts'
import { Executions } from '@beadloom/server/src/workflow/executions.ts'
import { noEgress } from '../support/no-egress.ts'
import { nothingWaits } from '../support/nothing-waits.ts'

/* A real store, gateway and endpoint; the agents are loops that ask as fast as they are answered. */

const AGENTS = 50
/** Tokens of one answer. */
const TOKENS = 100
const LIMIT = 1000
const project = parseProjectId('demo')

/** An endpoint that counts its requests, and the most at once. */
async function endpoint() {
  const asked = { calls: 0, now: 0, most: 0 }
  const server = createServer((request, response) => {
    asked.calls++
    asked.most = Math.max(asked.most, ++asked.now)
    request.resume().once('end', () => {
      asked.now--
      response.writeHead(200, { 'content-type': 'application/json' })
      const choices = [{ index: 0, message: { role: 'assistant', content: 'hi' }, finish_reason: 'stop' }]
      const usage = { prompt_tokens: TOKENS - 1, completion_tokens: 1 }
      response.end(JSON.stringify({ id: 'c', object: 'chat.completion', choices, usage }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { asked, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` }
}

test('fifty agents pass a limit by at most their calls in flight, wait together, and continue after a grant', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bl-fifty-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { asked, baseUrl } = await endpoint()
  const store = openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  const log = createLogger('silent')
  const holdNews = new News()
  const budget = new Budget({ store, clock, currency: 'USD' })
  const extraSlots = oneEngine(AGENTS, store)
  const deps = {
    store: store.patient,
    engines: onlyEngine({} as Engine),
    hub: {} as Hub,
    egress: noEgress,
    gateway: createGateway({
      upstream: { baseUrl, apiKey: 'k', model: 'm' },
      scenariosFolder: folder,
      clock,
      random: () => 0,
      log,
    }),
    aside: createAside({ clock }),
    recorder: { note: () => {} } as Partial<Recorder> as Recorder,
    logs: new MemoryLogs(),
    clock,
    log,
    prices: { prices: {}, currency: 'USD' },
    windows: {},
    hostedTools: {},
    blockedGraceMs: 30_000,
    budget,
    extraSlots,
    lentSlots: new LentSlots(extraSlots),
    holdNews,
    mergeTurns: new MergeTurns(clock),
    warm: nothingWaits,
    secretMark: () => '',
    secrets: { of: () => ({}) },
  }
  const config = { onLimit: 'ask', limits: { maxTokensPerDay: LIMIT } } as const
  const settings = resolveSettings(
    config,
    {
      setup: null,
      test: 'true',
      checks: [],
      techStack: ['x'],
      tools: [],
      devcontainer: null,
      tests: [{ label: '', command: 'true' }],
      nested: [],
      untested: null,
      absent: [],
      services: [],
    },
    'demo',
    'main',
  )
  const hub = { id: project, source: '/x', baseBranch: null }
  const projects = { open: () => ({ hub, settings }), sync: async () => {} }
  const executions = new Executions(deps, projects, new ProjectEnvironments(deps))
  store.addProject({ id: project, source: '/x' })
  const names = Array.from({ length: AGENTS }, (_, at) => `b-${at + 1}`)
  store.replaceBeads(
    project,
    names.map((name) => tracked(name)),
  )
  const stop = new AbortController()
  const agents = names.map(async (name, at) => {
    const id = parseExecutionId(`ex-${String(at).padStart(10, '0')}`)
    const bead = parseBeadId(name)
    store.queueExecution({ id, project, bead, kind: 'work', branch: name, context: '', maxAttempts: 1 })
    store.startExecution(id, clock.now() + 3_600_000)
    const session = sessionIdOf(id, 1)
    store.startSession({ id: session, execution: id, number: 1, kind: 'work', attempt: 1 })
    const plan = { id: session, attempt: 1, agent: name, signal: stop.signal }
    const model = modelFor(executions.liveOf(store.execution(id)!), {
      plan,
      refused: null,
      unanswered: null,
      ended: false,
    })
    for (let turn = 1; !stop.signal.aborted; turn++) {
      const messages = [{ role: 'user', content: `turn ${turn}` }]
      const { body } = await askGateway(model, { model: 'm', messages }, stop.signal)
      if (!body.includes('"choices"')) throw new Error(body)
    }
  })
  const over = Promise.allSettled(agents)
  onTestFinished(async () => {
    stop.abort()
    await over
    store.close()
  })

  const waiting = () => store.liveExecutions().filter(({ waits }) => waits?.kind === 'budget')
  const by = spentBy('day', { ...nobody, project }, clock.now())
  /** Fails at once if an agent does. */
  const allWait = () => Promise.race([everyoneWaits(), Promise.all(agents)])
  const everyoneWaits = () => expect.poll(() => waiting().length, { timeout: 60_000 }).toBe(AGENTS)

  await allWait()
  const first = store.spent(by).tokens
  expect(first).toBe(asked.calls * TOKENS)
  expect(first).toBeGreaterThanOrEqual(LIMIT)
  expect(first - LIMIT).toBeLessThan(AGENTS * TOKENS)

  // A grant counts from the use so far.
  const granted = 20_000
  const raise = { scope: 'day', unit: 'tokens', amount: first - LIMIT + granted } as const
  store.grantBudget(waiting()[0]!.id, [{ by, raise }])
  holdNews.tell()
  await expect.poll(() => store.spent(by).tokens, { timeout: 60_000 }).toBeGreaterThanOrEqual(first + granted)
  await allWait()
  const second = store.spent(by).tokens
  expect(second).toBe(asked.calls * TOKENS)
  expect(second - first - granted).toBeLessThan(AGENTS * TOKENS)
}, 120_000)
