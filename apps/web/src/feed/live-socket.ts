import { closeCode, decodeLogChunk, PROTOCOL } from '@beadloom/core/api/stream/protocol.ts'
import type { ClientFrame, LogChunk, ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import type { FeedClock } from './clock.ts'

export const HEARTBEAT_MS = 15_000
/** Two heartbeats and a little: a connection that is silent for longer is dead, whatever the browser says. */
export const SILENCE_LIMIT_MS = 35_000
/** After a wake the answer must come fast, or the socket is left over from before the sleep. */
export const PROBE_LIMIT_MS = 3_000

export type Link =
  | { is: 'connecting' }
  | { is: 'live' }
  /** `attempt` counts from 1; it never gives up. */
  | { is: 'lost'; since: number; attempt: number }
  | { is: 'signed-out' }
  | { is: 'outdated' }

export type ChannelFrame = Extract<ServerFrame, { ch: number }>

/** One topic, followed. The cursor is read again at every (re)connect, because it lives with the data. */
export type Channel = {
  topic: string
  cursor(): { next: number; epoch?: string }
  frame(frame: ChannelFrame): void
  chunk(chunk: LogChunk): void
}

export type ChannelHandle = { resubscribe(): void; close(): void }

export type Wire = { send(text: string): void; close(): void }
export type WireEvents = {
  opened(): void
  text(text: string): void
  bytes(bytes: Uint8Array): void
  closed(code: number): void
}

export type LiveSocketDeps = {
  connect(events: WireEvents): Wire
  clock: FeedClock
  random: () => number
  /** Told on every change of the link and on every frame. */
  onChange(socket: LiveSocket): void
}

type Welcome = Extract<ServerFrame, { type: 'welcome' }>

/**
 * One socket for the whole tab. It owns no data: channels do, and after a break each channel says where to continue.
 * Nothing is ever queued: messages that a dead socket did not send are sent again from the channels.
 */
export class LiveSocket {
  link: Link = { is: 'connecting' }
  lastFrameAt: number
  welcome: Welcome | null = null
  /** Server's clock minus ours, milliseconds. */
  skew = 0

  readonly #deps: LiveSocketDeps
  readonly #channels = new Map<number, Channel>()
  #wire: Wire | null = null
  #open = false
  #connection = 0
  #nextChannel = 1
  #failures = 0
  #startedAt = 0
  #timers: (() => void)[] = []
  #cancelProbe: (() => void) | null = null
  #cancelRetry: (() => void) | null = null

  constructor(deps: LiveSocketDeps) {
    this.#deps = deps
    this.lastFrameAt = deps.clock.now()
  }

  start(): void {
    this.#connect()
  }

  /** Follows a topic until the handle is closed. Frames of a former subscription never reach the channel. */
  follow(channel: Channel): ChannelHandle {
    let ch = this.#subscribe(channel)
    return {
      resubscribe: () => {
        this.#unsubscribe(ch)
        ch = this.#subscribe(channel)
      },
      close: () => this.#unsubscribe(ch),
    }
  }

  /**
   * The page is back (`online`, `visibilitychange`, `pageshow`): makes sure that the socket works, or opens a new one.
   */
  wake(): void {
    if (this.link.is === 'signed-out' || this.link.is === 'outdated') return
    if (!this.#open) {
      // An attempt that has only just begun needs no replacement.
      if (this.#wire && this.#deps.clock.now() - this.#startedAt < PROBE_LIMIT_MS) return
      this.#failures = 0
      this.#connect()
      return
    }
    this.#cancelProbe?.()
    this.#cancelProbe = this.#deps.clock.after(PROBE_LIMIT_MS, () => this.#lose())
    this.#ping()
  }

  /** Topics and cursors, for "copy diagnostics". */
  cursors(): { topic: string; next: number }[] {
    return [...this.#channels.values()].map((channel) => ({ topic: channel.topic, next: channel.cursor().next }))
  }

  #connect(): void {
    this.#drop()
    const connection = ++this.#connection
    this.#startedAt = this.#deps.clock.now()
    const current = (run: () => void) => {
      if (connection === this.#connection) run()
    }
    this.#wire = this.#deps.connect({
      opened: () => current(() => this.#opened()),
      text: (text) => current(() => this.#text(text)),
      bytes: (bytes) => current(() => this.#bytes(bytes)),
      closed: (code) => current(() => this.#closed(code)),
    })
    // A connection that neither opens nor fails (a captive portal) is given up like a silent one.
    this.#watchSilence()
  }

  #opened(): void {
    this.#open = true
    this.#send({ type: 'hello', proto: PROTOCOL })
    for (const [ch, channel] of this.#channels) this.#sendSub(ch, channel)
    this.#beat()
  }

  #text(text: string): void {
    this.#alive()
    let frame: ServerFrame
    try {
      frame = JSON.parse(text) as ServerFrame
    } catch {
      this.#lose() // not our server, or a broken one
      return
    }
    if (frame.type === 'welcome') {
      this.welcome = frame
      this.skew = frame.now - this.#deps.clock.now()
      this.#failures = 0
      this.#become({ is: 'live' })
    } else if (frame.type === 'pong') {
      this.skew = frame.now - this.#deps.clock.now()
    } else if ('ch' in frame) {
      this.#channels.get(frame.ch)?.frame(frame)
    }
    this.#deps.onChange(this)
  }

  #bytes(bytes: Uint8Array): void {
    this.#alive()
    const chunk = decodeLogChunk(bytes)
    this.#channels.get(chunk.ch)?.chunk(chunk)
    this.#deps.onChange(this)
  }

  #closed(code: number): void {
    if (code === closeCode.auth || code === closeCode.protocol) {
      this.#drop()
      this.#become({ is: code === closeCode.auth ? 'signed-out' : 'outdated' })
      return
    }
    this.#lose()
  }

  #lose(): void {
    this.#drop()
    const { clock, random } = this.#deps
    const since = this.link.is === 'lost' ? this.link.since : this.lastFrameAt
    this.#cancelRetry = clock.after(retryDelay(this.#failures++, random()), () => this.#connect())
    this.#become({ is: 'lost', since, attempt: this.#failures })
  }

  #drop(): void {
    this.#connection++ // late events of the old wire have no receiver
    this.#wire?.close()
    this.#wire = null
    this.#open = false
    for (const cancel of this.#timers.splice(0)) cancel()
    this.#cancelProbe?.()
    this.#cancelProbe = null
    this.#cancelRetry?.()
    this.#cancelRetry = null
  }

  #alive(): void {
    this.lastFrameAt = this.#deps.clock.now()
    this.#cancelProbe?.()
    this.#cancelProbe = null
  }

  #beat(): void {
    this.#timers.push(
      this.#deps.clock.after(HEARTBEAT_MS, () => {
        this.#ping()
        this.#beat()
      }),
    )
  }

  #watchSilence(): void {
    const { clock } = this.#deps
    const started = clock.now()
    const check = () => {
      const silent = clock.now() - Math.max(started, this.lastFrameAt)
      if (silent >= SILENCE_LIMIT_MS) this.#lose()
      else this.#timers.push(clock.after(SILENCE_LIMIT_MS - silent, check))
    }
    this.#timers.push(clock.after(SILENCE_LIMIT_MS, check))
  }

  #subscribe(channel: Channel): number {
    const ch = this.#nextChannel++ // never reused: a late frame cannot be mistaken for one of the new subscription
    this.#channels.set(ch, channel)
    if (this.#open) this.#sendSub(ch, channel)
    return ch
  }

  #unsubscribe(ch: number): void {
    if (this.#channels.delete(ch) && this.#open) this.#send({ type: 'unsub', ch })
  }

  #sendSub(ch: number, channel: Channel): void {
    this.#send({ type: 'sub', ch, topic: channel.topic, ...channel.cursor() })
  }

  #ping(): void {
    this.#send({ type: 'ping', t: this.#deps.clock.now() })
  }

  #send(frame: ClientFrame): void {
    this.#wire?.send(JSON.stringify(frame))
  }

  #become(link: Link): void {
    this.link = link
    this.#deps.onChange(this)
  }
}

export const FIRST_DELAY_MS = 250
export const LONGEST_DELAY_MS = 10_000

/** Full jitter: clients wait for different times, so they do not all hit a restarted server at once. */
export const retryDelay = (attempt: number, random: number): number =>
  Math.round(random * Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempt, 10)))
