import type { SystemImage, SystemView } from '@beadloom/core/api/server/system-api.ts'
import { now } from './fixture-data.ts'
import type { FixtureWorld } from './fixture-world.ts'
import type { AgentView } from '@beadloom/core/api/server/agents-api.ts'
import { agentNames, agentTitles, isPreset } from '@beadloom/core/agents/agent-names.ts'
import { apiOfAgent, presets } from '@beadloom/core/agents/presets.ts'

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
    engine: 'local',
    node: null,
    kind: index % 3 === 2 ? 'verify' : 'work',
    state: 'running',
    createdAt: startedAt ?? now,
  }))
  const [first] = running
  const here = { engine: 'local', node: null }
  const waiting = { ...here, id: '5b2e90c4d7a1', execution: null, waitsFor: first?.project ?? null, kind: 'work' }
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
    engines: [
      {
        name: 'local',
        ok: !ill,
        text: ill ? 'Docker does not answer' : 'Docker 28.1.1, 8 CPUs, 32 GiB',
        where: '/var/run/docker.sock: the first of the usual sockets that answers',
        weaker: [],
        slots: { total: 3, used: ill ? 0 : items.length },
        containers: ill ? 0 : listed.length,
        nodes: null,
      },
      {
        name: 'cluster',
        ok: true,
        text: 'Kubernetes v1.37.2, nodes: 2 (1 closed to sandboxes), the largest with 15.9 CPUs and 62.8 GiB',
        where: 'namespace beadloom of work',
        weaker: ['the node node2 takes no sandboxes: it is not ready: Kubelet stopped posting node status'],
        slots: { total: 9, used: 3 },
        containers: 4,
        nodes: [
          { name: 'node1', ok: true, why: '', cpus: 15.9, memoryBytes: 62.8 * 1024 ** 3, containers: 3 },
          {
            name: 'node2',
            ok: false,
            why: 'it is not ready: Kubelet stopped posting node status',
            cpus: 15.9,
            memoryBytes: 62.8 * 1024 ** 3,
            containers: 1,
          },
        ],
      },
    ],
    images: ill ? null : { items: images, total: images.length, bytes: 3_204_448_256 },
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
    const base = { name, title: agentTitles[name], api, model }
    if (!isPreset(name)) return { ...base, package: null, version: null, image: null }
    const { package: pack, version } = presets[name]
    return { ...base, package: pack, version, image: { bytes } }
  })

const DAY = 24 * 3_600_000
const image = (name: string, given: Partial<SystemImage>): SystemImage => ({
  name,
  project: null,
  isOurs: true,
  bytes: 212_000_000,
  createdAt: now - 3 * DAY,
  usedAt: now - 60_000,
  inUse: false,
  problem: null,
  ...given,
})

const images: SystemImage[] = [
  image('beadloom/project-word-count:9f1c3a5e7b2d4f6a8c0e', { project: 'word-count', inUse: true }),
  image('beadloom/project-word-count:0d4b6e8f1a2c3e5f7a9b', { project: 'word-count', usedAt: now - 5 * DAY }),
  image('beadloom/project-a-project-that-is-gone:4e6a8c0d2f4b6e8a1c3d', {
    project: 'a-project-that-is-gone',
    bytes: 1_480_000_000,
    usedAt: now - 2 * DAY,
    problem: 'Docker refused: conflict: unable to remove repository reference, container 3f2a9c1d77e0 is using it',
  }),
  image('beadloom/project-somebody-elses:aa01bb02cc03dd04ee05', { project: 'somebody-elses', isOurs: false }),
  image('beadloom/toolchains:c1d2e3f4a5b6', { bytes: 940_000_000, inUse: true }),
  image('beadloom/runtime:7a8b9c0d1e2f', { bytes: 151_000_000, inUse: true }),
]
