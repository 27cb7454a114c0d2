import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import { parseOrder } from './order-schema.ts'
import type { Clock } from '../process/clock.ts'
import { SessionFailure } from '../ends/session-failure.ts'
import { NoLink } from '../ends/no-link.ts'

// Most sessions get their order at their gate, and never ask.
const get = (...call: [string, RequestOptions, (response: IncomingMessage) => void]): ClientRequest =>
  process.getBuiltinModule('node:http').get(...call)

/**
 * The server answers within 25 s, with 204 if there is nothing yet. This is longer than the link waits for a new server
 * before it breaks the connection off (`supervisor/link/link-socket.ts`). If we are still connected after this, the
 * server is not running at the moment (Ctrl-Z, a paused machine), and we ask again.
 */
const ANSWER_MS = 90_000
/** The longest time for which the session tolerates that nobody listens at the link. */
const GIVE_UP_AFTER_MS = 70_000
const RETRY_MS = 500
const MAX_ORDER_BYTES = 16 * 1024 ** 2

/**
 * Asks until there is a session, however long that takes. Throws `NoLink` if nobody has listened or answered sensibly
 * for `giveUpAfterMs`, and `SessionFailure` if the order cannot be understood.
 */
export async function askForSession(
  linkUrl: string,
  clock: Clock,
  stop: AbortSignal,
  { giveUpAfterMs, answerMs } = { giveUpAfterMs: GIVE_UP_AFTER_MS, answerMs: ANSWER_MS },
): Promise<SessionOrder> {
  let answeredAt = clock.monotonic()
  while (!stop.aborted) {
    const answer = await askOnce(`${linkUrl}/session`, answerMs, stop)
    if ('status' in answer && answer.status === 200) return parseOrder(answer.body)
    if ('paused' in answer || ('status' in answer && answer.status === 204)) {
      answeredAt = clock.monotonic()
      continue
    }
    if (clock.monotonic() - answeredAt >= giveUpAfterMs)
      throw new NoLink(`the server gave no session at ${linkUrl}/session: ${describe(answer)}`)
    await clock.sleep(RETRY_MS, stop)
  }
  throw new SessionFailure('stopped before there was a session', 'stopped')
}

/** `paused`: connected, but no answer. */
type Answer = { status: number; body: string } | { trouble: string } | { paused: true }
type Trouble = Exclude<Answer, { paused: true }>

const describe = (answer: Trouble): string =>
  'trouble' in answer ? answer.trouble : `HTTP ${answer.status} ${answer.body.slice(0, 500)}`.trim()

/** Asks on a new connection each time: a kept one may lead to a server that is gone. */
function askOnce(url: string, answerMs: number, stop: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const late = AbortSignal.timeout(answerMs)
    const failed = (error: Error) => resolve(late.aborted ? { paused: true } : { trouble: error.message })
    const request = get(url, { agent: false, signal: AbortSignal.any([stop, late]) }, (response) => {
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
    })
    request.on('error', failed)
  })
}
