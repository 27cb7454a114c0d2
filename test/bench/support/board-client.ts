import { once } from 'node:events'
import { PROTOCOL, type BoardOp, type ClientFrame, type ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import { WebSocket } from 'ws'

/** A dashboard with a project's board open: it counts its cards, and waits for one with a title. */
export class BoardClient {
  readonly #socket: WebSocket
  readonly #titles = new Map<string, string>()
  #looks: (() => void)[] = []

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.on('message', (data) => this.#take(JSON.parse(String(data)) as ServerFrame))
  }

  static async open(url: string, token: string, project: string): Promise<BoardClient> {
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
    const client = new BoardClient(socket)
    await once(socket, 'open')
    client.#send({ type: 'hello', proto: PROTOCOL })
    client.#send({ type: 'sub', ch: 1, topic: `board:${project}`, next: 0 })
    client.#send({ type: 'sub', ch: 2, topic: 'home', next: 0 })
    return client
  }

  /** Resolves when there are at least so many cards. */
  cards(count: number): Promise<void> {
    return this.#until(() => this.#titles.size >= count)
  }

  shown(bead: string, title: string): Promise<void> {
    return this.#until(() => this.#titles.get(bead) === title)
  }

  close(): void {
    this.#socket.close()
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.#looks.push(resolve))
  }

  #send(frame: ClientFrame): void {
    this.#socket.send(JSON.stringify(frame))
  }

  #take(frame: ServerFrame): void {
    if (frame.type === 'snapshot' || frame.type === 'delta') for (const op of frame.ops) this.#apply(op)
    for (const look of this.#looks.splice(0)) look()
  }

  #apply(op: BoardOp): void {
    if (op.op === 'put' && op.kind === 'bead') this.#titles.set(op.value.id, op.value.title)
  }
}
