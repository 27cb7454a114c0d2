import type { Duplex } from 'node:stream'
import { SupervisorState } from '@beadloom/core/supervisor/session-control.ts'
import { valueWithin } from '@beadloom/core/text/json-values.ts'

/** The limit for an answer, and for a line with the supervisor's state: a hundred sessions take less. */
const MOST_BYTES = 256 * 1024
/** The most values parsed from either: a container may send lines as fast as they are read. */
export const MOST_VALUES = 5_000

/** Reads the whole answer to an order; null when there is none, or too much of it. */
export function readAnswer(stream: Duplex, signal: AbortSignal): Promise<string | null> {
  return new Promise((resolve) => {
    const parts: Buffer[] = []
    let length = 0
    const done = (text: string | null): void => {
      signal.removeEventListener('abort', stop)
      resolve(text)
    }
    const stop = (): void => {
      stream.destroy()
      done(null)
    }
    stream.on('error', () => {}) // 'close' follows
    stream.on('data', (bytes: Buffer) => {
      parts.push(bytes)
      if ((length += bytes.length) > MOST_BYTES) stop()
    })
    stream.once('end', () => done(Buffer.concat(parts).toString()))
    stream.once('close', () => done(null))
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
  })
}

/**
 * Reads a state from each line. Other lines are skipped; one without an end closes the stream. A line is put together
 * once, at its end, so bytes that come one by one are each read once.
 */
export function readStates(stream: Duplex, told: (state: SupervisorState) => void): void {
  let begun: string[] = []
  let length = 0
  stream.on('error', () => {}) // the next link asks again
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = text.split('\n')
    const rest = lines.pop() ?? ''
    const last = lines.length === 1 ? begun.join('') + lines[0] : lines.at(-1)
    if (last !== undefined) [begun, length] = [[], 0]
    begun.push(rest)
    length += rest.length
    if (length > MOST_BYTES) return void stream.destroy()
    const state = last === undefined ? null : stateIn(last)
    if (state) told(state)
  })
}

function stateIn(line: string): SupervisorState | null {
  const state = SupervisorState.safeParse(line.length > MOST_BYTES ? null : valueWithin(line, MOST_VALUES))
  return state.success ? state.data : null
}
