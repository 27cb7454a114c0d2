import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { editIssues } from '@beadloom/server/src/beads/jsonl/edit-issues.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { storeOf } from '@beadloom/server/src/app/tracker/tracked-store.ts'
import { openStore } from '@beadloom/server/src/store/open-store.ts'
import { bdEnvironment, bdIn, hasBd, initBd } from '../support/bd.ts'
import { git } from '../support/repository.ts'
import { figure, type Report, type Row } from './support/figure.ts'
import { idOf, linesOf } from './support/many-beads.ts'
import { trackerChanges } from './tracker-changes.ts'

const ROUNDS = 3
const BEADS = 100_000
/** `bd import` of all beads did not end within 45 minutes. BENCH_BD sets another number. */
const BEADS_OF_BD = Number(process.env['BENCH_BD'] ?? 1_000)
const project = parseProjectId('bench')

/**
 * Reads a project's beads from its file into the store, and writes one status back; then the same in a running server.
 */
export async function tracker(asked: number | null): Promise<Report> {
  const rounds = asked ?? ROUNDS
  const root = mkdtempSync(join(tmpdir(), 'bench-tracker-'))
  try {
    const rows: Row[] = []
    const all = textOf(BEADS)
    rows.push(row(`import of ${named(BEADS)} beads`, await imports(root, all, rounds)))
    rows.push(row(`one status in a file of ${named(BEADS)} beads`, edits(all, rounds)))
    if (hasBd()) {
      const few = textOf(BEADS_OF_BD)
      const baseline = { what: 'bd import of the same file', figure: figure('ms', imported(root, few, rounds)) }
      rows.push({ ...row(`import of ${named(BEADS_OF_BD)} beads`, await imports(root, few, rounds)), baseline })
    }
    return { rows: [...rows, ...(await trackerChanges(rounds))], parts: [] }
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const named = (count: number): string => count.toLocaleString('en-US')
const row = (what: string, values: number[]): Row => ({
  bench: 'tracker',
  what,
  ours: figure('ms', values),
  baseline: null,
  aim: null,
})

/** Imports the text into a new store each round. */
async function imports(root: string, text: string, rounds: number): Promise<number[]> {
  const folder = mkdtempSync(join(root, 'ours-'))
  mkdirSync(join(folder, '.beads'))
  writeFileSync(join(folder, '.beads/issues.jsonl'), text)
  const values: number[] = []
  for (let round = 0; round < rounds; round++) {
    const store = openStore(join(folder, `${round}.db`), { clock: systemClock, random: Math.random })
    store.addProject({ id: project, source: folder })
    const from = performance.now()
    const reader = createTracker({ clock: systemClock, env: process.env, own: tmpdir(), trusted: [] })
    const file = await (await reader.find(folder)).read()
    if (file !== null) await reader.read({ project, file, memory: null, store: storeOf(store, project) })
    values.push(performance.now() - from)
    store.close()
  }
  return values
}

function edits(text: string, rounds: number): number[] {
  return Array.from({ length: rounds }, () => {
    const from = performance.now()
    const bead = idOf(BEADS >> 1)
    editIssues(
      text,
      [
        {
          seq: 1,
          rev: 1,
          project,
          bead,
          kind: 'status',
          status: 'blocked',
          failed: false,
          labelled: false,
          held: false,
          seen: 'open',
          assignee: null,
          given: null,
          reason: '',
        },
      ],
      0,
    )
    return performance.now() - from
  })
}

/** Imports the text into another existing database each round. */
function imported(root: string, text: string, rounds: number): number[] {
  const env = bdEnvironment(join(root, 'home'))
  const file = join(root, 'import.jsonl')
  writeFileSync(file, text)
  return Array.from({ length: rounds }, () => {
    const folder = mkdtempSync(join(root, 'bd-'))
    git(folder, 'init', '--quiet')
    const bd = bdIn(folder, env)
    initBd(bd, 't')
    const from = performance.now()
    bd('import', file)
    return performance.now() - from
  })
}

const textOf = (count: number): string => `${linesOf(count).join('\n')}\n`
