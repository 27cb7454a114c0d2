import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentView } from '@beadloom/core/api/server/agents-api.ts'
import type { AgentName } from '@beadloom/core/agents/agent-names.ts'
import { agentsAsked, filesFor, SCENARIO } from '../support/agent-beads.ts'
import { ScriptedEndpoint } from '../support/scripted-endpoint.ts'
import { BareDocker } from './support/bare-container.ts'
import { figure, type Report } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'
import { wallClock } from './support/wall-clock.ts'

const ROUNDS = 3
const BEAD = 'b-1'
/** Between two readings of a working agent's memory. */
const SAMPLE_MS = 100
const BUILT_IN = 'openai'

const bash = (command: string) => ({ tool: 'bash', arguments: { command } })
/** A few calls of tools; it changes nothing, so that every round finds the same. */
const turns = [
  { say: 'I look.', calls: [{ tool: 'read_file', arguments: { path: 'greet.sh' } }] },
  { say: 'The tests.', calls: [bash('sh test.sh || true')] },
  { say: 'What is there?', calls: [bash('ls -la; git log --stat')] },
  { say: 'BLOCKED: that is all.' },
]

/**
 * For each agent, beside the built-in one: the time from a bead to the first call of its model, its image, its memory.
 */
export async function agents(asked: number | null): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'bl-bench-'))
  const scenarios = join(folder, 'scenarios')
  mkdirSync(scenarios)
  const scenario = { name: SCENARIO, about: 'For a benchmark.', beads: { [BEAD]: { turns } } }
  writeFileSync(join(scenarios, `${SCENARIO}.json`), JSON.stringify(scenario))
  const endpoint = await ScriptedEndpoint.start(scenarios, SCENARIO, BEAD)
  const key = 'the-benchmark-has-no-key'
  const server = await ServerProcess.start(folder, {
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${endpoint.url}/v1`,
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: endpoint.url,
  })
  const docker = new BareDocker()
  const names: AgentName[] = [BUILT_IN, ...agentsAsked('all')]
  try {
    for (const name of names) {
      const files = filesFor(name, { model: 'a-model' })
      await server.addProject(name, files, [{ id: BEAD, title: 'Look around' }])
      await oneRun(server, endpoint, docker, name) // makes the image
    }
    const runs = new Map<AgentName, Run[]>(names.map((name) => [name, []]))
    for (let round = 0; round < (asked ?? ROUNDS); round++)
      for (const name of names) runs.get(name)?.push(await oneRun(server, endpoint, docker, name))
    const { items } = await server.api<{ items: AgentView[] }>('GET', '/api/agents')
    return { rows: names.flatMap((name) => rowsOf(items, runs, name)), parts: [] }
  } finally {
    await server.stop()
    endpoint.stop()
    for (const name of names) await docker.removeImages(name)
  }
}

type Run = { firstCallMs: number; memoryMB: number }

async function oneRun(
  server: ServerProcess,
  endpoint: ScriptedEndpoint,
  docker: BareDocker,
  project: string,
): Promise<Run> {
  const called = endpoint.called()
  const postedAt = wallClock()
  const { id } = await server.queue(project, BEAD)
  let most = 0
  const sampling = setInterval(() => {
    void docker.memoryMB(id).then((now) => (most = Math.max(most, now)))
  }, SAMPLE_MS)
  const ended = server.ended(id)
  const first = await Promise.race([called.then(wallClock), ended.then(() => null)])
  const { view } = await ended.finally(() => clearInterval(sampling))
  if (first === null || view.state !== 'BLOCKED') throw new Error(`${project} ended ${view.state}: ${view.detail}`)
  return { firstCallMs: first - postedAt, memoryMB: most }
}

function rowsOf(views: AgentView[], runs: Map<AgentName, Run[]>, name: AgentName): Report['rows'] {
  const figures = (of: AgentName) => ({
    call: figure('ms', runs.get(of)?.map(({ firstCallMs }) => firstCallMs) ?? []),
    memory: figure('MB', runs.get(of)?.map(({ memoryMB }) => memoryMB) ?? []),
  })
  const [ours, builtIn] = [figures(name), figures(BUILT_IN)]
  const beside = (of: 'call' | 'memory') =>
    name === BUILT_IN ? null : { what: 'the built-in agent', figure: builtIn[of] }
  const row = (what: string, of: 'call' | 'memory') => ({
    bench: 'agents',
    what: `${name}: ${what}`,
    ours: ours[of],
    baseline: beside(of),
    aim: null,
  })
  const bytes = views.find((view) => view.name === name)?.image?.bytes
  return [
    row('bead queued → first call of its model', 'call'),
    row('memory of its container, most', 'memory'),
    ...(bytes
      ? [{ ...row('its layer of an image', 'memory'), ours: figure('MB', [bytes / 1e6]), baseline: null }]
      : []),
  ]
}
