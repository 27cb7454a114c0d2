import type { Duplex } from 'node:stream'
import { SupervisorState } from '@beadloom/core/supervisor/session-control.ts'

/** Of an answer, and of a line that says what the supervisor has: a hundred sessions are less. */
const MOST_BYTES = 256 * 1024

/** The whole answer to an order; null when there is none, or too much of it. */
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

/** A state for each line. Lines that are none are passed over; one without an end closes the stream. */
export function readStates(stream: Duplex, told: (state: SupervisorState) => void): void {
  let rest = ''
  stream.on('error', () => {}) // the next link asks again
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MOST_BYTES) return void stream.destroy()
    const state = lines.length > 0 ? stateIn(lines.at(-1) ?? '') : null
    if (state) told(state)
  })
}

function stateIn(line: string): SupervisorState | null {
  try {
    const state = SupervisorState.safeParse(line.length > MOST_BYTES ? null : JSON.parse(line))
    return state.success ? state.data : null
  } catch {
    return null
  }
}
