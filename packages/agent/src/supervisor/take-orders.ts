import type { Duplex } from 'node:stream'
import type { Header, IncomingStream, TakeStream } from '@beadloom/core/link/incoming-stream.ts'
import {
  MOST_OF_AN_ORDER,
  SessionInterrupt,
  SessionOf,
  SessionStart,
  SessionStop,
  type OrderAnswer,
  type OrderKind,
} from '@beadloom/core/supervisor/session-control.ts'
import type { z } from 'zod/mini'
import type { Supervisor } from './supervisor.ts'

class BadOrder extends Error {}

/** The supervisor's side of the orders in `packages/core/src/supervisor/session-control.ts`. */
export function takeOrders(supervisor: Supervisor): TakeStream<Duplex> {
  const answers: Record<Exclude<OrderKind, 'sessions'>, (header: Header, stream: Duplex) => Promise<OrderAnswer>> = {
    'session-start': async (header, stream) => {
      const { session } = read(SessionOf, header)
      return supervisor.start(session, read(SessionStart, await bodyOf(stream)))
    },
    'session-ahead': async (_, stream) => supervisor.startAhead(read(SessionStart, await bodyOf(stream))),
    'session-stop': async (header) => {
      const { session, graceMs } = read(SessionStop, header)
      return supervisor.stop(session, graceMs)
    },
    'session-interrupt': async (header) => {
      const { session, youngerMs } = read(SessionInterrupt, header)
      return supervisor.interrupt(session, youngerMs)
    },
    'set-aside': () => supervisor.setAside(),
    'session-forget': async (header) => supervisor.forget(read(SessionOf, header).session),
  }
  return ({ kind, header, stream }: IncomingStream<Duplex>) => {
    stream.on('error', () => {}) // its server is gone; the next one asks again
    if (kind === 'sessions') return tellStates(supervisor, stream)
    const answer = Object.hasOwn(answers, kind) ? answers[kind as keyof typeof answers] : null
    if (!answer) throw new Error(`no stream of the kind ${kind} is known here`)
    void answer(header, stream)
      .catch((error: unknown): OrderAnswer => {
        if (error instanceof BadOrder) return { refused: 'bad-order', detail: error.message.slice(0, 1000) }
        throw error
      })
      .then(
        (given) => stream.end(JSON.stringify(given)),
        (error: unknown) => stream.destroy(error instanceof Error ? error : new Error(String(error))),
      )
  }
}

function read<T extends z.ZodMiniType>(schema: T, value: unknown): z.infer<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data as z.infer<T>
  const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'the order'}: ${message}`)
  throw new BadOrder(problems.join('; '))
}

async function bodyOf(stream: Duplex): Promise<unknown> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stream.iterator({ destroyOnReturn: false })) {
    parts.push(part as Buffer)
    length += (part as Buffer).length
    if (length > MOST_OF_AN_ORDER) throw new BadOrder(`the order: more than ${MOST_OF_AN_ORDER} bytes`)
  }
  try {
    return JSON.parse(Buffer.concat(parts).toString())
  } catch {
    throw new BadOrder('the order: no JSON')
  }
}

/**
 * Writes a line at once and after every change. If a slow reader has not taken one, it is made anew instead of queued.
 */
function tellStates(supervisor: Supervisor, stream: Duplex): void {
  let waits = false
  const tell = (): void => {
    if (waits || stream.destroyed || stream.writableEnded) return
    if (stream.write(`${JSON.stringify(supervisor.state())}\n`)) return
    waits = true
    stream.once('drain', () => {
      waits = false
      tell()
    })
  }
  const unwatch = supervisor.watch(tell)
  stream.once('close', unwatch)
  stream.once('end', () => {
    unwatch()
    stream.end()
  })
  stream.resume()
  tell()
}
