import { appendFileSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import { makeRepository } from '../support/repository.ts'
import { BoardClient } from './support/board-client.ts'
import { figure, type Row } from './support/figure.ts'
import { idOf, lineOf, linesOf } from './support/many-beads.ts'
import { ProbedServer, type Seen } from './support/probed-server.ts'

const BEADS = Number(process.env['BENCH_BEADS'] ?? 100_000)
/** The effects of a change, in the scheduler and on dashboards, come within this time. */
const SETTLED_MS = 3_000
/** An idle server gives back memory after 15 s, twice. */
const CALM_MS = 35_000
const PROJECT = 'big'
const named = BEADS.toLocaleString('en-US')

type Change = { id: string; title: string }

/**
 * A server with an open board and a tracker of 100,000 beads: its first reading, single changes, requests, a restart.
 */
export async function trackerChanges(rounds: number): Promise<Row[]> {
  const root = mkdtempSync(join(tmpdir(), 'bl-bench-'))
  const source = makeRepository(join(root, 'tree'), { 'beadloom.json': '{"autopilot":false,"setup":null}' })
  const file = join(source, '.beads/issues.jsonl')
  const lines = linesOf(BEADS)
  mkdirSync(dirname(file))
  writeWhole(file, lines)
  const rows: Row[] = []
  let probed = await ProbedServer.start(root)
  try {
    const { server } = probed
    const first = await probed.during(async () => {
      await server.api('POST', '/api/projects', { source, id: PROJECT })
      await until(async () => (await server.api<ProjectView>('GET', `/api/projects/${PROJECT}`)).syncedAt !== null)
      await sleep(SETTLED_MS)
    })
    rows.push(...rowsOf(`first reading of ${named} beads`, [first], null))
    let board: BoardClient | null = null
    const opened = await probed.during(async () => {
      board = await BoardClient.open(server.url, server.token, PROJECT)
      await board.cards(BEADS)
      await sleep(SETTLED_MS)
    })
    rows.push(...rowsOf('a board is opened', [opened], null))
    const idle = await probed.during(() => sleep(SETTLED_MS))
    for (const [name, act] of changesIn(file, lines)) {
      const seen: Seen[] = []
      for (let round = 0; round < rounds; round++)
        seen.push(
          await probed.during(async () => {
            const { id, title } = act()
            await board!.shown(id, title)
            await sleep(SETTLED_MS)
          }),
        )
      rows.push(...rowsOf(name, seen, idle))
    }
    for (const [name, method, path, body] of questions())
      rows.push(
        ...rowsOf(
          name,
          [await probed.during(async () => void (await server.api(method, `/api/projects/${PROJECT}/${path}`, body)))],
          null,
        ),
      )
    const written = await probed.during(async () => {
      await server.api('PATCH', `/api/projects/${PROJECT}/beads/${idOf(3_000)}`, { status: 'done' })
      await sleep(SETTLED_MS)
    })
    rows.push(...rowsOf('a bead closed here, and written to the file', [written], idle))
    board!.close()
    await sleep(CALM_MS)
    rows.push(memoryRow('resident, after all that', server.rss()))
    await server.halt()
    probed = await ProbedServer.start(root)
    const restarted = await probed.during(async () => {
      await until(
        async () => (await probed.server.api<ProjectView>('GET', `/api/projects/${PROJECT}`)).tracker !== null,
      )
      await sleep(2 * SETTLED_MS)
    })
    rows.push(...rowsOf('restart', [restarted], null))
    await sleep(CALM_MS)
    rows.push(memoryRow('resident, after a restart', probed.server.rss()))
    return rows
  } finally {
    await probed.server.stop()
  }
}

/** Changes of one bead each; `lines`: the file's own. */
function changesIn(file: string, lines: string[]): [string, () => Change][] {
  let made = 0
  const change = (at: number, fields: Record<string, unknown> = {}): Change => {
    const title = `Changed ${(made += 1)}`
    lines[at] = lineOf(at, { ...fields, title })
    return { id: idOf(at), title }
  }
  return [
    [
      'a bead changed in the middle',
      () => {
        const changed = change(BEADS >> 1)
        writeWhole(file, lines)
        return changed
      },
    ],
    [
      'a bead added at the end',
      () => {
        const added = change(lines.length)
        appendFileSync(file, `${lines.at(-1)}\n`)
        return added
      },
    ],
    [
      'a bead changed, the file replaced',
      () => {
        const changed = change(BEADS >> 2)
        writeWhole(`${file}.new`, lines)
        renameSync(`${file}.new`, file)
        return changed
      },
    ],
    [
      'a bead closed',
      () => {
        const changed = change(3 * (made + 1_000), { status: 'closed' })
        writeWhole(file, lines)
        return changed
      },
    ],
    [
      'a thousand beads changed',
      () => {
        const changed = Array.from({ length: 1_000 }, (_, at) => change(at * Math.floor(BEADS / 1_000) + 1))
        writeWhole(file, lines)
        return changed.at(-1)!
      },
    ],
  ]
}

const questions = (): [string, string, string, unknown?][] => [
  ['its ready beads', 'GET', 'beads?ready=true&limit=50'],
  ['who waits for whom', 'GET', 'dependencies'],
  ['a bead in full', 'GET', `beads/${idOf(4_000)}`],
  ['a bead is filed that waits for another', 'POST', 'beads', { title: 'New', dependsOn: [idOf(5_001)] }],
]

const writeWhole = (file: string, lines: readonly string[]): void =>
  writeFileSync(file, lines.map((line) => `${line}\n`).join(''))

async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100)
}

/** `idle`: the use of the idle server and of its watcher over the same time. */
function rowsOf(what: string, seen: readonly Seen[], idle: Seen | null): Row[] {
  const row = (of: string, values: number[], most: number | null): Row => ({
    bench: 'tracker',
    what: `${what}, ${of}`,
    ours: figure('ms', values),
    baseline: null,
    aim: most === null ? null : { of: 'ours', at: 'most', value: most },
  })
  const mb = seen.map(({ peakMB }) => peakMB)
  return [
    row(
      'processor of all threads',
      seen.map(({ allMs }) => Math.max(0, allMs - (idle?.allMs ?? 0))),
      what.startsWith('a bead') ? 50 : null,
    ),
    row(
      "processor of the server's thread",
      seen.map(({ usedMs }) => Math.max(0, usedMs - (idle?.usedMs ?? 0))),
      null,
    ),
    row(
      'longest piece of its processor time',
      seen.map(({ cpuMs }) => cpuMs),
      100,
    ),
    row(
      'longest piece by the clock',
      seen.map(({ wallMs }) => wallMs),
      null,
    ),
    { ...row('most resident memory', mb, 250), ours: figure('MB', mb) },
  ]
}

const memoryRow = (what: string, mb: number): Row => ({
  bench: 'tracker',
  what,
  ours: figure('MB', [mb]),
  baseline: null,
  aim: { of: 'ours', at: 'most', value: 250 },
})
