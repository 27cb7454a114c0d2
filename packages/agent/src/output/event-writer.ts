import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { MAX_LINE_BYTES, type EventBody } from '@beadloom/core/log/event-line.ts'
import { looksLikeEvents, MAX_OUTPUT_BYTES, outputHead } from '@beadloom/core/log/output-head.ts'
import type { Clock } from '../process/clock.ts'
import { cutMiddle } from '@beadloom/core/text/cut-middle.ts'
import { cutText, splitText } from './split-text.ts'

export type RecordBounds = {
  /** A session's record is complete up to here, counted in bytes of event lines. */
  recordBytes: number
  /** The kept length of the end of a longer record. */
  tailBytes: number
  /** Beyond this the running command is stopped. */
  stopBytes: number
}

/** A record is complete up to 256 MiB; then only its end is kept, and past 512 MiB produced the session is stopped. */
const recordBounds: RecordBounds = {
  recordBytes: 256 * 1024 ** 2,
  tailBytes: 1024 ** 2,
  stopBytes: 512 * 1024 ** 2,
}

/** Room for `{"n":…,"at":…,` with the largest numbers, and the line's end. A line before output takes about as much. */
const PREFIX_BYTES = 64
const MAX_BODY_BYTES = MAX_LINE_BYTES - PREFIX_BYTES
/** Texts that must stay in one piece are cut to this many characters: at six bytes each they still fit a line. */
const MAX_SHORT_TEXT = 4 * 1024

/** Types without a limit on their number. All others are rare, are never dropped, and stay in order with these. */
const bulk: ReadonlySet<EventBody['type']> = new Set(['output', 'raw', 'message', 'tool_result', 'sub_agent'])
type Bulk = Extract<EventBody, { type: 'output' | 'raw' | 'message' | 'tool_result' | 'sub_agent' }>
const isBulk = (body: EventBody): body is Bulk => bulk.has(body.type)

/**
 * This many characters of ordinary text fit a line. A flood is cut here at once instead of being measured several
 * times.
 */
const LIKELY_TO_FIT = 48 * 1024
/** Shorter output becomes a line of JSON, which is easier to read. */
const MUCH_OUTPUT = 1024

/** One event: a JSON body, or output that is written unchanged after its line. */
type Piece = { bytes: number } & ({ json: string } | { stream: 'stdout' | 'stderr'; text: string; length: number })

/**
 * Writes a session's event lines: numbered, at most 64 KiB each (and as much output behind one), valid UTF-8, as fast
 * as they are read and no faster. `write` resolves when there is room for more, so callers that await it need no queue
 * of their own.
 */
export class EventWriter {
  #out: Writable
  #clock: Clock
  #bounds: RecordBounds
  #n = 0
  #seen = 0
  #written = 0
  #broken = false
  #overflow = new AbortController()
  #tail: Piece[] = []
  #tailBytes = 0
  #dropped = 0
  #full = false
  #listeners: ((body: EventBody) => void)[] = []

  constructor(out: Writable, clock: Clock, bounds: RecordBounds = recordBounds) {
    this.#out = out
    this.#clock = clock
    this.#bounds = bounds
    // The reader is gone. The session continues: its commits and saved files matter more than its output.
    out.on('error', () => (this.#broken = true))
  }

  /** Aborts when the session has produced more than `stopBytes`. */
  get overflow(): AbortSignal {
    return this.#overflow.signal
  }

  /** Calls the listener with each body before it is written, even if it is too much for the record. */
  onWrite(listener: (body: EventBody) => void): void {
    this.#listeners.push(listener)
  }

  async write(body: EventBody): Promise<void> {
    for (const listener of this.#listeners) listener(body)
    for (const piece of piecesOf(body)) {
      this.#seen += piece.bytes
      if (bulk.has(body.type) && (this.#full || this.#written + piece.bytes > this.#bounds.recordBytes)) {
        await this.#keepInTail(piece)
      } else {
        await this.#flushTail()
        await this.#emit(piece)
      }
    }
  }

  /** Resolves when the reader of stdout has everything, or is gone. */
  async finish(): Promise<void> {
    await this.#flushTail()
    this.#out.end()
    await finished(this.#out).catch(() => {})
  }

  async #keepInTail(piece: Piece): Promise<void> {
    this.#tail.push(piece)
    this.#tailBytes += piece.bytes
    while (this.#tailBytes > this.#bounds.tailBytes && this.#tail.length > 1) {
      const oldest = this.#tail.shift()!
      this.#tailBytes -= oldest.bytes
      this.#dropped += oldest.bytes
    }
    if (!this.#full) {
      this.#full = true
      const kept = megabytes(this.#bounds.tailBytes)
      await this.#warn(
        `the record of this session is full (${megabytes(this.#bounds.recordBytes)}): from here on, only the last ${kept} before the end of each section is kept`,
      )
    }
    if (this.#seen > this.#bounds.stopBytes && !this.#overflow.signal.aborted) {
      this.#overflow.abort()
      await this.#warn(`the session produced more than ${megabytes(this.#bounds.stopBytes)} of output and was stopped`)
    }
  }

  async #flushTail(): Promise<void> {
    if (this.#tail.length === 0) return
    const [tail, dropped] = [this.#tail, this.#dropped]
    this.#tail = []
    this.#tailBytes = 0
    this.#dropped = 0
    if (dropped > 0) await this.#warn(`${dropped.toLocaleString('en-US')} bytes of the record are left out here`)
    for (const piece of tail) await this.#emit(piece)
  }

  #warn(text: string): Promise<void> {
    return this.#emit(pieceOf(JSON.stringify({ type: 'warning', text } satisfies EventBody)))
  }

  /** Numbers the line and hands it over in one step, so that concurrent writers cannot swap lines. */
  async #emit(piece: Piece): Promise<void> {
    if (this.#broken || this.#out.destroyed) return
    this.#n += 1
    const bytes = this.#bytesOf(piece)
    this.#written += bytes.length
    if (this.#out.write(bytes)) return
    const given = new AbortController()
    const { signal } = given
    await Promise.race([once(this.#out, 'drain', { signal }), once(this.#out, 'close', { signal })]).catch(() => {})
    given.abort()
  }

  #bytesOf(piece: Piece): Buffer {
    const [n, at] = [this.#n, this.#clock.now()]
    if ('json' in piece) return Buffer.from(`{"n":${n},"at":${at},${piece.json.slice(1)}\n`)
    const { stream, text, length } = piece
    return Buffer.from(`${outputHead({ n, at, stream, bytes: length })}\n${text}\n`)
  }
}

const pieceOf = (json: string): Piece => ({ json, bytes: Buffer.byteLength(json) + PREFIX_BYTES })

function* piecesOf(body: EventBody): Generator<Piece> {
  if (body.type !== 'output' || body.text.length < MUCH_OUTPUT) {
    for (const json of jsonPieces(body)) yield pieceOf(json)
    return
  }
  const { stream } = body
  for (const cut of cutText(body.text, MAX_OUTPUT_BYTES)) {
    const text = cut.toWellFormed()
    const length = Buffer.byteLength(text)
    if (length <= MAX_OUTPUT_BYTES && !looksLikeEvents(text))
      yield { stream, text, length, bytes: length + PREFIX_BYTES }
    else for (const json of jsonPieces({ ...body, text })) yield pieceOf(json)
  }
}

/** The JSON of a body, in one or more lines: long text is split, or cut where it must be a single line. */
function* jsonPieces(body: EventBody): Generator<string> {
  if (isBulk(body) && body.text.length > LIKELY_TO_FIT) {
    for (const text of cutText(body.text, LIKELY_TO_FIT)) yield* jsonPieces({ ...body, text })
    return
  }
  const sound = wellFormed(body)
  const json = JSON.stringify(sound)
  if (Buffer.byteLength(json) <= MAX_BODY_BYTES) return yield json
  const split = sound.type === 'tool_call' ? 'arguments' : bulk.has(sound.type) ? 'text' : null
  if (split === null) return yield JSON.stringify(mapTexts(sound, (text) => cutMiddle(text, MAX_SHORT_TEXT)))
  const { [split]: long, ...rest } = sound as Record<string, unknown>
  const short = mapTexts(rest, (text) => cutMiddle(text, MAX_SHORT_TEXT / 4))
  const budget = MAX_BODY_BYTES - Buffer.byteLength(JSON.stringify({ ...short, [split]: '' }))
  for (const piece of splitText(String(long), budget)) yield JSON.stringify({ ...short, [split]: piece })
}

function wellFormed(body: EventBody): EventBody {
  return Object.values(body).every((value) => typeof value !== 'string' || value.isWellFormed())
    ? body
    : mapTexts(body, (text) => text.toWellFormed())
}

function mapTexts<T extends object>(body: T, change: (text: string) => string): T {
  const entries = Object.entries(body).map(([key, value]) => [key, typeof value === 'string' ? change(value) : value])
  return Object.fromEntries(entries) as T
}

const megabytes = (bytes: number): string =>
  bytes >= 1024 ** 2 ? `${Math.round(bytes / 1024 ** 2)} MiB` : `${bytes.toLocaleString('en-US')} bytes`
