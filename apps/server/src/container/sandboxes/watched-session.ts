import type { SessionEnd } from '@beadloom/core/supervisor/session-note.ts'
import type { SandboxLink } from '../../link/sandbox-link.ts'

/** The supervisor's view of one session that has begun. */
export class WatchedSession {
  readonly #link: SandboxLink
  readonly #name: string
  /** The link as it was when the session began; 0: it is being adopted, and may have to be started first. */
  readonly #takes: number
  #wasSeen = false

  constructor(link: SandboxLink, name: string) {
    this.#link = link
    this.#name = name
    this.#takes = link.takes
  }

  /** Null: it runs, as far as we know. */
  get end(): SessionEnd | null {
    const view = this.#view()
    return view?.state === 'ended' ? view.end : null
  }

  /**
   * Whether the supervisor does not know it: it was killed, and somebody has removed its notes. A state from before the
   * session began does not count.
   */
  get isForgotten(): boolean {
    const { state, takes } = this.#link
    return state !== null && this.#view() === null && (this.#wasSeen || (this.#takes > 0 && takes > this.#takes))
  }

  /** Resolves when it has ended or is forgotten, `signal` aborts, or this server lets the link go. */
  async over(signal: AbortSignal): Promise<void> {
    await this.#link.until(() => this.end !== null || this.isForgotten, signal)
  }

  #view() {
    const view = this.#link.state?.sessions.find(({ session }) => session === this.#name) ?? null
    if (view) this.#wasSeen = true
    return view
  }
}
