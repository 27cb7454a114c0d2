import type { ServerResponse } from 'node:http'
import type { Call } from '../call.ts'
import type { Problem } from '../problem.ts'
import { problemBody, problemEvent } from '../send-problem.ts'

/*
 * A caller that waits for a model, or for a person, gets bytes without meaning, because agents' clients give up after
 * five minutes without headers or without a byte. In a stream that is a comment; in front of JSON, white space. The
 * price is the status, which is 200 by then: a later failure is reported in the body.
 */

export function keepWaiting({ response, streaming }: Pick<Call, 'response' | 'streaming'>, why: string): void {
  if (!response.headersSent) {
    response.writeHead(200, {
      'content-type': streaming ? 'text/event-stream' : 'application/json',
      'cache-control': 'no-store',
    })
  }
  if (response.writable) response.write(streaming ? `: ${why}\n\n` : '\n')
}

/** Whether the caller's answer has begun: it was promised a stream, or JSON, and its status is sent. */
export const isKeptAlive = (response: ServerResponse): boolean => response.headersSent

export function endKeptAlive(
  { response, dialect, streaming }: Pick<Call, 'response' | 'dialect' | 'streaming'>,
  failed: Problem,
): void {
  if (response.writable) response.end(streaming ? problemEvent(dialect, failed) : problemBody(failed))
  else response.destroy()
}
