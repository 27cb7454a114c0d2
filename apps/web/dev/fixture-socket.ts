import type { Server } from 'node:http'
import { closeCode, encodeLogChunk } from '@beadloom/core/api/stream/protocol.ts'
import type { ClientFrame, ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { FixtureWorld } from './fixture-world.ts'

/** Speaks the protocol as far as a screen can tell; it trusts its client and has no limits. */
export function followSockets(server: Server, world: FixtureWorld): WebSocketServer {
  const sockets = new WebSocketServer({ server, path: '/ws' })
  world.onMood(() => {
    if (world.mood === 'away') for (const socket of sockets.clients) socket.terminate()
  })
  sockets.on('connection', (socket) => {
    if (world.mood === 'away') socket.terminate()
    else if (world.mood === 'strange') socket.close(closeCode.auth)
    else if (world.mood === 'newer') socket.close(closeCode.protocol)
    else serve(socket, world)
  })
  return sockets
}

function serve(socket: WebSocket, world: FixtureWorld): void {
  const boards = new Map<number, string>()
  const timers = new Map<number, NodeJS.Timeout>()
  const send = (frame: ServerFrame) => socket.send(JSON.stringify(frame))
  const stop = world.onOps((topic, ops) => {
    for (const [ch, own] of boards) if (own === topic) send({ type: 'delta', ch, seq: world.seq, ops })
  })
  socket.on('close', () => {
    stop()
    for (const timer of timers.values()) clearInterval(timer)
  })
  socket.on('message', (data) => {
    const frame = JSON.parse(String(data)) as ClientFrame
    if (frame.type === 'hello')
      send({ type: 'welcome', proto: 1, epoch: world.epoch, seq: world.seq, build: world.build, now: Date.now() })
    if (frame.type === 'ping') send({ type: 'pong', t: frame.t, now: Date.now() })
    if (frame.type === 'unsub') {
      boards.delete(frame.ch)
      clearInterval(timers.get(frame.ch))
    }
    if (frame.type !== 'sub' || world.mood === 'silent') return
    if (frame.topic.startsWith('log:')) {
      followLog(frame.ch, frame.topic.slice(4), frame.next)
      return
    }
    const ops = world.snapshot(frame.topic)
    if (ops === null) {
      send({ type: 'expired', ch: frame.ch, reason: 'There is no such project.' })
      return
    }
    boards.set(frame.ch, frame.topic)
    send({ type: 'snapshot', ch: frame.ch, epoch: world.epoch, seq: world.seq, ops })
  })

  function followLog(ch: number, session: string, from: number): void {
    const log = world.log(session)
    if (!log) {
      send({ type: 'expired', ch, reason: `The log of ${session} is not kept any more.` })
      return
    }
    if (log.neverComes === true) return
    let next = from
    const pump = () => {
      const to = log.lines()
      for (; next < to;) {
        const count = Math.min(600, to - next)
        const text = Array.from({ length: count }, (_, n) => `${log.line(next + n)}\n`).join('')
        socket.send(encodeLogChunk(ch, next, count, new TextEncoder().encode(text)))
        next += count
      }
      if (log.complete) send({ type: 'end', ch, lines: to, exit: log.exit })
      else if (log.isSilent !== true)
        send({ type: 'partial', ch, line: next, text: `Resolving packages ${'.'.repeat(next % 5)}` })
    }
    pump()
    if (!log.complete) timers.set(ch, setInterval(pump, 100))
  }
}
