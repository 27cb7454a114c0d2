import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { BeadsAdapter, ChangeOutcome, TrackerChange, TrackerInfo } from '../../ports/tracker.ts'
import { MAX_ISSUES_BYTES, TrackerError } from '../../ports/tracker.ts'
import { readPlainFile } from '../../process/plain-file.ts'
import { BdCommands } from './bd-commands.ts'
import { problemOf } from './bd-json.ts'
import { writeBead } from './bd-write.ts'
import { isObject } from '@beadloom/core/text/json-object.ts'
import type { BdSettings } from './run-bd.ts'
import { runBdRaw } from './run-bd.ts'

/** Exporting a hundred thousand beads takes half a minute. */
const EXPORT_TIMEOUT_MS = 5 * 60_000
/** A database behind a server changes without a trace on this disk. */
const SERVER_LOOK_MS = 15_000

/** The database of `bd` 1.0 or later, used only through its commands: one at a time, each on one bead. */
export function bdAdapter(settings: BdSettings, info: TrackerInfo): BeadsAdapter {
  const commands = new BdCommands(settings, info.version)
  return {
    info,
    async read() {
      // The only call that also returns relations and comments. `--all`, because a bead may wait for beads that it
      // omits by default (messages, templates, wisps). `--readonly` makes sure that reading never writes.
      const args = ['export', '--all', '--readonly', '--sandbox']
      const end = await runBdRaw(settings, { args, limitBytes: MAX_ISSUES_BYTES, timeoutMs: EXPORT_TIMEOUT_MS })
      if (end.code !== 0) throw problemOf('bd export', { ...end, stdout: Buffer.concat(end.stdout).toString('utf8') })
      return { pieces: () => inTurn(end.stdout), problemIn }
    },
    stamp: () => stampOf(settings),
    async write(changes) {
      const outcomes: ChangeOutcome[] = []
      let busy: string | null = null
      for (const change of changes) {
        const outcome: ChangeOutcome = busy === null ? await tryOne(commands, change) : { result: 'later', text: busy }
        if (outcome.result === 'later' && 'busy' in outcome) busy = outcome.text
        outcomes.push(outcome)
      }
      return outcomes
    },
  }
}

async function* inTurn(chunks: Buffer[]): AsyncGenerator<Uint8Array> {
  yield* chunks
}

/**
 * A failure in an export. `bd export` silently skips an error while it loads relations; without its dependencies, a
 * bead would start that must wait for another one.
 */
export const problemIn = (lines: Uint8Array): string | null =>
  Buffer.from(lines).toString('utf8').split('\n').some(lacksThem)
    ? 'bd export left out dependencies that it counted; it is asked again later'
    : null

const lacksThem = (line: string): boolean =>
  /"dependency_count":[1-9]\d{0,9}[,}]/.test(line) && !line.includes('"dependencies":[')

/** `busy`: every other change would also have to wait. */
async function tryOne(commands: BdCommands, change: TrackerChange): Promise<ChangeOutcome & { busy?: true }> {
  try {
    return await writeBead(commands, change)
  } catch (error) {
    if (!(error instanceof TrackerError)) throw error
    const later = { result: 'later', text: error.message } as const
    return error.kind === 'broken' ? later : { ...later, busy: true }
  }
}

/**
 * Names and sizes of the database's files: they only grow, while their times change with every read. A new comment
 * changes nothing else.
 */
async function stampOf({ folder, clock }: BdSettings): Promise<string | null> {
  const beads = join(folder, '.beads')
  const parts: string[] = []
  for (const kind of ['embeddeddolt', 'dolt'])
    for (const name of await names(join(beads, kind))) {
      const noms = join(beads, kind, name, '.dolt', 'noms')
      for (const file of await names(noms)) {
        const info = await stat(join(noms, file)).catch(() => null)
        if (info?.isFile() && file !== 'LOCK') parts.push(`${name}/${file}:${info.size}`)
      }
    }
  const touched = await stat(join(beads, 'last-touched')).catch(() => null)
  const tick = (await isServed(beads)) ? Math.floor(clock.monotonic() / SERVER_LOOK_MS) : ''
  return [touched?.mtimeMs ?? '', tick, ...parts.sort()].join(' ')
}

const names = (folder: string): Promise<string[]> => readdir(folder).catch(() => [])

async function isServed(beads: string): Promise<boolean> {
  try {
    const value: unknown = JSON.parse(await readPlainFile(join(beads, 'metadata.json'), 100_000, 'no links'))
    return isObject(value) && value['dolt_mode'] === 'server'
  } catch {
    return false
  }
}
