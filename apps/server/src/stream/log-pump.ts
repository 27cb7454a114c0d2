import type { SessionId } from '@beadloom/core/records/ids.ts'
import { encodeLogChunk } from '@beadloom/core/api/stream/protocol.ts'
import { Pace } from '@beadloom/core/time/pace.ts'
import type { LogReader, LogState } from '../ports/logs.ts'
import type { Clock } from '../process/clock.ts'
import { sendInTurn, type Channel } from './channel.ts'
import type { Views } from './ports.ts'

export type LogPumpDeps = { logs: LogReader; views: Pick<Views, 'session'>; clock: Clock; epoch: string }

/** A reader at the end of the log gets a small slice at once; one that is behind gets as much as the outlet allows. */
const LIVE_BYTES = 64 * 1024
/** Lines that follow each other faster than a screen's frames are sent together. */
const SLICES = { atOnce: 8, stepMs: 16 }
const PARTIAL_MS = 100
/** The pane shows no more of one line; the rest comes with its newline. */
const PARTIAL_CHARACTERS = 4096

/**
 * Follows one log from the client's cursor to its end. The file is the queue: only a line number is kept here, and
 * nothing is read before there is room to send it.
 */
export async function pumpLog(channel: Channel, session: SessionId, deps: LogPumpDeps): Promise<void> {
  const { sub, signal, bell } = channel
  const { logs, views, clock, epoch } = deps
  const partial = new PartialLine(channel, clock)
  let next = sub.next
  const pace = new Pace(SLICES)

  if (sub.epoch !== undefined && sub.epoch !== epoch) {
    if (!(await sendInTurn(channel, { type: 'snapshot', ch: sub.ch, epoch, seq: 0, ops: [] }))) return
    next = 0
  }
  while (!signal.aborted) {
    const state = logs.state(session)
    if (!state) {
      const known = views.session(session)
      if (known !== 'live') return void (await sendInTurn(channel, noLog(sub.ch, session, known !== undefined)))
      await bell.wait(clock, signal)
    } else if (next < state.lines) {
      const tooSoon = pace.wait(clock.monotonic())
      if (tooSoon > 0) await clock.sleep(tooSoon, signal)
      next = await catchUp(channel, session, next, logs)
      pace.took(clock.monotonic())
    } else if (state.complete) {
      return void (await sendInTurn(channel, { type: 'end', ch: sub.ch, lines: state.lines, exit: state.exit }))
    } else {
      await bell.wait(clock, signal, await partial.show(state, next))
    }
  }
}

/** Sends everything up to the log's present end. Returns the new cursor. */
async function catchUp(channel: Channel, session: SessionId, from: number, logs: LogReader): Promise<number> {
  const { outlet, signal, sub } = channel
  let next = from
  let size = LIVE_BYTES
  for (let lines = logs.state(session)?.lines ?? 0; next < lines; lines = logs.state(session)?.lines ?? 0) {
    const turn = await outlet.turn(signal)
    if (!turn) return next
    try {
      const slice = await logs.read(session, next, Math.min(size, turn.bytes))
      if (slice.count === 0 || signal.aborted) {
        turn.release()
        return next
      }
      turn.send(encodeLogChunk(sub.ch, slice.firstLine, slice.count, slice.text))
      next = slice.firstLine + slice.count
    } catch (error) {
      turn.release()
      throw error
    }
    size = Number.POSITIVE_INFINITY
  }
  return next
}

export const noLog = (ch: number, session: SessionId, known: boolean) => ({
  type: 'expired' as const,
  ch,
  reason: known ? `Session ${session} has no log.` : `Session ${session} not found.`,
})

/** Shows the line that has no newline yet, when it changed, and not more often than a person can read. */
class PartialLine {
  readonly #channel: Channel
  readonly #clock: Clock
  #shown = ''
  #shownAt = -PARTIAL_MS

  constructor(channel: Channel, clock: Clock) {
    this.#channel = channel
    this.#clock = clock
  }

  /** Sends it if it is due. Returns the milliseconds until it is due; undefined: it is shown already. */
  async show(state: LogState, line: number): Promise<number | undefined> {
    const text = state.partial.slice(0, PARTIAL_CHARACTERS)
    const shown = `${line} ${text}`
    if (line !== state.lines || text === '' || shown === this.#shown) return undefined
    const left = PARTIAL_MS - (this.#clock.monotonic() - this.#shownAt)
    if (left > 0) return left
    this.#shown = shown
    this.#shownAt = this.#clock.monotonic()
    await sendInTurn(this.#channel, { type: 'partial', ch: this.#channel.sub.ch, line, text })
    return undefined
  }
}
