import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EventBody, EventLine } from '@beadloom/core/log/event-line.ts'
import { outputHead } from '@beadloom/core/log/output-head.ts'
import { executionOf, parseSessionId } from '@beadloom/core/records/ids.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { OutputFrame } from '../ports/sandbox.ts'
import type { HeardEvent, Listener } from '../ports/recorder.ts'
import type { Checkpoint, RecordedEvent } from '../ports/store/sessions.ts'
import type { Clock } from '../process/clock.ts'
import { createRecorder } from './create-recorder.ts'
import type { RecorderParts, RecorderStore } from './create-recorder.ts'
import type { RecorderBounds } from './bounds.ts'
import { logPaths } from './files/log-paths.ts'

export const session: SessionId = parseSessionId('ex-aaaaaaaaaa.1')

/** Batches end at once, so a test sees each commit without waiting. */
const eagerClock: Clock = { now: () => 1234, monotonic: () => 0, sleep: () => Promise.resolve() }

/** Checkpoints and rows as the store keeps them: together, or not at all. */
export class MemoryStore implements RecorderStore {
  readonly checkpoints = new Map<SessionId, Checkpoint>()
  readonly events: RecordedEvent[] = []
  readonly ended = new Set<SessionId>()
  failing = false

  commitRecord(id: SessionId, checkpoint: Checkpoint, events: RecordedEvent[]): void {
    if (this.failing) throw new Error('the disk is full')
    this.checkpoints.set(id, checkpoint)
    this.events.push(...events)
  }

  checkpoint(id: SessionId): Checkpoint | null {
    return this.checkpoints.get(id) ?? null
  }

  session(id: SessionId): Session {
    return {
      id,
      execution: executionOf(id),
      number: 1,
      kind: 'work',
      attempt: 1,
      state: this.ended.has(id) ? 'ended' : 'running',
      outcome: this.ended.has(id) ? 'failed' : null,
      exitCode: this.ended.has(id) ? 3 : null,
      detail: '',
      container: 'c',
      model: null,
      tokens: { input: 0, output: 0 },
      logLines: 0,
      logBytes: 0,
      startedAt: 0,
      endedAt: null,
    }
  }
}

/** A folder of logs with its store; `again` is a server that continues with the last one's files. */
export class Desk {
  readonly folder = mkdtempSync(join(tmpdir(), 'beadloom-recorder-'))
  readonly store = new MemoryStore()
  readonly reported: unknown[] = []
  readonly heard: EventLine[] = []
  readonly #bounds: Partial<RecorderBounds>
  activity = 0
  /** Whether the listener takes more; asked after each frame. */
  room: Listener['room'] = () => null
  parts: RecorderParts

  constructor(bounds: Partial<RecorderBounds> = {}) {
    this.#bounds = bounds
    this.parts = this.again()
  }

  again(): RecorderParts {
    this.parts = createRecorder({
      folder: this.folder,
      store: this.store,
      clock: eagerClock,
      bounds: this.#bounds,
      report: (error) => this.reported.push(error),
    })
    return this.parts
  }

  record(frames: AsyncIterable<OutputFrame> | Iterable<OutputFrame>, id = session, letGo?: AbortSignal) {
    const hear: Listener = {
      onEvent: (event) => this.heard.push(withText(event)),
      onActivity: () => (this.activity += 1),
      whileOurs: (wait) => wait(),
      room: () => this.room?.() ?? null,
    }
    return this.parts.recorder.record(id, toAsync(frames), hear, letGo)
  }

  /** Returns the desk that a server finds if this one is killed now. */
  killed(): Desk {
    const next = new Desk(this.#bounds)
    cpSync(this.folder, next.folder, { recursive: true })
    for (const [id, checkpoint] of this.store.checkpoints) next.store.checkpoints.set(id, checkpoint)
    next.store.events.push(...this.store.events)
    return next
  }

  get log(): Buffer {
    return readFileSync(logPaths(this.folder, session).log)
  }

  get text(): string {
    return this.log.toString('utf8')
  }

  /** The agent's own output; '' if none was kept. */
  get agentText(): string {
    const { agent } = logPaths(this.folder, session)
    return existsSync(agent) ? readFileSync(agent, 'utf8') : ''
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}

const withText = (event: HeardEvent): EventLine => {
  if (event.type !== 'output') return event
  const { bytes, ...rest } = event
  return { ...rest, text: bytes.toString('utf8') }
}

async function* toAsync(frames: AsyncIterable<OutputFrame> | Iterable<OutputFrame>): AsyncIterable<OutputFrame> {
  yield* frames
}

export const out = (bytes: string | Buffer): OutputFrame => ({ stream: 'stdout', bytes: Buffer.from(bytes as string) })
export const err = (bytes: string | Buffer): OutputFrame => ({ stream: 'stderr', bytes: Buffer.from(bytes as string) })

/** Event lines numbered from `first`, as one text. */
export const lines = (first: number, ...bodies: EventBody[]): string =>
  bodies.map((body, at) => `${JSON.stringify({ n: first + at, at: 1, ...body })}\n`).join('')

/** Output behind its line, as one event. */
export const printed = (n: number, bytes: string | Buffer, stream: OutputFrame['stream'] = 'stdout'): Buffer => {
  const output = Buffer.from(bytes as string)
  return Buffer.concat([
    Buffer.from(`${outputHead({ n, at: 1, stream, bytes: output.length })}\n`),
    output,
    Buffer.from('\n'),
  ])
}

/** The same bytes in two frames, cut at `at`. */
export const cutAt = (bytes: Buffer, at: number, stream: OutputFrame['stream'] = 'stdout'): OutputFrame[] => [
  { stream, bytes: bytes.subarray(0, at) },
  { stream, bytes: bytes.subarray(at) },
]

/** Returns the same random numbers every time. */
export function dice(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
