import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { EventView } from '@beadloom/core/api/executions/execution-api.ts'
import { BareDocker } from './support/bare-container.ts'
import { benchProject, PROJECT, type Sizes } from './support/bench-project.ts'
import { figure, type Part, type Report, type Row } from './support/figure.ts'
import { ServerProcess } from './support/server-process.ts'
import type { Span } from './support/trace-engine.ts'
import { wallClock } from './support/wall-clock.ts'

const ROUNDS = 7
/** By then the earlier round's push counts as settled (`settled-fetches.ts`), so each start meets a server at rest. */
const REST_MS = 4_000
const BEAD = 'be-start'
const LINE = 'the agent is here'
const preload = pathToFileURL(join(import.meta.dirname, 'support', 'trace-engine.ts'))

const bareCommands = {
  shell: ['/bin/sh', '-c', `echo ${LINE}`],
  node: ['/opt/beadloom/bin/node', '-e', `console.log('${LINE}')`],
}

/**
 * From queueing a bead to its agent's first line at a reader, against a bare container that prints the same line: with
 * a container opened for it (cold), and with one that waited (warm).
 */
export async function start(asked: number | null): Promise<Report> {
  const sizes = { tracked: Number(process.env['TRACKED'] ?? 0), made: Number(process.env['MADE'] ?? 0) }
  const bare = new BareDocker()
  try {
    const cold = await measured(bare, { asked, warm: 0, sizes })
    const warm = await measured(bare, { asked, warm: 1, sizes })
    return {
      rows: [
        ...rowsOf('bead queued → first line of its agent, cold', cold, 1.5),
        ...rowsOf('the same, warm', warm, 0.5),
      ],
      parts: [
        { title: 'A cold start, in milliseconds after the request:', parts: partsOf(cold.ours) },
        { title: 'A warm start, in milliseconds after the request:', parts: partsOf(warm.ours) },
      ],
    }
  } finally {
    await bare.removeImages(PROJECT)
  }
}

type Measured = { ours: Start[]; shell: number[]; node: number[] }

function rowsOf(what: string, { ours, shell, node }: Measured, most: number): Row[] {
  const totals = figure(
    'ms',
    ours.map(({ total }) => total),
  )
  const beside = (name: string, ms: number[]) => ({ what: `bare container, ${name}`, figure: figure('ms', ms) })
  return [
    {
      bench: 'start',
      what,
      ours: totals,
      baseline: beside('sh echo', shell),
      aim: { of: 'ratio', at: 'most', value: most },
    },
    { bench: 'start', what: `${what} (Node)`, ours: totals, baseline: beside('node -e', node), aim: null },
  ]
}

async function measured(
  bare: BareDocker,
  { asked, warm, sizes }: { asked: number | null; warm: number; sizes: Sizes },
): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'bl-bench-'))
  const trace = join(folder, 'trace.jsonl')
  const env = { NODE_OPTIONS: `--import=${preload.href}`, BEADLOOM_BENCH_TRACE: trace }
  const server = await ServerProcess.start(folder, env, warm)
  try {
    const files = benchProject({ [BEAD]: `echo ${LINE}; exit 1` }, sizes)
    await server.addProject(PROJECT, files, [{ id: BEAD, title: 'Start' }])
    await oneStart(server, trace) // makes the image
    const image = await bare.projectImage(PROJECT)
    await bareStart(bare, image, bareCommands.shell)

    const seen: Measured = { ours: [], shell: [], node: [] }
    for (let round = 1; round <= (asked ?? ROUNDS); round++) {
      await Promise.all([server.waiting(warm), setTimeout(REST_MS)])
      seen.ours.push(await oneStart(server, trace))
      seen.shell.push(await bareStart(bare, image, bareCommands.shell))
      seen.node.push(await bareStart(bare, image, bareCommands.node))
    }
    return seen
  } finally {
    await server.stop()
  }
}

type Start = { total: number; steps: Map<string, number> }

async function bareStart(bare: BareDocker, image: string, command: string[]): Promise<number> {
  const startedAt = wallClock()
  let firstAt = 0
  await bare.run(image, command, () => (firstAt ||= wallClock()))
  return firstAt - startedAt
}

async function oneStart(server: ServerProcess, trace: string): Promise<Start> {
  const seen = Promise.withResolvers<number>()
  const postedAt = wallClock()
  const { id } = await server.queue(PROJECT, BEAD)
  const client = await server.follow(await server.workSession(id), ({ at, text }) => {
    if (Buffer.from(text).includes(LINE)) seen.resolve(at)
  })
  client.ended.then(() => seen.reject(new Error('the agent printed nothing')), seen.reject)
  const seenAt = await seen.promise
  const { view, events } = await server.ended(id)
  client.close()
  const spans = readFileSync(trace, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Span)
  return { total: seenAt - postedAt, steps: stepsOf(postedAt, view, events, spans, seenAt) }
}

/** When each step was done, in milliseconds after the request. The hub and the container work side by side. */
function stepsOf(
  postedAt: number,
  { queuedAt, startedAt }: { queuedAt: number; startedAt: number | null },
  events: EventView[],
  spans: Span[],
  seenAt: number,
): Map<string, number> {
  const span = (call: Span['call']) =>
    spans.find((one) => one.call === call && one.from >= postedAt && one.from < seenAt)
  const event = (type: string, title: string) =>
    events.find((one) => one.type === type && (one.data as { title?: string }).title === title)?.at
  const marks: [string, number | undefined][] = [
    ['queued', queuedAt],
    ['RUNNING', startedAt ?? undefined],
    ['hub: fetched, branch made', span('runtimeImage')?.from],
    ['hub: key of the image known', span('findImage')?.from],
    ['hub: image found', span('findImage')?.to],
    ['container: created and compared', span('create')?.to],
    ['container: started', span('start')?.to],
    ['agent: has its order', event('section', 'checkout')],
    ['agent: has checked out', event('section_end', 'checkout')],
    ['agent: starts its command', event('section', 'agent')],
    ['reader: has the first line', seenAt],
  ]
  return new Map(marks.flatMap(([what, at]) => (at === undefined ? [] : [[what, at - postedAt] as const])))
}

function partsOf(starts: Start[]): Part[] {
  const names = [...(starts[0]?.steps.keys() ?? [])]
  return names.map((what) => ({
    what,
    figure: figure(
      'ms',
      starts.flatMap(({ steps }) => steps.get(what) ?? []),
    ),
  }))
}
