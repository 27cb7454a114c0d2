import { OutputReader } from '@beadloom/core/supervisor/output-record.ts'
import type { OutputFollower } from '@beadloom/core/link/output-follower.ts'
import type { OutputPiece } from '@beadloom/core/link/output-receiver.ts'
import type { SandboxLink } from '../../link/sandbox-link.ts'
import type { OutputFrame, OutputSource } from '../../ports/sandbox.ts'
import type { Clock } from '../../process/clock.ts'
import type { DeadSession } from './dead-session.ts'
import { Handover } from './handover.ts'

export type SpoolOutputOptions = {
  /** As its supervisor calls the session. */
  session: string
  link: SandboxLink
  /** Aborted when its container has ended: nothing comes by the link any more. */
  over: AbortSignal
  /** The session on the disk of the container that has ended; null: it is gone, or cannot be read. */
  dead: () => Promise<DeadSession | null>
  clock: Clock
}

/** Between two questions for a spool that its supervisor does not have yet. */
const AGAIN_MS = 100

/**
 * What a session prints: from its supervisor, over one link after the other, and what that had not given out any more
 * from the disk of its container.
 */
export class SpoolOutput implements OutputSource {
  readonly from = { stdout: 0, stderr: 0 }
  readonly #options: SpoolOutputOptions
  readonly #frames = new Handover<OutputFrame>()
  readonly #reader = new OutputReader(0)
  readonly #closed = new AbortController()
  #follower: OutputFollower | null = null
  #hasAll = false
  #seam = false

  constructor(options: SpoolOutputOptions) {
    this.#options = options
    void this.#read().finally(() => this.#frames.end())
  }

  [Symbol.asyncIterator](): AsyncIterator<OutputFrame> {
    return this.#frames[Symbol.asyncIterator]()
  }

  acknowledge(): void {
    // The spool is kept until the session is: a server after this one reads it from its first byte.
  }

  /** Everything of it is stored for good: the sandbox need not keep it. */
  forget(): void {
    if (this.#hasAll) this.#follower?.acknowledge(this.#reader.complete)
  }

  close(): void {
    this.#closed.abort()
    this.#frames.close()
    if (!this.#hasAll) this.#follower?.stop()
  }

  async #read(): Promise<void> {
    const { link, over, clock } = this.#options
    const closed = this.#closed.signal
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

  #follow(): Promise<'complete' | 'damaged' | 'refused' | 'lost'> {
    const { session, link } = this.#options
    return new Promise((resolve) => {
      const from = this.#reader.complete
      this.#follower = link.follow(session, from, {
        write: (piece) => this.#take(piece),
        closed: (reason) => {
          if (reason === null) this.#hasAll = true
          if (reason === null) resolve('complete')
          else if (this.#reader.damaged) resolve('damaged')
          else resolve(reason === 'refused' ? 'refused' : 'lost')
        },
      })
      if (!this.#follower) resolve('lost')
    })
  }

  #take(piece: OutputPiece): Promise<void> {
    if (piece.type === 'gap') {
      this.#reader.skipTo(piece.to)
      this.#seam = true
      return Promise.resolve()
    }
    const frames: OutputFrame[] = []
    for (const { kind, at, bytes } of this.#reader.take(piece.bytes)) {
      if (kind === 'note') continue
      frames.push({
        stream: kind,
        at,
        bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        ...this.#seamed(),
      })
    }
    if (this.#reader.damaged) return Promise.reject(new Error('the output is no sequence of records'))
    return this.#frames.give(frames)
  }

  async #readDisk(): Promise<void> {
    const dead = await this.#options.dead()
    if (!dead) return
    for await (const frame of dead.frames(this.#reader.complete)) {
      if (this.#closed.signal.aborted) return
      await this.#frames.give([{ ...frame, ...this.#seamed() }])
    }
  }

  #seamed(): { seam?: true } {
    if (!this.#seam) return {}
    this.#seam = false
    return { seam: true }
  }
}
