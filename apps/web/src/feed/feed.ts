import { createStore } from 'zustand/vanilla'
import type { StoreApi } from 'zustand/vanilla'
import { BoardFeed } from './board-feed.ts'
import type { BoardTopic } from './board-feed.ts'
import type { FeedClock } from './clock.ts'
import { LiveSocket } from './live-socket.ts'
import type { Link, Wire, WireEvents } from './live-socket.ts'
import { LogFeed } from './log-feed.ts'
import type { LogHistory } from './log-feed.ts'

/** The feed's state for the screens. A new object at most once per animation frame. */
export type LiveState = {
  link: Link
  lastFrameAt: number
  /** Server's clock minus ours, milliseconds. */
  skew: number
  /** True when the server was updated since this page was loaded. */
  newBuild: boolean
  topics: Record<string, BoardTopic>
}

export type FeedDeps = {
  connect(events: WireEvents): Wire
  history: LogHistory
  clock: FeedClock
  random: () => number
  /** Runs before the next paint, or soon when nothing is painted (a hidden tab). */
  nextFrame(run: () => void): void
}

/** A hidden tab keeps its boards, but lets go of logs after this time; their cursors bring them back. */
export const HIDDEN_LOGS_MS = 60_000

export class Feed {
  readonly store: StoreApi<LiveState>
  readonly socket: LiveSocket
  readonly #deps: FeedDeps
  readonly #boards: BoardFeed
  readonly #logs = new Set<LogFeed>()
  #dirty = false
  #build: string | null = null
  #cancelHidden: (() => void) | null = null

  constructor(deps: FeedDeps) {
    this.#deps = deps
    this.socket = new LiveSocket({ ...deps, onChange: () => this.#mark() })
    this.#boards = new BoardFeed(this.socket, () => this.#mark())
    this.store = createStore<LiveState>(() => this.#state())
  }

  start(): void {
    this.socket.start()
  }

  holdBoard(topic: string): () => void {
    const release = this.#boards.hold(topic)
    this.#mark()
    return release
  }

  /** `begun`: whether the log exists already. If not, we wait for it instead of asking in vain. */
  openLog(session: string, begun = true): LogFeed {
    const log = new LogFeed(session, this.socket, this.#deps.history, this.#deps.clock, () => this.#logs.delete(log))
    this.#logs.add(log)
    void log.start(begun)
    return log
  }

  /** Called on `visibilitychange`, `online` and `pageshow`. */
  visible(yes: boolean): void {
    this.#cancelHidden?.()
    this.#cancelHidden = null
    if (yes) {
      this.socket.wake()
      for (const log of this.#logs) log.resume()
    } else {
      this.#cancelHidden = this.#deps.clock.after(HIDDEN_LOGS_MS, () => {
        for (const log of this.#logs) log.pause()
      })
    }
  }

  #mark(): void {
    if (this.#dirty) return
    this.#dirty = true
    this.#deps.nextFrame(() => {
      this.#dirty = false
      this.store.setState(this.#state(), true)
    })
  }

  #state(): LiveState {
    const { link, lastFrameAt, skew, welcome } = this.socket
    this.#build ??= welcome?.build ?? null
    const newBuild = welcome !== null && welcome.build !== this.#build
    return { link, lastFrameAt, skew, newBuild, topics: this.#boards.read() }
  }
}
