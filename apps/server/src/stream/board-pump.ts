import { setImmediate } from 'node:timers/promises'
import type { Clock } from '../process/clock.ts'
import type { BoardTopic } from './board-topic.ts'
import { deltaFrame, opsText, sendInTurn, snapshotFrame, type Channel } from './channel.ts'
import type { Deltas } from './deltas.ts'
import type { ChangeFeed } from './ports.ts'

export type BoardPumpDeps = { feed: ChangeFeed; deltas: Deltas; clock: Clock }

const BATCH_MS = 16
/** About 256 KiB of cards. */
const PART_OPS = 500
/**
 * A snapshot of a big board is sent in parts, a `snapshot` and then `delta`s numbered from 1; only the last one carries
 * the true `seq`. A client that loses the connection in between returns with such a number and so gets a snapshot: half
 * a board can never pass for a whole one.
 */
const PART_CURSORS = 256

/** Follows the changes of a topic from the client's cursor on, for as long as the client stays. */
export async function pumpBoard(channel: Channel, topic: BoardTopic, deps: BoardPumpDeps): Promise<void> {
  const { sub, signal, bell, outlet } = channel
  const { feed, deltas, clock } = deps
  const known = sub.epoch === feed.epoch && sub.next >= PART_CURSORS && sub.next <= feed.seq()
  let seq: number | null = known ? sub.next : null

  while (!signal.aborted) {
    if (seq === null) {
      seq = await sendSnapshot(channel, topic, feed)
      if (seq === null) return
    }
    const step = deltas.after(topic, seq)
    if (step === 'too old') {
      seq = null
    } else if (step === 'gone') {
      return void (await sendInTurn(channel, { type: 'expired', ch: sub.ch, reason: topic.missing }))
    } else if (step.ops !== null) {
      const turn = await outlet.turn(signal)
      if (!turn) return
      // Changes during the wait for the turn go into the same frame: a slow client gets fewer, newer ones.
      const fresh = deltas.after(topic, seq)
      const { to, ops } = typeof fresh === 'string' ? step : fresh
      if (ops === null) turn.release()
      else turn.send(deltaFrame(sub.ch, to, ops))
      seq = to
      await clock.sleep(BATCH_MS, signal)
    } else {
      seq = step.to
      if (seq === feed.seq()) await bell.wait(clock, signal)
      else await clock.sleep(0, signal) // a long history without anything for this topic must not delay the others
    }
  }
}

/** Returns the cursor after the snapshot; null when the topic is gone or the channel over. */
async function sendSnapshot(channel: Channel, topic: BoardTopic, feed: ChangeFeed): Promise<number | null> {
  const { sub, outlet, signal } = channel
  // Read before the first op: changes while the snapshot is sent come again, as a delta after it.
  const seq = feed.seq()
  const all = topic.all()
  if (!all) {
    await sendInTurn(channel, { type: 'expired', ch: sub.ch, reason: topic.missing })
    return null
  }
  const parts = inParts(all, seq > PART_CURSORS)
  let part = parts.next()
  for (let index = 0; !part.done; index++) {
    const turn = await outlet.turn(signal)
    if (!turn) {
      parts.return()
      return null
    }
    const { value: ops } = part
    part = parts.next()
    const cursor = part.done ? seq : index
    const text = opsText(ops)
    turn.send(index === 0 ? snapshotFrame(sub.ch, feed.epoch, cursor, text) : deltaFrame(sub.ch, cursor, text))
    // Otherwise a quick client would take each part at once, and a large board would be sent in one go.
    await setImmediate()
  }
  return seq
}

/** Divides into parts: at least one, even if it is empty, and never more than there are numbers for. */
function* inParts<T>(all: Iterable<T>, mayDivide: boolean): Generator<T[], void> {
  let part: T[] = []
  let index = 0
  for (const one of all) {
    if (part.length >= PART_OPS && mayDivide && index < PART_CURSORS - 2) {
      yield part
      part = []
      index++
    }
    part.push(one)
  }
  yield part
}
