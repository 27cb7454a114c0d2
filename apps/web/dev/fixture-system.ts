import type { SystemView } from '@beadloom/core/api/system-api.ts'
import { now } from './fixture-data.ts'
import type { FixtureWorld } from './fixture-world.ts'
import type { AgentView } from '@beadloom/core/api/agents-api.ts'
import { agentNames, apiOfAgent, isPreset, presets } from '@beadloom/core/agents/presets.ts'

/** The server from the inside; in the mood `ill` its engine is away and its checks fail. */
export function systemOf(world: FixtureWorld): SystemView {
  const ill = world.mood === 'ill'
  const running = world.projects.flatMap(({ executions }) =>
    [...executions.values()].filter(({ state }) => state === 'RUNNING'),
  )
  const items = running.map(({ id, project, bead, startedAt }, index) => ({
    id: `4f${index}a9c1d77b0`,
    execution: { id, project, bead },
    waitsFor: null,
    kind: index % 3 === 2 ? 'verify' : 'work',
    state: 'running',
    createdAt: startedAt ?? now,
  }))
  const [first] = running
  const waiting = { id: '5b2e90c4d7a1', execution: null, waitsFor: first?.project ?? null, kind: 'work' }
  const listed = [...items.slice(0, 4), ...(first ? [{ ...waiting, state: 'running', createdAt: now }] : [])]
  return {
    now: Date.now(),
    version: '0.1.0',
    node: '24.11.1',
    memoryBytes: 118 * 1024 ** 2,
    epoch: world.epoch,
    seq: world.seq,
    containers: ill ? null : { items: listed, total: listed.length },
    why: ill ? 'connect ENOENT /var/run/docker.sock' : null,
    preparing:
      first && !ill
        ? [{ execution: first.id, project: first.project, bead: first.bead, what: 'building the image', since: now }]
        : [],
    events: { lastMinute: 42, perMinute: [3, 0, 12, 51, 60, 38, 7, 19, 33, 42] },
    readers: { sockets: 2, channels: 5, bufferedBytes: 0 },
    checks: [
      { name: 'node', ok: true, text: 'Node 24.11.1' },
      { name: 'build', ok: true, text: 'the agent and the dashboard are built' },
      ill
        ? { name: 'git', ok: false, text: 'git 2.34.1 is too old', fix: 'install git 2.38 or later' }
        : { name: 'git', ok: true, text: 'git 2.39.5' },
      ill
        ? {
            name: 'data',
            ok: false,
            text: '0.4 GiB free in /home/you/.local/share/beadloom',
            fix: 'free some space: nothing starts below 2 GiB',
          }
        : { name: 'data', ok: true, text: '41.0 GiB free in /home/you/.local/share/beadloom' },
      { name: 'backups', ok: true, text: '12 in /home/you/.local/share/beadloom/backups, newest 8 m ago' },
      {
        name: 'model',
        ok: true,
        text: 'no key is set: only the demo (a recorded run, no AI) and agents that need no model can work',
      },
    ],
  }
}

/** Containers that are kept because of unsaved work: listed, saved, or discarded. */
export function handleKept({ projects }: FixtureWorld, method: string, [, name, verb]: string[]): unknown {
  const all = projects.flatMap(({ executions }) => [...executions.values()])
  if (method === 'GET') return { items: all.flatMap(({ kept }) => kept) }
  for (const run of all) run.kept = run.kept.filter((one) => one.name !== name)
  return verb === 'save' ? { saved: 'refs/beadloom/saved/wc-d21' } : {}
}

/** As on a server with a key for OpenAI's API alone, on which two agents have been used. */
export const agentsOf = (): AgentView[] =>
  agentNames.map((name) => {
    const api = apiOfAgent(name)
    const model =
      api === 'messages'
        ? {
            ok: false,
            text: "no model configured for Anthropic's API: set ANTHROPIC_API_KEY and start the server again",
          }
        : { ok: true, text: 'gpt-5 at https://api.openai.com' }
    const bytes = name === 'codex' ? 423_000_000 : name === 'pi' ? 23_000_000 : null
    const base = { name, api, model }
    if (!isPreset(name)) return { ...base, title: name, package: null, version: null, image: null }
    const { title, package: pack, version } = presets[name]
    return { ...base, title, package: pack, version, image: { bytes } }
  })
