import { OutputReader } from '@beadloom/core/supervisor/output-record.ts'
import type { OutputFollower } from '@beadloom/core/link/output-follower.ts'
import type { OutputPiece } from '@beadloom/core/link/output-receiver.ts'
import type { SandboxLink } from '../../link/sandbox-link.ts'
import type { FrameSource, Offsets, OutputFrame } from '../../ports/sandbox.ts'
import type { Clock } from '../../process/clock.ts'
import type { DeadSession } from './dead-session.ts'
import { Handover } from './handover.ts'
import { CopyBehind } from './copy-behind.ts'
import type { CopyPlace, OutputCopy } from './output-copy.ts'

export type SpoolOutputOptions = {
  /** The supervisor's name for the session. */
  session: string
  link: SandboxLink
  copy: OutputCopy
  /** Aborted when its container has ended: nothing comes over the link any more. */
  over: AbortSignal
  /** Aborted when the supervisor does not know the session any more. */
  forgotten: AbortSignal
  /** The session on the disk of the container that has ended; null: it is gone, or cannot be read. */
  dead: () => Promise<DeadSession | null>
  clock: Clock
  report: (error: unknown) => void
}

/** The pause between two requests for a spool that the supervisor does not have yet. */
const AGAIN_MS = 100

/**
 * A session's output: first from an earlier server's copy, then from its supervisor, over one link after the other, and
 * finally from the disk of its container, if the supervisor could not deliver the rest.
 */
export class SpoolOutput implements FrameSource {
  readonly #options: SpoolOutputOptions
  readonly #frames = new Handover<OutputFrame>()
  readonly #reader = new OutputReader(0)
  readonly #closed = new AbortController()
  /** The bytes of each stream that have arrived. */
  readonly #come: Offsets = { stdout: 0, stderr: 0 }
  #follower: OutputFollower | null = null
  #skipped: Partial<Offsets> = {}
  readonly #behind: CopyBehind
  readonly #done: Promise<void>

  constructor(options: SpoolOutputOptions) {
    this.#options = options
    this.#behind = new CopyBehind({
      copy: options.copy,
      stop: this.#closed.signal,
      copied: (offset) => this.#follower?.acknowledge(offset),
      // Without a copy the sandbox keeps everything that it has room for.
      failed: options.report,
    })
    this.#done = this.#read()
      .catch(options.report)
      .finally(async () => {
        this.#frames.end()
        await this.#behind.idle()
        await options.copy.close()
      })
      .catch(options.report)
  }

  [Symbol.asyncIterator](): AsyncIterator<OutputFrame> {
    return this.#frames[Symbol.asyncIterator]()
  }

  close(): void {
    this.#closed.abort()
    this.#frames.close()
    this.#follower?.stop()
  }

  /** Removes the copy: all of it is stored for good. */
  async forget(): Promise<void> {
    this.close()
    await this.#done
    await this.#options.copy.remove()
  }

  async #read(): Promise<void> {
    await this.#readCopy()
    const { link, over, clock } = this.#options
    const closed = AbortSignal.any([this.#closed.signal, this.#options.forgotten])
    const either = AbortSignal.any([closed, over])
    while (!closed.aborted) {
      if (over.aborted) return this.#readDisk()
      if (link.isClosed) return
      if (!(await link.until(() => link.isTaken, either))) continue
      const end = await this.#follow()
      if (end === 'complete' || end === 'damaged') return
      if (end === 'refused') await clock.sleep(AGAIN_MS, either)
    }
  }

  async #readCopy(): Promise<void> {
    const { copy } = this.#options
    for await (const { place, bytes } of copy.read(this.#closed.signal)) {
      if (this.#closed.signal.aborted) return
      if (place && place.offset > this.#reader.complete) this.#jumpTo(place)
      await this.#frames.give(this.#framesIn(bytes))
    }
    await copy.cutAt(this.#reader.complete, this.#closed.signal)
    this.#reader.skipTo(this.#reader.complete)
  }

  #follow(): Promise<'complete' | 'damaged' | 'refused' | 'lost'> {
    const { session, link } = this.#options
    this.#reader.skipTo(this.#reader.complete) // half a record from a lost link comes again
    return new Promise((resolve) => {
      this.#follower = link.follow(session, this.#reader.complete, {
        write: (piece) => this.#take(piece),
        closed: (reason) => {
          if (reason === null) resolve('complete')
          else if (this.#reader.damaged) resolve('damaged')
          else resolve(reason === 'refused' ? 'refused' : 'lost')
        },
      })
      if (!this.#follower) resolve('refused') // not again at once
    })
  }

  async #take(piece: OutputPiece): Promise<void> {
    if (piece.type === 'gap') {
      await this.#behind.idle()
      this.#reader.skipTo(piece.to)
      this.#skipped = { stdout: 0, stderr: 0 }
      this.#options.copy.gap()
      return
    }
    const before = this.#reader.complete === piece.from ? { offset: piece.from, ...this.#come } : null
    const whole = this.#reader.take(piece.bytes)
    if (this.#reader.damaged) throw new Error('the output is not a sequence of records')
    await this.#frames.give(this.#framesOf(whole))
    const room = this.#behind.add({ ...piece, place: before }, this.#reader.complete)
    if (room) await room
  }

  async #readDisk(): Promise<void> {
    const dead = await this.#options.dead()
    if (!dead) return
    for await (const { stream, bytes, at } of dead.frames(this.#reader.complete)) {
      if (this.#closed.signal.aborted) return
      await this.#frames.give([this.#frame(stream, bytes, at)])
    }
  }

  #framesIn(bytes: Uint8Array): OutputFrame[] {
    return this.#framesOf(this.#reader.take(bytes))
  }

  #framesOf(records: ReturnType<OutputReader['take']>): OutputFrame[] {
    return records.flatMap(({ kind, at, bytes }) =>
      kind === 'note' ? [] : [this.#frame(kind, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), at)],
    )
  }

  #frame(stream: OutputFrame['stream'], bytes: Buffer, at: number | undefined): OutputFrame {
    this.#come[stream] += bytes.length
    const skipped = this.#skipped[stream]
    delete this.#skipped[stream]
    return { stream, bytes, ...(at !== undefined && { at }), ...(skipped !== undefined && { skipped }) }
  }

  /** Skips the middle of a very long output, which was not kept. */
  #jumpTo(place: CopyPlace): void {
    this.#skipped = {
      stdout: Math.max(0, place.stdout - this.#come.stdout),
      stderr: Math.max(0, place.stderr - this.#come.stderr),
    }
    Object.assign(this.#come, { stdout: place.stdout, stderr: place.stderr })
    this.#reader.skipTo(place.offset)
  }
}
