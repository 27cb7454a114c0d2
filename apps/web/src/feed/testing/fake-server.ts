import { encodeLogChunk } from '@beadloom/core/api/stream/protocol.ts'
import type { ClientFrame, ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import { LiveSocket } from '../live-socket.ts'
import type { Wire, WireEvents } from '../live-socket.ts'
import { FakeClock } from './fake-clock.ts'

/** One connection as the server sees it. */
export class FakeWire implements Wire {
  readonly events: WireEvents
  readonly sent: ClientFrame[] = []
  closed = false

  constructor(events: WireEvents) {
    this.events = events
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text) as ClientFrame)
  }

  close(): void {
    this.closed = true
  }

  open(epoch = 'e1'): void {
    this.events.opened()
    this.say({ type: 'welcome', proto: 1, epoch, seq: 1, build: 'b1', now: 1_000_500 })
  }

  say(frame: ServerFrame): void {
    this.events.text(JSON.stringify(frame))
  }

  chunk(ch: number, firstLine: number, lines: readonly string[]): void {
    const text = new TextEncoder().encode(lines.map((line) => `${line}\n`).join(''))
    this.events.bytes(encodeLogChunk(ch, firstLine, lines.length, text))
  }

  sentOf<T extends ClientFrame['type']>(type: T): Extract<ClientFrame, { type: T }>[] {
    return this.sent.filter((frame): frame is Extract<ClientFrame, { type: T }> => frame.type === type)
  }

  /** The current subscription of a topic. */
  sub(topic: string): Extract<ClientFrame, { type: 'sub' }> {
    const sub = this.sentOf('sub').findLast((frame) => frame.topic === topic)
    if (!sub) throw new Error(`nobody subscribed to ${topic}`)
    return sub
  }
}

export function startWorld(random = () => 1) {
  const clock = new FakeClock()
  const wires: FakeWire[] = []
  const socket = new LiveSocket({
    clock,
    random,
    connect: (events) => {
      const wire = new FakeWire(events)
      wires.push(wire)
      return wire
    },
    onChange: () => undefined,
  })
  socket.start()
  const wire = (): FakeWire => {
    const last = wires.at(-1)
    if (!last) throw new Error('no connection was made')
    return last
  }
  return { clock, wires, wire, socket }
}
