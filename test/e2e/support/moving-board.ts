import type { Page } from 'playwright-core'
import type { BeadCard } from '@beadloom/core/api/beads/bead-api.ts'
import type { Page as ListOf } from '@beadloom/core/api/api.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { BoardOp, ClientFrame, ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import { sampleBeadView, sampleCard } from '@beadloom/core/testing/sample-views.ts'

/** A real server's answers about one project, from which the board is made up. */
export type Asked = { get<T>(path: string): Promise<T> }

const places: Pick<BeadCard, 'status' | 'execution'>[] = [
  { status: 'open', execution: null },
  { status: 'open', execution: null },
  { status: 'done', execution: null },
  { status: 'blocked', execution: null },
  { status: 'in_progress', execution: 'ex-gone' }, // failed
  { status: 'timeout', execution: null },
]

/**
 * A board of any size that changes at any rate: it replaces the socket of its pages and speaks the server's protocol.
 * The changes are always the same.
 */
export class MovingBoard {
  readonly #beads = new Map<string, BeadCard>()
  readonly #project: string
  #channels: { send: (text: string) => void; ch: number }[] = []
  #seq = 1000
  #changes = 0
  #timer: NodeJS.Timeout | undefined
  /** Beads that stay in place; their titles keep changing. */
  readonly staying = new Set<string>()

  constructor(project: string, size: number) {
    this.#project = project
    for (let n = 0; n < size; n++) {
      const id = `mv-${String(n).padStart(4, '0')}`
      const place = places[n % places.length]
      this.#beads.set(id, sampleCard({ project, id, title: `Bead ${n}`, createdAt: n, updatedAt: n, ...place }))
    }
  }

  get changes(): number {
    return this.#changes
  }

  title(id: string): string {
    return this.#beads.get(id)?.title ?? ''
  }

  count(status: BeadCard['status']): number {
    return [...this.#beads.values()].filter((bead) => bead.status === status).length
  }

  /** Serves a page. Call it before the page is opened. */
  async serve(page: Page, server: Asked): Promise<void> {
    const answer = await this.answers(server)
    await page.routeWebSocket('**/ws', (socket) => {
      const say = answer((text) => socket.send(text))
      socket.onMessage((message) => say(String(message)))
    })
    // Pages request these on hover or focus; the server behind knows none of them.
    await page.route(`**/api/projects/${this.#project}/beads/*`, (route) => {
      const card = this.#beads.get(new URL(route.request().url()).pathname.split('/').at(-1) ?? '')
      return card === undefined ? route.fallback() : route.fulfill({ json: sampleBeadView(card) })
    })
  }

  /** For a test with its own socket: returns the handler of a page's messages, given a way to send to it. */
  async answers(server: Asked): Promise<(send: (text: string) => void) => (message: string) => void> {
    const { items } = await server.get<ListOf<ProjectView>>('/api/projects')
    const status = await server.get<ServerStatus>('/api/status')
    const epoch = 'moving'
    return (text) => {
      const send = (frame: ServerFrame) => text(JSON.stringify(frame))
      return (message) => {
        const frame = JSON.parse(message) as ClientFrame
        if (frame.type === 'hello')
          send({ type: 'welcome', proto: 1, epoch, seq: this.#seq, build: 'moving', now: status.now })
        else if (frame.type === 'ping') send({ type: 'pong', t: frame.t, now: status.now })
        else if (frame.type === 'sub' && frame.topic === 'home')
          send({
            type: 'snapshot',
            ch: frame.ch,
            epoch,
            seq: this.#seq,
            ops: [
              ...items.map((value): BoardOp => ({ op: 'put', kind: 'project', value })),
              { op: 'put', kind: 'status', value: status },
            ],
          })
        else if (frame.type === 'sub' && frame.topic === `board:${this.#project}`) {
          const ops = [...this.#beads.values()].map((value): BoardOp => ({ op: 'put', kind: 'bead', value }))
          send({ type: 'snapshot', ch: frame.ch, epoch, seq: this.#seq, ops })
          this.#channels.push({ send: text, ch: frame.ch })
        } else if (frame.type === 'unsub')
          this.#channels = this.#channels.filter((one) => one.send !== text || one.ch !== frame.ch)
      }
    }
  }

  /** Makes this many changes, each in a frame of its own, four every 20 ms. */
  move(count: number): Promise<void> {
    const end = this.#changes + count
    return new Promise((moved) => {
      this.#timer = setInterval(() => {
        for (let n = 0; n < 4 && this.#changes < end; n++) this.#change()
        if (this.#changes < end) return
        this.stop()
        moved()
      }, 20)
    })
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #change(): void {
    const n = ++this.#changes
    const id = [...this.#beads.keys()][(n * 7919) % this.#beads.size] ?? ''
    const old = this.#beads.get(id)
    if (old === undefined) return
    const moved = this.staying.has(id) ? {} : places[(n * 31) % places.length]
    const value = { ...old, ...moved, title: `Bead ${id}, change ${n}`, updatedAt: 1_000_000 + n }
    this.#beads.set(id, value)
    this.#seq++
    const op: BoardOp = { op: 'put', kind: 'bead', value }
    for (const { send, ch } of this.#channels)
      send(JSON.stringify({ type: 'delta', ch, seq: this.#seq, ops: [op] } satisfies ServerFrame))
  }
}
