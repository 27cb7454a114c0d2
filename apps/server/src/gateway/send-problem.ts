import type { ServerResponse } from 'node:http'
import type { Problem } from './problem.ts'
import type { Dialect } from './route.ts'

/**
 * Answers with the problem in OpenAI's shape; the outer `type` makes the same body a valid error of Anthropic's API.
 * The official clients of both obey `x-should-retry`: the gateway itself has already retried if that helps. Only a call
 * that was never made is theirs to repeat.
 */
export function sendProblem(response: ServerResponse, failed: Problem): void {
  const again = failed.code === 'gateway_busy'
  response.writeHead(failed.status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-should-retry': String(again),
    ...(again && { 'retry-after': String(Math.ceil((failed.retryAfterMs ?? 1000) / 1000)) }),
    // After a body that was not read to its end, the connection cannot carry another request.
    ...((failed.status === 413 || again || failed.code === 'too_many_counts') && { connection: 'close' }),
  })
  response.end(problemBody(failed))
}

export const problemBody = ({ message, type, code }: Problem): string =>
  JSON.stringify({ type: 'error', error: { message, type, code } })

/** The problem as the last event of a stream that has begun, in its API's format. */
export function problemEvent(dialect: Dialect, failed: Problem): string {
  const { message, type, code } = failed
  if (dialect === 'responses') return `event: error\ndata: ${JSON.stringify({ type: 'error', code, message })}\n\n`
  const data = JSON.stringify({ type: 'error', error: { message, type, code } })
  return dialect === 'chat' ? `data: ${data}\n\n` : `event: error\ndata: ${data}\n\n`
}
