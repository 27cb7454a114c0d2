import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { residentMegabytes } from '../crash/pulse.ts'
import type { Files } from '../support/repository.ts'
import { BareDocker } from './support/bare-container.ts'
import { benchProject, PROJECT } from './support/bench-project.ts'
import { figure, type Report, type Row } from './support/figure.ts'
import type { LogClient } from './support/log-client.ts'
import { ServerProcess } from './support/server-process.ts'

const IDLE_MS = 30_000
const STREAMING_MS = 20_000
const SAMPLE_MS = 500
const BARE_MS = 3_000
const BEADS = ['be-1', 'be-2', 'be-3']
/** About 1 MB a second: a far too talkative test suite. */
const TALK = `while :; do yes 'one more line of a very talkative test suite' | head -c 100000; sleep 0.1; done`

/** By then a supervisor has given back the memory that only its start needed. */
const SETTLED_MS = 8_000

/**
 * Resident memory of the server's process, idle with the demo project, then with three executions that stream; and the
 * memory of a sandbox that waits for an execution.
 */
export async function memory(): Promise<Report> {
  const server = await ofServer()
  return { rows: [...server, await ofWaiting()], parts: [] }
}

async function ofServer(): Promise<Row[]> {
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')))
  try {
    await server.addProject('demo', demoFiles(), [])
    await server.api('POST', '/api/projects/demo/pause')
    await sleep(IDLE_MS)
    const idle = await samples(server, 5_000)

    const commands = Object.fromEntries(BEADS.map((id) => [id, TALK]))
    await server.addProject(PROJECT, benchProject({ ...commands, 'be-warm': 'exit 1' }), [
      ...BEADS.map((id) => ({ id, title: `Talk ${id}` })),
      { id: 'be-warm', title: 'Make the image' },
    ])
    await server.ended((await server.queue(PROJECT, 'be-warm')).id)
    const streams = await Promise.all(BEADS.map((bead) => stream(server, bead)))
    const streaming = await samples(server, STREAMING_MS)
    for (const { client, execution } of streams) {
      await server.api('POST', `/api/executions/${execution}/cancel`)
      await server.ended(execution)
      client.close()
    }
    const bare = await bareNode()
    const row = (what: string, values: number[]) => ({
      bench: 'memory',
      what,
      ours: figure('MB', values),
      baseline: {
        what: 'Node that waits',
        figure: figure(
          'MB',
          values.map(() => bare),
        ),
      },
    })
    return [
      { ...row('server RSS, idle', idle), aim: { of: 'ours', at: 'most', value: 100 } },
      { ...row('server RSS, three executions at 1 MB/s', streaming), aim: { of: 'ours', at: 'most', value: 180 } },
    ]
  } finally {
    await server.stop()
    await new BareDocker().removeImages(PROJECT)
  }
}

/** The engine's count for a waiting container: both of its processes wait. */
async function ofWaiting(): Promise<Row> {
  const bare = new BareDocker()
  const server = await ServerProcess.start(mkdtempSync(join(tmpdir(), 'bl-bench-')), {}, 1)
  try {
    await server.addProject(PROJECT, benchProject({ 'be-1': 'exit 1' }), [{ id: 'be-1', title: 'Make the image' }])
    await server.ended((await server.queue(PROJECT, 'be-1')).id)
    await server.waiting(1)
    await sleep(SETTLED_MS)
    const values: number[] = []
    for (let round = 0; round < 5; round++) values.push(await bare.memoryMB(''))
    return {
      bench: 'memory',
      what: 'a sandbox that waits',
      ours: figure('MB', values),
      baseline: { what: 'Node that waits, RSS', figure: figure('MB', [await bareNode()]) },
      aim: { of: 'ours', at: 'most', value: 30 },
    }
  } finally {
    await server.stop()
    await bare.removeImages(PROJECT)
  }
}

/** Starts a talkative execution and a client that follows it. Resolves when its output flows. */
async function stream(server: ServerProcess, bead: string): Promise<{ client: LogClient; execution: string }> {
  const flowing = Promise.withResolvers<void>()
  let bytes = 0
  const { id } = await server.queue(PROJECT, bead)
  const client = await server.follow(await server.workSession(id), ({ text }) => {
    if ((bytes += text.byteLength) > 1e6) flowing.resolve()
  })
  client.ended.then(() => flowing.reject(new Error('the output ended early')), flowing.reject)
  await flowing.promise
  return { client, execution: id }
}

/** Memory of the same Node with nothing to do. */
async function bareNode(): Promise<number> {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], { stdio: 'ignore' })
  try {
    await sleep(BARE_MS)
    return residentMegabytes(child.pid!)
  } finally {
    child.kill()
  }
}

async function samples(server: ServerProcess, forMs: number): Promise<number[]> {
  const values: number[] = []
  for (let at = 0; at < forMs; at += SAMPLE_MS) {
    values.push(server.rss())
    await sleep(SAMPLE_MS)
  }
  return values
}

/** The demo's files, except that a person starts its beads. */
function demoFiles(): Files {
  const folder = join(import.meta.dirname, '..', 'samples', 'demo')
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const files = Object.fromEntries(
    paths.map(({ parentPath, name }) => {
      const path = join(parentPath, name)
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')]
    }),
  )
  const config = JSON.parse(files['beadloom.json'] ?? '{}') as object
  return { ...files, 'beadloom.json': JSON.stringify({ ...config, autopilot: false }) }
}
