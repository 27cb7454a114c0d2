import { Writable } from 'node:stream'
import type { EventLine } from '@beadloom/core/log/event-line.ts'
import { readEvents } from './read-events.ts'
import { EventWriter, type RecordBounds } from '../output/event-writer.ts'
import { systemClock } from '../process/clock.ts'

/** A session's output, kept in memory instead of stdout, and read back as the server reads it. */
export class MemoryRecord {
  readonly writer: EventWriter
  readonly out: Writable
  #chunks: Buffer[] = []
  #listeners = new Set<() => void>()

  constructor(bounds?: RecordBounds, { delayMs = 0, highWaterMark = 256 * 1024 } = {}) {
    this.out = new Writable({
      highWaterMark,
      write: (chunk: Buffer, _encoding, done) => {
        this.#chunks.push(chunk)
        for (const listener of this.#listeners) listener()
        if (delayMs > 0) setTimeout(done, delayMs)
        else setImmediate(done)
      },
    })
    this.writer = new EventWriter(this.out, systemClock, bounds)
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  /** The events so far. Every line must be an event, short enough, and numbered without a gap. */
  get events(): EventLine[] {
    return readEvents(this.bytes)
  }

  of<T extends EventLine['type']>(type: T): Extract<EventLine, { type: T }>[] {
    return this.events.filter((event): event is Extract<EventLine, { type: T }> => event.type === type)
  }

  text(type: 'output' | 'raw' | 'message' | 'warning'): string {
    return this.of(type)
      .map(({ text }) => text)
      .join('')
  }

  /** Resolves as soon as the output contains `part`. */
  async waitFor(part: string): Promise<void> {
    while (!this.bytes.includes(part)) {
      await new Promise<void>((resolve) => {
        const heard = () => {
          this.#listeners.delete(heard)
          resolve()
        }
        this.#listeners.add(heard)
      })
    }
  }
}
