import type { IncomingMessage } from 'node:http'
import { duplexPair } from 'node:stream'
import { createServer, request } from '../process/node-http.ts'
import type { Handler } from './model-access.ts'

export type Answered = { status: number; body: string }

/** A longer answer is not an answer to us; the rest is not read. */
const MOST_BYTES = 1024 * 1024

/**
 * Asks the gateway a question of the server's own, in the same way as a container: with its limits, its accounts and
 * its retries. The connection is a pair of streams in this process, which nothing else can reach.
 * Rejects when it is aborted, or when the connection breaks.
 */
export async function askGateway(model: Handler, question: object, signal: AbortSignal): Promise<Answered> {
  const [ours, theirs] = duplexPair()
  const server = createServer(model)
  server.emit('connection', theirs)
  const body = JSON.stringify(question)
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request(
        {
          method: 'POST',
          host: 'gateway',
          path: '/v1/chat/completions',
          createConnection: () => ours as never,
          headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
          signal,
        },
        resolve,
      )
      asked.once('error', reject)
      asked.end(body)
    })
    let text = ''
    for await (const piece of response.setEncoding('utf8')) {
      text += String(piece)
      if (text.length > MOST_BYTES) break
    }
    return { status: response.statusCode ?? 0, body: text }
  } finally {
    ours.destroy()
    theirs.destroy()
    server.close()
  }
}
