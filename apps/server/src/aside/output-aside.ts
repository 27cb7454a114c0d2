import type { Digest, DigestOptions } from '@beadloom/core/digest/digest-reader.ts'
import { unreadDigest } from '@beadloom/core/digest/unread.ts'
import type { OutputDigest } from '../ports/aside.ts'
import { hasFailed, orStopped, type AsideThread, type Failed } from './aside-thread.ts'
import type { AsideThreads } from './aside-threads.ts'
import { SMALL_BYTES, type AsideBounds } from './bounds.ts'
import { Readings, type Answer, type Piece } from './orders.ts'

/** Bytes that go to the thread together. */
const PIECE_BYTES = 64 * 1024
/** Bytes that are kept until the command ends, so others can use the thread meanwhile. Few checks print more. */
const HELD_BYTES = 256 * 1024
/** Bytes on their way to the thread; at this many, `room` waits. */
const MOST_UNREAD = 1024 ** 2
/** The end of the output, kept for people in case the output cannot be read. */
const TAIL_BYTES = 8 * 1024

/** The digest of one output. A long one is read while it is printed. */
export class OutputAside implements OutputDigest {
  readonly #threads: AsideThreads
  readonly #options: DigestOptions
  readonly #bounds: AsideBounds
  #piece: { bytes: Buffer; used: number; runs: Piece['runs'] } | null = null
  /** Pieces that wait for the end; null once a thread has them. */
  #held: Piece[] | null = []
  #thread: AsideThread | null = null
  #failed: Failed | null = null
  #error: Error | null = null
  #bytes = 0
  #unread = 0
  #tail = Buffer.alloc(0)
  #waiting: (() => void)[] = []

  constructor(threads: AsideThreads, options: DigestOptions, bounds: AsideBounds) {
    this.#threads = threads
    this.#options = options
    this.#bounds = bounds
  }

  push(stream: 'stdout' | 'stderr', bytes: Uint8Array): void {
    this.#bytes += bytes.length
    this.#keepTail(bytes)
    for (let from = 0; from < bytes.length;) {
      const piece = (this.#piece ??= { bytes: Buffer.allocUnsafeSlow(PIECE_BYTES), used: 0, runs: [] })
      const taken = bytes.subarray(from, from + PIECE_BYTES - piece.used)
      piece.bytes.set(taken, piece.used)
      piece.used += taken.length
      const last = piece.runs.at(-1)
      if (last?.[0] === stream) last[1] += taken.length
      else piece.runs.push([stream, taken.length])
      from += taken.length
      if (piece.used === PIECE_BYTES) this.#flush()
    }
    if (this.#held !== null && this.#bytes > HELD_BYTES) this.#stream()
  }

  room(): Promise<void> | null {
    if (this.#unread < MOST_UNREAD || this.#isOver) return null
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  async end(exitCode: number | null): Promise<Digest> {
    this.#flush()
    const held = this.#held
    this.#held = null
    if (held === null) return this.#toDigest(await this.#endOf(this.#thread, exitCode), exitCode)
    if (this.#bytes <= SMALL_BYTES) return atOnce(this.#options, held, exitCode)
    const answer = await this.#threads.inTurn(async (thread) => {
      this.#begin(thread)
      for (const piece of held) this.#send(thread, piece)
      return this.#endOf(thread, exitCode)
    })
    return this.#toDigest(answer, exitCode)
  }

  drop(): void {
    this.#held = null
    this.#piece = null
    this.#over({ failed: 'ended' })
    const thread = this.#thread
    this.#thread = null
    if (thread) this.#threads.giveBack(thread)
  }

  get #isOver(): boolean {
    return this.#failed !== null || this.#error !== null
  }

  /** Hands an output that is too long to keep to a thread of its own. */
  #stream(): void {
    const held = this.#held ?? []
    this.#held = null
    const thread = this.#threads.take()
    this.#thread = thread
    this.#begin(thread)
    for (const piece of held) this.#send(thread, piece)
  }

  #begin(thread: AsideThread): void {
    this.#note(thread.ask({ do: 'begin', options: this.#options }, 0))
  }

  async #endOf(thread: AsideThread | null, exitCode: number | null): Promise<Answer | Failed> {
    try {
      if (this.#error) throw this.#error
      if (this.#failed || !thread) return this.#failed ?? { failed: 'ended' }
      return await thread.ask({ do: 'end', exitCode }, 0, this.#bounds.mostMs)
    } finally {
      if (thread !== null && thread === this.#thread) {
        this.#thread = null
        this.#threads.giveBack(thread)
      }
    }
  }

  #toDigest(answer: Answer | Failed, exitCode: number | null): Digest {
    if (answer !== null && 'digest' in answer) return answer
    orStopped(answer, 'an output was read')
    return unreadDigest(this.#tail.toString('utf8'), this.#options, exitCode)
  }

  #flush(): void {
    const piece = this.#piece
    this.#piece = null
    if (piece === null || this.#isOver) return
    const whole: Piece = { bytes: piece.bytes.subarray(0, piece.used), runs: piece.runs }
    if (this.#held !== null) this.#held.push(whole)
    else if (this.#thread) this.#send(this.#thread, whole)
  }

  #send(thread: AsideThread, piece: Piece): void {
    const { length } = piece.bytes
    this.#unread += length
    const answer = thread.ask({ do: 'push', piece }, length, this.#bounds.mostMs)
    this.#note(
      answer.finally(() => {
        this.#unread -= length
        if (this.#unread < MOST_UNREAD / 2) this.#letIn()
      }),
    )
  }

  /** Remembers a failure on the way; `end` reports it. */
  #note(answer: Promise<Answer | Failed>): void {
    answer.then(
      (said) => void (hasFailed(said) && this.#over(said)),
      (error: Error) => {
        this.#error ??= error
        this.#letIn()
      },
    )
  }

  #over(failed: Failed): void {
    this.#failed ??= failed
    this.#letIn()
  }

  #letIn(): void {
    for (const go of this.#waiting.splice(0)) go()
  }

  #keepTail(bytes: Uint8Array): void {
    this.#tail =
      bytes.length >= TAIL_BYTES
        ? Buffer.from(bytes.subarray(-TAIL_BYTES))
        : Buffer.concat([this.#tail.subarray(Math.max(0, this.#tail.length + bytes.length - TAIL_BYTES)), bytes])
  }
}

function atOnce(options: DigestOptions, held: readonly Piece[], exitCode: number | null): Digest {
  const { answer } = new Readings()
  answer({ do: 'begin', options })
  for (const piece of held) answer({ do: 'push', piece })
  return answer({ do: 'end', exitCode }) as Digest
}
