import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { LogMeta } from '@beadloom/core/api/executions/log-api.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Victim } from '../crash/victim.ts'
import {
  agentsAsked,
  beads,
  filesFor,
  found,
  foundIn,
  probe,
  SCENARIO,
  scenarioText,
  turns,
  WAITING,
} from '../support/agent-beads.ts'
import { processesOf, workContainer } from '../support/containers.ts'
import { git } from '../support/repository.ts'
import { reviewed } from '../support/reviewer.ts'
import { ScriptedEndpoint } from '../support/scripted-endpoint.ts'
import { textsOf, workOf } from '../support/session-events.ts'
import { World } from '../support/world.ts'

/*
 * The known agents, unchanged, in containers without network and key; the scripted model decides what they do.
 * `npm test` runs one of them, `npm run test:agents` all.
 */
const asked = agentsAsked('pi')
const LONG_MS = 600_000
/** One or two calls of any known agent. */
const FEW_TOKENS = 2000
const canaries = {
  OPENAI_API_KEY: 'canary-key-openai-0123456789',
  ANTHROPIC_API_KEY: 'canary-key-anthropic-0123456789',
}

let world: World
let folder: string
/** A server on this machine that sandboxes must not reach. */
let beacon: Server
let visits = 0
let places: string[]
const remotes = new Map<string, string>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'bl-agents-'))
  const scenarios = join(folder, 'scenarios')
  mkdirSync(scenarios)
  beacon = createServer((_, response) => {
    visits += 1
    response.end('seen')
  })
  await new Promise<void>((resolve) => beacon.listen(0, '0.0.0.0', resolve))
  const { port } = beacon.address() as AddressInfo
  const own = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
  world = await World.start({ scenarios, env: canaries })
  const server = new URL(world.server.url).port
  places = [
    ...own.flatMap((address) => [`${address}:${port}`, `${address}:${server}`]),
    `127.0.0.1:${port}`,
    `127.0.0.1:${server}`,
    '172.17.0.1:22',
    '1.1.1.1:80',
    '169.254.169.254:80',
    'registry.npmjs.org:80',
  ]
  // It can be reached from here.
  for (const address of own) expect((await fetch(`http://${address}:${port}`)).status).toBe(200)
  visits = 0
  writeFileSync(join(scenarios, `${SCENARIO}.json`), scenarioText(probe(places)))
})
afterAll(async () => {
  await world?.stop()
  beacon?.close()
  rmSync(folder, { recursive: true, force: true })
})

describe.each(asked)('%s', (agent) => {
  const small = `${agent}-small`
  let greeted: Promise<ExecutionView> | undefined
  /** The only execution of the completed bead. */
  const greeting = () => (greeted ??= world.run(agent, 'a-1'))
  beforeAll(async () => {
    remotes.set(agent, (await world.addProject(agent, filesFor(agent), beads)).remote)
    await world.addProject(small, filesFor(agent, { limits: { maxTokens: FEW_TOKENS } }), beads)
  })

  test.concurrent(
    'reads, edits, tests, commits and pushes by its own tools until its bead is completed',
    async () => {
      const ended = await greeting()
      const events = await world.events(ended.id)
      const log = await world.log(workOf(ended))
      expect(ended, `${ended.detail}\n${log}`).toMatchObject({ state: 'COMPLETED', attempt: 1 })
      const remote = remotes.get(agent) ?? ''
      expect(git(remote, 'show', 'beadloom/work:greet.sh')).toContain('echo hello, world')
      expect(git(remote, 'log', '--format=%s', 'beadloom/work')).toContain('Greet the world')

      const own = events.filter(({ session }) => session === workOf(ended))
      const said = textsOf(own, 'message').map((text) => text.trim())
      expect(said).toEqual(turns.done.map(({ say }) => say))
      const calls = own.filter(({ type }) => type === 'tool_call').map(({ data }) => data as { call: string })
      const results = own
        .filter(({ type }) => type === 'tool_result')
        .map(({ data }) => data as { call: string; ok: boolean })
      expect(calls).toHaveLength(4)
      expect(results.map(({ call, ok }) => [call, ok])).toEqual(calls.map(({ call }) => [call, true]))
      expect(textsOf(own, 'tool_result')[0]).toContain('echo hello')
      expect(own.some(({ type, data }) => type === 'usage' && (data as { input: number }).input > 0)).toBe(true)
      // The gateway's count, on which limits and prices are based.
      expect(ended.tokens.input).toBeGreaterThan(1000)
      expect(ended.tokens.output).toBeGreaterThan(10)
      // The context of one call, not of all; nothing was compacted.
      const { context } = ended.sessions.find(({ id }) => id === workOf(ended)) ?? {}
      expect(context).toMatchObject({ window: 100_000, compactions: 0 })
      expect(context?.tokens).toBeGreaterThan(500)
      expect(context?.tokens).toBeLessThan(ended.tokens.input)

      const meta = await world.get<LogMeta>(`/api/sessions/${workOf(ended)}/log/meta`)
      expect(meta.sections.filter(({ kind }) => kind === 'call')).toHaveLength(4)
      expect(meta.sections.find(({ title }) => title === 'agent')).toMatchObject({ exit: 0 })
      expect(log).not.toMatch(/^\{"type"/m)
    },
    LONG_MS,
  )

  test.concurrent(
    'reviews the work in a session of its own: its last message is the answer, and it can push nothing',
    async () => {
      const work = await greeting()
      const { view } = await reviewed(world, agent, { bead: 'a-1' })
      const log = await world.log(view.session ?? '')
      expect(view, `${view.detail}\n${log}`).toMatchObject({
        state: 'COMPLETED',
        to: work.commit,
        model: 'scripted',
        verdict: 'ready',
        summary: found.summary,
        issues: [{ ...found.issues[0], outside_diff: false, filed: 'new' }],
      })
      const tried = textsOf(await world.events(view.id), 'tool_result').join('\n')
      expect(tried).toContain('echo hello, world')
      expect(tried).toMatch(/pushed=[1-9]/)
      expect(git(remotes.get(agent) ?? '', 'log', '--format=%s', 'beadloom/work')).not.toContain('Mended')
    },
    LONG_MS,
  )

  test.concurrent(
    'finds no key and reaches nobody, and is BLOCKED by its own word',
    async () => {
      const ended = await world.run(agent, 'a-2')
      const log = await world.log(workOf(ended))
      expect(ended, `${ended.detail}\n${log}`).toMatchObject({
        state: 'BLOCKED',
        blockedReason: 'which language should the greeting be in?',
      })
      const found = foundIn(textsOf(await world.events(ended.id), 'tool_result').join('\n'))
      expect(found).toEqual({
        environment: '0',
        environments: 'P=canary-key-planted',
        processes: 'canary-key-planted',
        files: '/tmp/probe/planted',
        gateway: '1 0',
        interfaces: 'lo',
        ...Object.fromEntries(places.map((place) => [`reached ${place}`, '000'])),
        names: '0',
        socket: '0',
      })
      expect(visits).toBe(0)
      for (const key of Object.values(canaries)) expect(log).not.toContain(key)
    },
    LONG_MS,
  )

  test.concurrent(
    'makes the same call again and again until its token limit ends it, with a sentence that names the limit',
    async () => {
      const ended = await world.run(small, 'a-3')
      expect(ended, await world.log(workOf(ended))).toMatchObject({ state: 'FAILED', reason: 'budget_exhausted' })
      expect(ended.detail).toContain('Raise "limits.maxTokens" in beadloom.json')
      expect(ended.tokens.input + ended.tokens.output).toBeGreaterThanOrEqual(FEW_TOKENS)
      // It worked until then.
      expect(textsOf(await world.events(ended.id), 'tool_result')[0]).toContain('look')
    },
    LONG_MS,
  )

  test.concurrent(
    'is cancelled in the middle of a command',
    async () => {
      const { id } = await world.queue(agent, 'a-4')
      await world.until(async () => (await processesOf(id)).includes('sleep 3600'))
      expect((await world.api('POST', `/api/executions/${id}/cancel`)).status).toBeLessThan(300)
      const ended = await world.ended(id)
      expect(ended).toMatchObject({ state: 'CANCELLED' })
      expect(ended.tokens.input).toBeGreaterThan(1000)
      expect(await workContainer(id)).toBeNull()
    },
    LONG_MS,
  )

  test.concurrent(
    'continues where it was when its server is killed, in a command and in a call of the model',
    async () => {
      const endpoint = await ScriptedEndpoint.start(join(folder, 'scenarios'), SCENARIO, 'a-5')
      const env = { ...canaries, OPENAI_BASE_URL: `${endpoint.url}/v1`, ANTHROPIC_BASE_URL: endpoint.url }
      const victim = await Victim.start({ env })
      try {
        await victim.addProject('killed', { files: filesFor(agent, { model: 'a-model' }), beads })
        const id = await victim.queue('killed', 'a-5')
        await victim.until(id, async () => (await processesOf(id)).includes(WAITING))
        await victim.kill()
        await victim.again(env)

        endpoint.silent(true)
        const called = endpoint.called()
        execFileSync('docker', ['exec', (await workContainer(id)) ?? '', 'touch', WAITING])
        await called
        await victim.kill()
        endpoint.silent(false)
        await victim.again(env)

        await victim.ended(id)
        const ended = await victim.execution(id)
        expect(ended, ended.detail ?? '').toMatchObject({ state: 'COMPLETED', attempt: 1 })
        expect(ended.sessions.filter(({ kind }) => kind === 'work')).toHaveLength(1)
        expect(victim.watch.agents(id)).toHaveLength(1)
        expect(git(victim.remoteOf('killed'), 'show', 'beadloom/work:greet.sh')).toContain('hello, world')
        // Each API got its own key, outside the container.
        for (const key of endpoint.keys) expect(Object.values(canaries)).toContain(key)
      } finally {
        await victim.remove()
        endpoint.stop()
      }
    },
    LONG_MS,
  )
})
