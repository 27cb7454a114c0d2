import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { git } from '../../support/repository.ts'
import { history, leftovers, published, type Say } from '../nothing-lost.ts'
import { logOf, stored, type StoredExecution } from '../stored.ts'
import { lineOf, readLine, streamOf, type Stream } from './notebook-line.ts'
import type { SoakStage } from './soak-stage.ts'

export type Verdict = {
  lost: string[]
  doubled: string[]
  /** Bytes of notebooks in the workspaces, the hub and the logs, each compared with what the program writes. */
  bytes: number
  /** Lines that are saved in the hub and were never recorded, because their container was killed under the agent. */
  unrecorded: number
  ends: Record<string, number>
}

const MOST_BYTES = 1024 ** 3
const MARK_BYTES = 12
const STREAMS: Stream[] = ['out', 'err']
/** The longest delay between an agent's output and dockerd's record of it. */
const UNREAD_MS = 2_000
/** Whether its agent ended it. A session that ended with 0 and has no result lost that on the way. */
const isWhole = ({ outcome, exitCode }: StoredExecution['sessions'][number]): boolean =>
  outcome === 'success' || outcome === 'failed' || exitCode === 0

/** Checks what a stopped server left of its unchecked executions. */
export class SoakOracle {
  readonly #stage: SoakStage
  readonly #judged = new Set<string>()
  readonly #doubles = new Set<string>()
  #bytes = 0
  #unrecorded = 0

  constructor(stage: SoakStage) {
    this.#stage = stage
  }

  judge(): Verdict {
    const { victim, witness } = this.#stage
    const { executions, intact, claims } = stored(victim.data)
    const lost: string[] = intact ? [] : ['the database is damaged']
    const doubled: string[] = []
    const inRecord = new Set(executions.flatMap(({ sessions }) => sessions.map(({ container }) => container)))
    const hadAgent = (container: string) => inRecord.has(container) || witness.used.has(container)
    for (const id of victim.watch.doubles(hadAgent).filter((one) => !this.#doubles.has(one))) {
      this.#doubles.add(id)
      const seen = witness.pairs.get(id) ?? 'the engine never listed both at once'
      doubled.push(`two agents of ${id} ran at the same time (${seen}): ${victim.watch.story(id)}`)
    }
    this.#bytes = this.#unrecorded = 0
    const fresh = executions.filter(({ id }) => !this.#judged.has(id))
    const ids = new Set(fresh.map(({ id }) => id))
    const seen = Map.groupBy(witness.take(ids), ({ execution }) => execution)
    const hubs = new Map(
      [...new Set(fresh.map(({ project }) => project))].map((one) => [one, notesIn(victim.data, one)]),
    )
    for (const execution of fresh) {
      this.#judged.add(execution.id)
      const told = `${execution.project}/${execution.bead} (${execution.id}, ${execution.state})`
      const say: Say = (what) => lost.push(`${told}: ${what}`)
      history(execution, say)
      published(victim, execution, say)
      const logs = recorded(this.#stage, execution, say, (what) => doubled.push(`${told}: ${what}`))
      const hub = hubs.get(execution.project)!
      for (const { start, out, err } of seen.get(execution.id) ?? []) {
        const saved = hub(start)
        for (const [stream, bytes] of [
          ['out', out],
          ['err', err],
        ] as const)
          this.#kept(start, stream, bytes, saved[stream], say)
      }
      for (const [start, log] of logs) this.#told(start, log, hub(start), say)
    }
    for (const [bead, its] of Map.groupBy(executions, ({ project, bead: id }) => `${project}/${id}`))
      if (its.length > 1) doubled.push(`${bead} has ${its.length} executions`)
    leftovers(victim, lost, { gitDied: true }) // because memory ran out
    for (const bead of claims) lost.push(`${bead} is still claimed in its tracker`)
    for (const project of hubs.keys())
      for (const ref of strayRefs(victim.data, project)) lost.push(`${project} has the ref ${ref}`)
    const ends = Object.fromEntries(
      [...Map.groupBy(fresh, ({ state }) => state)].map(([state, all]) => [state, all.length]),
    )
    return { lost, doubled, bytes: this.#bytes, unrecorded: this.#unrecorded, ends }
  }

  /** Checks that the hub has everything that was seen in the workspace. */
  #kept(start: string, stream: Stream, seen: Buffer, saved: Buffer, say: Say): void {
    const [inWorkspace, inHub] = [wholeLines(start, stream, seen), wholeLines(start, stream, saved)]
    for (const [where, { wrong }] of [
      ['workspace', inWorkspace],
      ['hub', inHub],
    ] as const)
      if (wrong !== null) say(`standard ${stream} of ${start} in the ${where} has ${wrong}`)
    this.#bytes += inWorkspace.bytes + inHub.bytes
    if (inHub.lines < inWorkspace.lines)
      say(
        `${inWorkspace.lines} lines of standard ${stream} of ${start} were in its workspace, and ${inHub.lines} are in the hub`,
      )
  }

  /** Checks that the log has what was written, without a gap; all of it if the agent reached its end. */
  #told(start: string, { last, bytes, whole }: Recorded, saved: Notes, say: Say): void {
    this.#bytes += bytes
    for (const stream of STREAMS) {
      const inHub = wholeLines(start, stream, saved[stream]).lines
      const inLog = last[stream]
      if (inLog > inHub + 1)
        say(`${inLog} lines of standard ${stream} of ${start} are in the log, and ${inHub} in the hub`)
      if (inLog >= inHub) continue
      this.#unrecorded += inHub - inLog
      if (whole)
        say(
          `${inHub} lines of standard ${stream} of ${start} are in the hub, and ${inLog} in the log of its whole session`,
        )
    }
  }
}

type Notes = Record<Stream, Buffer>

/** The fullest copy of each start's notebook that any ref of the hub has. */
function notesIn(data: string, project: string): (start: string) => Notes {
  const hub = join(data, 'hub', `${project}.git`)
  const blobs = new Map<string, { id: string; size: number }>()
  for (const ref of new Set(git(hub, 'for-each-ref', '--format=%(objectname)').split('\n'))) {
    for (const line of git(hub, 'ls-tree', '-r', '--long', ref, 'notes/').split('\n')) {
      const found = /^\S+ blob (\S+) +(\d+)\tnotes\/(\S+)$/.exec(line)
      if (!found) continue
      const [, id = '', size = '', name = ''] = found
      if (Number(size) > (blobs.get(name)?.size ?? -1)) blobs.set(name, { id, size: Number(size) })
    }
  }
  const read = (name: string) => {
    const blob = blobs.get(name)
    return blob
      ? execFileSync('git', ['cat-file', 'blob', blob.id], { cwd: hub, maxBuffer: MOST_BYTES })
      : Buffer.alloc(0)
  }
  return (start) => ({ out: read(`${start}/out`), err: read(`${start}/err`) })
}

/** The lines of the stream in these bytes, in order; the last may be torn. */
function wholeLines(
  start: string,
  stream: Stream,
  bytes: Buffer,
): { lines: number; bytes: number; wrong: string | null } {
  let at = 0
  for (let lines = 0; ; lines++) {
    const next = Buffer.from(lineOf(start, lines * 2 + (stream === 'out' ? 1 : 2)))
    const piece = bytes.subarray(at, at + next.length)
    if (piece.equals(next)) at += next.length
    else {
      const wrong = next.subarray(0, piece.length).equals(piece)
        ? null
        : `${JSON.stringify(piece.toString())} as its line ${lines + 1}`
      return { lines, bytes: at, wrong }
    }
  }
}

/** The number of a session's lines in its log, by stream, and whether it ended by itself. */
type Recorded = { last: Record<Stream, number>; bytes: number; session: number; whole: boolean }

/** The starts with lines in the logs of an execution. */
function recorded(
  { victim: { data }, unlogged }: SoakStage,
  execution: StoredExecution,
  say: Say,
  twice: Say,
): Map<string, Recorded> {
  const starts = new Map<string, Recorded>()
  for (const session of execution.sessions.filter(({ kind }) => kind === 'work')) {
    const { number } = session
    for (const text of logText(data, execution, number).split('\n')) {
      const line = text.startsWith('› ') ? text.slice(2) : text
      const read = readLine(line)
      if (!read) continue
      const start = starts.get(read.start) ?? {
        last: { out: 0, err: 0 },
        bytes: 0,
        session: number,
        whole: isWhole(session) && !(isSilent(session) && unlogged.some(cutAt(timesOf(data, execution, number)))),
      }
      starts.set(read.start, start)
      const stream = streamOf(read.number)
      const place = Math.ceil(read.number / 2)
      const whole = lineOf(read.start, read.number)
      if (start.session !== number) twice(`the start ${read.start} is in the logs ${start.session} and ${number}`)
      if (place <= start.last[stream]) twice(`line ${read.number} of ${read.start} is in log ${number} again`)
      else if (`${line}\n` !== whole && !whole.startsWith(line)) say(`log ${number} has ${JSON.stringify(line)}`)
      else if (place > start.last[stream] + 1 && !unlogged.some(during(timesOf(data, execution, number))))
        say(
          `log ${number} has line ${read.number} of ${read.start} behind ${start.last[stream]} lines of standard ${stream}`,
        )
      if (`${line}\n` !== whole || place <= start.last[stream]) continue
      start.last[stream] = place
      start.bytes += Buffer.byteLength(whole)
    }
  }
  return starts
}

/** Whether it ended well without saying so. */
const isSilent = ({ outcome, exitCode }: StoredExecution['sessions'][number]): boolean =>
  outcome === 'infra_error' && exitCode === 0

/**
 * Container output during dockerd's absence is kept for the next dockerd, which throws it away if the container has
 * ended by then. Output while Docker's disk is full is dropped. So such a log has a gap, or ends there.
 */
const cutAt =
  ({ last }: Times) =>
  ({ from, to }: SoakStage['unlogged'][number]): boolean =>
    last > from - UNREAD_MS && last < to + UNREAD_MS

const during =
  ({ first, last }: Times) =>
  ({ from, to }: SoakStage['unlogged'][number]): boolean =>
    from < last && to > first

type Times = { first: number; last: number }

/**
 * The times at which lines of a log were printed, from its marks (docs/log-format.md): by Docker's clock, which does
 * not jump.
 */
function timesOf(data: string, { id }: StoredExecution, number: number): Times {
  const marks = readFileSync(join(data, 'logs', id, `${number}.marks`))
  const at = (record: number) => marks.readUIntLE(record * MARK_BYTES + 4, 6)
  return { first: at(0), last: at(Math.floor(marks.length / MARK_BYTES) - 1) }
}

/** Empty if a failed session has no log. */
function logText(data: string, execution: StoredExecution, number: number): string {
  try {
    return logOf(data, execution, number).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Refs of the hub other than branches, saved work and the state of the remote. */
function strayRefs(data: string, project: string): string[] {
  const refs = git(join(data, 'hub', `${project}.git`), 'for-each-ref', '--format=%(refname)').split('\n')
  return refs.filter((ref) => /^refs\/hub\/(candidate|importing)/.test(ref))
}
