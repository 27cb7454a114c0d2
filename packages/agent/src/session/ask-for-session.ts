import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import { parseOrder } from './order-schema.ts'
import type { Clock } from '../process/clock.ts'
import { SessionFailure } from './session-failure.ts'

// An import of this module reads all its exports, and one of them loads Node's whole `fetch`: 25 ms before each session.
const { get } = process.getBuiltinModule('node:http')

export class NoLink extends Error {
  override name = 'NoLink'
}

/** The server answers within 25 s, with 204 when there is nothing yet. An answer that takes longer than this is lost. */
const ANSWER_MS = 40_000
/** How long the link may stay unusable before the session gives up. */
const GIVE_UP_AFTER_MS = 75_000
const RETRY_MS = 500
const MAX_ORDER_BYTES = 16 * 1024 ** 2

/**
 * Asks until there is a session, as long as that takes. Throws `NoLink` when nothing sensible has answered for
 * `giveUpAfterMs`, and `SessionFailure` when the order cannot be understood.
 */
export async function askForSession(
  linkUrl: string,
  clock: Clock,
  stop: AbortSignal,
  giveUpAfterMs = GIVE_UP_AFTER_MS,
): Promise<SessionOrder> {
  let answeredAt = clock.monotonic()
  while (!stop.aborted) {
    const answer = await askOnce(`${linkUrl}/session`, stop)
    if ('status' in answer && answer.status === 200) return parseOrder(answer.body)
    if ('status' in answer && answer.status === 204) {
      answeredAt = clock.monotonic()
      continue
    }
    if (clock.monotonic() - answeredAt >= giveUpAfterMs)
      throw new NoLink(`the server gave no session at ${linkUrl}/session: ${describe(answer)}`)
    await clock.sleep(RETRY_MS, stop)
  }
  throw new SessionFailure('stopped before there was a session', 'stopped')
}

type Answer = { status: number; body: string } | { trouble: string }

const describe = (answer: Answer): string =>
  'trouble' in answer ? answer.trouble : `HTTP ${answer.status} ${answer.body.slice(0, 500)}`.trim()

/** On a new connection each time: a kept one may lead to a server that is gone. */
function askOnce(url: string, stop: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const failed = (error: Error) =>
      resolve({ trouble: error.name === 'AbortError' ? 'no answer from the server' : error.message })
    const request = get(
      url,
      { agent: false, signal: AbortSignal.any([stop, AbortSignal.timeout(ANSWER_MS)]) },
      (response) => {
        const chunks: Buffer[] = []
        let bytes = 0
        response.on('error', failed)
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          if ((bytes += chunk.length) > MAX_ORDER_BYTES) request.destroy(new Error('the answer is too long'))
        })
        response.on('end', () => {
          if (!response.complete) return failed(new Error('the answer was cut off'))
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') })
        })
      },
    )
    request.on('error', failed)
  })
}
