import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Exit, OutputFrame } from '../../ports/sandbox.ts'
import type { Service } from '../../ports/service.ts'
import { within } from '../../process/within.ts'
import type { ServiceDeps, ServiceRecords } from './service-records.ts'

/** After the removal, the last output may still be on the way. */
const DRAIN_MS = 10_000
const TAIL_BYTES = 8 * 1024
const TAIL_LINES = 15

/** A service that was started, with the record of its output. */
export class RunningService {
  readonly name: string
  readonly service: Service
  /** Its end, if it ended by itself; null: it runs, or was closed. */
  exit: Exit | null = null
  readonly #deps: ServiceDeps
  readonly #session: SessionId
  readonly #records: ServiceRecords
  readonly #output: ReturnType<Service['output']>
  readonly #record: Promise<unknown>
  readonly #closed = new AbortController()
  #tail = Buffer.alloc(0)

  /** `letGo`: aborts when the server goes down; the service continues. */
  constructor(
    deps: ServiceDeps,
    name: string,
    service: Service,
    session: SessionId,
    records: ServiceRecords,
    letGo?: AbortSignal,
  ) {
    this.name = name
    this.service = service
    this.#deps = deps
    this.#session = session
    this.#records = records
    this.#output = service.output()
    const hear = { onEvent: () => {}, onActivity: () => {}, whileOurs: <T>(wait: () => Promise<T>) => wait() }
    this.#record = deps.recorder
      .record(session, this.#heard(), hear, letGo)
      .catch((error: unknown) => letGo?.aborted || deps.log.warn({ error, session }, 'a service could not be recorded'))
    letGo?.addEventListener('abort', () => this.letGo(), { once: true, signal: this.#closed.signal })
    void this.#watch()
  }

  /** Its last lines of output, for people. */
  get lastLines(): string {
    return this.#tail.toString('utf8').trimEnd().split('\n').slice(-TAIL_LINES).join('\n')
  }

  /** "ended with exit code 1"; null: it has not ended by itself. */
  get howItEnded(): string | null {
    if (this.exit === null) return null
    if (this.exit.oomKilled) return 'used up its memory and was killed'
    return this.exit.lost ? 'is gone' : `ended with exit code ${this.exit.code}`
  }

  letGo(): void {
    this.#closed.abort()
    this.#output.close()
  }

  /** Ends it. Never rejects: if it cannot be removed now, a later sweep removes it. */
  async close(): Promise<void> {
    const { store, clock, log } = this.#deps
    this.#closed.abort()
    const { name } = this.service
    try {
      await store.releaseContainer(name)
      await this.service.close()
      await store.forgetContainer(name)
    } catch (error) {
      log.warn({ error, container: this.service.id }, 'a service could not be removed now')
    }
    await within(
      clock,
      DRAIN_MS,
      () => this.#output.close(),
      () => this.#record,
    )
    const ended = this.howItEnded
    const code = this.exit?.lost ? null : (this.exit?.code ?? null)
    await this.#records.end(
      this.#session,
      ended === null ? 'success' : 'failed',
      code,
      ended === null ? 'It was stopped with what it was there for.' : `It ${ended}.`,
    )
  }

  /** Notes its end in `exit`, where those who wait for it look. */
  async #watch(): Promise<void> {
    try {
      const exit = await this.service.ended(this.#closed.signal)
      if (!this.#closed.signal.aborted) this.exit = exit
    } catch {
      // closed, or let go
    }
  }

  async *#heard(): AsyncGenerator<OutputFrame> {
    for await (const frame of this.#output) {
      this.#tail = Buffer.concat([this.#tail, frame.bytes.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES)
      yield frame
    }
  }
}
