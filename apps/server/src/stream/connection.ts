import { ClientFrame } from '@beadloom/core/api/stream/client-frame.ts'
import { closeCode, PROTOCOL } from '@beadloom/core/api/stream/protocol.ts'
import type { RawData, WebSocket } from 'ws'
import { Bell, type Bells } from './bell.ts'
import { ReadingStopped } from '../ports/aside.ts'
import { sendInTurn, type Channel } from './channel.ts'
import { Outlet } from './outlet.ts'
import type { StreamBounds } from './ports.ts'
import { bellOf, pumpTopic, type TopicDeps } from './topic.ts'

export type ConnectionDeps = TopicDeps & {
  /** Rung with a session's id when its log grows, with `changes` when the state changes. */
  bells: Bells<string>
  build: string
  bounds: StreamBounds
  report: (error: unknown, where: string) => void
}

/** A client that sends this many invalid frames is not one of ours. */
const MAX_BAD_FRAMES = 20
/** The longest time for a client that is being closed to read the rest and close its side. */
const GOODBYE_MS = 5_000

type Open = { channel: Channel; stop: () => void }

/** A client's socket: its channels, its heartbeat, its bounds. */
export class Connection {
  readonly outlet: Outlet
  readonly #socket: WebSocket
  readonly #deps: ConnectionDeps
  readonly #channels = new Map<number, Open>()
  #greeted = false
  #badFrames = 0
  #framesLeft: number
  #heardAt: number
  #pingedAt: number
  #closingSince: number | null = null

  constructor(socket: WebSocket, deps: ConnectionDeps) {
    this.#socket = socket
    this.#deps = deps
    this.#heardAt = this.#pingedAt = deps.clock.monotonic()
    this.#framesLeft = deps.bounds.framesAtOnce
    this.outlet = new Outlet(socket, deps.clock, deps.bounds.highWaterBytes)
    socket.on('message', (data, isBinary) => this.#hear(data, isBinary))
    socket.on('pong', () => this.#alive())
    socket.on('ping', () => this.#alive())
    socket.on('error', () => this.#ending()) // a frame that is too large or broken; `ws` says so and closes
    socket.on('close', () => this.#stopAll())
  }

  get channels(): number {
    return this.#channels.size
  }

  close(code: number, reason: string): void {
    if (this.#closingSince !== null) return
    this.#ending()
    this.#socket.close(code, reason)
  }

  onClose(listener: () => void): void {
    this.#socket.on('close', listener)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  /** Called every few seconds: drops dead clients, closes those that do not read, and pings the others. */
  sweep(): void {
    const { clock, bounds } = this.#deps
    const now = clock.monotonic()
    if (this.#closingSince !== null) {
      if (now - this.#closingSince >= GOODBYE_MS) this.terminate()
      return
    }
    if (this.outlet.stalledMs() >= bounds.stalledMs)
      return this.close(closeCode.slow, 'the client read nothing for too long')
    if (now - this.#heardAt >= bounds.silentMs) return this.terminate()
    if (now - this.#pingedAt < bounds.pingMs) return
    this.#pingedAt = now
    this.#socket.ping()
  }

  #hear(data: RawData, isBinary: boolean): void {
    this.#alive()
    if (this.#closingSince !== null) return
    const frame = isBinary ? null : parseFrame(data)
    if (!frame) return this.#refuseFrame()
    if (frame.type === 'hello') return this.#greet(frame.proto)
    if (!this.#greeted) return this.close(closeCode.protocol, 'say hello first')
    switch (frame.type) {
      case 'sub':
        return this.#subscribe(frame)
      case 'unsub':
        return this.#unsubscribe(frame.ch)
      case 'ping':
        return this.outlet.answer({ type: 'pong', t: frame.t, now: this.#deps.clock.now() })
    }
  }

  #ending(): void {
    this.#closingSince ??= this.#deps.clock.monotonic()
    this.#stopAll()
    this.#socket.resume() // otherwise its own close frame would never be read
  }

  /** Notes life and counts a frame; even a dropped frame takes time from others. */
  #alive(): void {
    const { clock, bounds } = this.#deps
    const now = clock.monotonic()
    const earned = ((now - this.#heardAt) / 1000) * bounds.framesPerSecond
    this.#framesLeft = Math.min(bounds.framesAtOnce, this.#framesLeft + earned) - 1
    this.#heardAt = now
    if (this.#framesLeft < 0) this.close(closeCode.slow, 'too many frames')
  }

  #refuseFrame(): void {
    this.outlet.answer({ type: 'error', message: 'This frame is not part of the protocol.' })
    if (++this.#badFrames >= MAX_BAD_FRAMES) this.close(closeCode.protocol, 'too many invalid frames')
  }

  #greet(proto: number): void {
    const { feed, build, clock } = this.#deps
    if (proto !== PROTOCOL) return this.close(closeCode.protocol, `this server speaks protocol ${PROTOCOL}`)
    this.#greeted = true
    this.outlet.answer({
      type: 'welcome',
      proto: PROTOCOL,
      epoch: feed.epoch,
      seq: feed.seq(),
      build,
      now: clock.now(),
    })
  }

  #subscribe(sub: Channel['sub']): void {
    const { bounds, bells, report } = this.#deps
    this.#unsubscribe(sub.ch)
    if (this.#channels.size >= bounds.subscriptionsPerSocket) {
      const reason = `One connection can have at most ${bounds.subscriptionsPerSocket} channels. Unsubscribe from one first.`
      return this.outlet.answer({ type: 'expired', ch: sub.ch, reason })
    }
    const ending = new AbortController()
    const channel: Channel = { sub, outlet: this.outlet, bell: new Bell(), signal: ending.signal }
    const takeDown = bells.hang(bellOf(sub.topic), channel.bell)
    const open: Open = { channel, stop: () => ending.abort() }
    this.#channels.set(sub.ch, open)
    pumpTopic(channel, this.#deps)
      .catch((error: unknown) => {
        if (!(error instanceof ReadingStopped)) report(error, `channel ${sub.topic}`)
        return sendInTurn(channel, {
          type: 'expired',
          ch: sub.ch,
          reason: 'Internal error. The server’s log has the details.',
        })
      })
      .finally(() => {
        takeDown()
        if (this.#channels.get(sub.ch) === open) this.#channels.delete(sub.ch)
      })
  }

  #unsubscribe(ch: number): void {
    this.#channels.get(ch)?.stop()
    this.#channels.delete(ch)
  }

  #stopAll(): void {
    for (const { stop } of this.#channels.values()) stop()
    this.#channels.clear()
    this.outlet.close()
  }
}

function parseFrame(data: RawData): ClientFrame | null {
  try {
    return ClientFrame.parse(JSON.parse(data.toString()))
  } catch {
    return null
  }
}
