import type { BoardTopic } from './board-topic.ts'
import { opsText, type OpsText } from './channel.ts'
import type { ChangeFeed } from './ports.ts'

/** `ops` null: none of this matters to the topic; the cursor still advances. */
export type Delta = { to: number; ops: OpsText | null }
export type Step = Delta | 'too old' | 'gone'

/** About 100 KiB of cards and executions. */
const MAX_CHANGES = 200

/**
 * The changes after a cursor. A hundred clients of one board are at the same cursor, so the text is made once for all
 * of them; the next change drops it.
 */
export class Deltas {
  readonly #feed: ChangeFeed
  readonly #made = new Map<string, Step>()
  #seq = -1

  constructor(feed: ChangeFeed) {
    this.#feed = feed
  }

  after(topic: BoardTopic, seq: number): Step {
    const head = this.#feed.seq()
    if (head !== this.#seq) this.#made.clear()
    this.#seq = head
    const key = `${seq} ${topic.key}`
    const step = this.#made.get(key) ?? this.#make(topic, seq, head)
    this.#made.set(key, step)
    return step
  }

  #make(topic: BoardTopic, seq: number, head: number): Step {
    if (seq === head) return { to: head, ops: null }
    const changes = this.#feed.changesAfter(seq, MAX_CHANGES)
    if (!changes) return 'too old'
    if (changes.some(({ kind }) => kind === 'project') && topic.isGone()) return 'gone'
    const to = changes.length < MAX_CHANGES ? head : (changes.at(-1)?.seq ?? head)
    const ops = topic.opsOf(changes)
    return { to, ops: ops.length > 0 ? opsText(ops) : null }
  }
}
