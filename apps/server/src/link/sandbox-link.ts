import type { Duplex } from 'node:stream'
import type { Header } from '@beadloom/core/link/incoming-stream.ts'
import type { OutputFollower, OutputSink } from '@beadloom/core/link/output-follower.ts'
import { OrderAnswer, type OrderKind, type SupervisorState } from '@beadloom/core/supervisor/session-control.ts'
import { valueWithin } from '@beadloom/core/text/json-values.ts'
import type { Clock } from '../process/clock.ts'
import { CarriedLink, type Carrier } from './carried-link.ts'
import { MOST_VALUES, readAnswer, readStates } from './read-answers.ts'

/** The kinds of streams that a sandbox opens: to the server's own services, and to hosts outside. */
const HTTP = 'http'
const EGRESS = 'egress'

export type SandboxLinkOptions = {
  /** 16 bytes that the sandbox and its servers know. */
  magic: Uint8Array
  clock: Clock
  /** Called with a connection from the sandbox. */
  connected: (connection: Duplex) => void
  /** Called with a connection from the sandbox to the proxy. A throw refuses it. */
  reachesOut?: (connection: Duplex) => void
}

/**
 * The link to one sandbox for as long as this server has it, over one carrier after the other. The supervisor's words
 * are claims, like everything that comes out of a sandbox.
 */
export class SandboxLink {
  readonly #options: SandboxLinkOptions
  #live: CarriedLink | null = null
  #isTaken = false
  #held: Uint8Array | null = null
  #wasTaken = false
  #takes = 0
  #state: SupervisorState | null = null
  #closed = false
  #change = Promise.withResolvers<void>()

  constructor(options: SandboxLinkOptions) {
    this.#options = options
  }

  /** Whether the link is ours now: orders are answered, output comes. */
  get isTaken(): boolean {
    return this.#isTaken
  }

  /** The number of times that the link was taken: each time, it may be another supervisor. */
  get takes(): number {
    return this.#takes
  }

  /** Whether the last carrier led to a supervisor. */
  get wasTaken(): boolean {
    return this.#wasTaken
  }

  /** Whether there is a carrier, even if nobody has answered on it yet. */
  get isCarried(): boolean {
    return this.#live !== null
  }

  /** Whether this server has let go of the sandbox. */
  get isClosed(): boolean {
    return this.#closed
  }

  /** The supervisor's last state on the link that is ours now; null: nothing yet. */
  get state(): SupervisorState | null {
    return this.#isTaken ? this.#state : null
  }

  /** Uses a carrier. If there is one already, the new one is closed: only one at a time can have the link. */
  carry(carrier: Carrier): void {
    if (this.#closed || this.#live) {
      carrier.input.destroy()
      carrier.output.destroy()
      return
    }
    const { magic, clock, connected, reachesOut } = this.#options
    const link: CarriedLink = new CarriedLink(carrier, {
      magic,
      before: this.#held,
      clock,
      handlers: {
        taken: () => this.#taken(link),
        stream: ({ kind, stream }) => {
          if (kind === EGRESS && reachesOut) return reachesOut(stream)
          if (kind !== HTTP) throw new Error(`no stream of the kind ${kind} is known here`)
          connected(stream)
        },
        ended: () => this.#ended(link),
      },
    })
    this.#live = link
    this.#wasTaken = false
    this.#tell()
  }

  /** Resolves with true once `holds` does; with false when `signal` aborts first, or this server lets the link go. */
  async until(holds: () => boolean, signal: AbortSignal): Promise<boolean> {
    const aborted = abortion(signal)
    try {
      while (!holds()) {
        if (signal.aborted || this.#closed) return false
        await Promise.race([this.#change.promise, aborted.promise])
      }
      return true
    } finally {
      aborted.forget()
    }
  }

  /** Sends an order again and again until it is answered: each may be repeated. Null when `signal` aborts first. */
  async order(kind: OrderKind, header: Header, body: unknown, signal: AbortSignal): Promise<OrderAnswer | null> {
    // A supervisor may be silent for ever on a link that is ours.
    while (!signal.aborted && (await this.until(() => this.#isTaken, signal))) {
      const stream = this.#live?.open(kind, header)
      stream?.end(body === undefined ? '' : JSON.stringify(body))
      const text = stream ? await readAnswer(stream, signal) : null
      const answer = text === null ? null : parsed(text)
      if (answer) return answer
      if (text !== null) return { refused: 'bad-order', detail: 'the supervisor gave an answer that cannot be read' }
      // The link was lost or the stream refused: not again at once.
      await this.#options.clock.sleep(AGAIN_MS, signal)
    }
    return null
  }

  /** Records an output from an offset on; null while the link is not ours. */
  follow(session: string, from: number, sink: OutputSink): OutputFollower | null {
    return this.#isTaken ? (this.#live?.follow(session, from, sink) ?? null) : null
  }

  /** Lets go of the sandbox; nothing in it ends. */
  close(): void {
    this.#closed = true
    this.#live?.close()
    this.#tell()
  }

  #taken(link: CarriedLink): void {
    this.#isTaken = true
    this.#wasTaken = true
    this.#takes += 1
    this.#state = null
    this.#tell()
    const states = link.open('sessions', {})
    if (!states) return
    readStates(states, (state) => {
      if (this.#live !== link) return
      this.#state = state
      this.#tell()
    })
  }

  #ended(link: CarriedLink): void {
    if (this.#live !== null && this.#live !== link) return
    this.#held = link.held
    this.#live = null
    this.#isTaken = false
    this.#tell()
  }

  #tell(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }
}

const AGAIN_MS = 100

function parsed(text: string): OrderAnswer | null {
  const answer = OrderAnswer.safeParse(valueWithin(text, MOST_VALUES))
  return answer.success ? answer.data : null
}

/** Resolves when the signal aborts, and leaves no listener behind. */
function abortion(signal: AbortSignal): { promise: Promise<void>; forget: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const told = () => resolve()
  signal.addEventListener('abort', told, { once: true })
  return { promise, forget: () => signal.removeEventListener('abort', told) }
}
