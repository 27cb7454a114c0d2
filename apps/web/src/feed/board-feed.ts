import { BoardFold } from './board-fold.ts'
import type { BoardView } from './board-fold.ts'
import type { ChannelHandle, LiveSocket } from './live-socket.ts'

export type BoardTopic = { view: BoardView | null; gone: string | null }
export const nothingYet: BoardTopic = { view: null, gone: null }

type Entry = {
  fold: BoardFold
  holders: number
  handle: ChannelHandle | null
  gone: string | null
  /** The topic as last read. */
  read: BoardTopic
}

/**
 * The boards that screens look at. Topics are counted: the first holder subscribes, the last one leaves. A topic keeps
 * its data with its cursor, so coming back costs a delta and not a snapshot.
 */
export class BoardFeed {
  readonly #socket: LiveSocket
  readonly #onDirty: () => void
  readonly #entries = new Map<string, Entry>()

  /** `onDirty` may be called many times in a frame; the caller publishes once. */
  constructor(socket: LiveSocket, onDirty: () => void) {
    this.#socket = socket
    this.#onDirty = onDirty
  }

  hold(topic: string): () => void {
    const entry = this.#entryOf(topic)
    if (entry.holders++ === 0) entry.handle = this.#follow(topic, entry)
    let held = true
    return () => {
      if (!held) return
      held = false
      if (--entry.holders > 0) return
      entry.handle?.close()
      entry.handle = null
    }
  }

  /** A topic that has not changed is the same object again, so React draws nothing for it. */
  read(): Record<string, BoardTopic> {
    return Object.fromEntries([...this.#entries].map(([topic, entry]) => [topic, readOf(entry)] as const))
  }

  #entryOf(topic: string): Entry {
    const known = this.#entries.get(topic)
    if (known) return known
    const entry: Entry = { fold: new BoardFold(), holders: 0, handle: null, gone: null, read: nothingYet }
    this.#entries.set(topic, entry)
    return entry
  }

  #follow(topic: string, entry: Entry): ChannelHandle {
    const handle = this.#socket.follow({
      topic,
      cursor: () => entry.fold.cursor(),
      chunk: () => undefined,
      frame: (frame) => {
        const applied = entry.fold.apply(frame)
        if (applied === 'resync') handle.resubscribe()
        if (applied === 'ignored' || applied === 'resync') return
        entry.gone = frame.type === 'expired' ? frame.reason : null
        this.#onDirty()
      },
    })
    return handle
  }
}

function readOf(entry: Entry): BoardTopic {
  const { fold, gone, read } = entry
  const view = fold.view()
  if (read.view !== view || read.gone !== gone) entry.read = { view, gone }
  return entry.read
}
