import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent as TlsAgent, globalAgent, request as tlsRequest } from 'node:https'
import { pipeline, type Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { Agent, request as plainRequest } from '../../process/node-http.ts'
import { trustSystemCertificates } from '../../process/system-certificates.ts'

/** The start of an endpoint's answer; the caller reads the body. */
export type Reply = { status: number; headers: IncomingHttpHeaders; body: Readable }

const CONNECT_MS = 10_000

/** Servers commonly close a connection after five idle seconds; ours is closed earlier, not at the same moment. */
const IDLE_CONNECTION_MS = 4000

// `proxyEnv` exists when Node is told to use the proxies of the environment.
const { proxyEnv } = globalAgent.options
const kept = {
  keepAlive: true,
  scheduling: 'lifo',
  timeout: IDLE_CONNECTION_MS,
  ...(proxyEnv && { proxyEnv }),
} as const
const plain = new Agent(kept)
const tls = new TlsAgent(kept)

/**
 * Posts `body` and resolves with the start of the answer, whatever its status; redirects are not followed.
 * Aborting breaks the connection, even while the answer's body is read. Rejects when there is no answer.
 *
 * Not `fetch`: its Web streams use more processor time than everything else in the gateway.
 */
export function post(url: string, headers: Record<string, string>, body: Buffer, signal: AbortSignal): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers, timeout: CONNECT_MS }
    const secure = url.startsWith('https:')
    if (secure) trustSystemCertificates()
    const request = secure
      ? tlsRequest(url, { ...options, agent: tls })
      : plainRequest(url, { ...options, agent: plain })
    const stop = () => request.destroy()
    signal.addEventListener('abort', stop, { once: true })
    request.on('close', () => {
      signal.removeEventListener('abort', stop)
      reject(new Error('no answer')) // an unrequested upgrade ends like this, without an error
    })
    request.on('timeout', () => {
      if (connecting(request.socket)) request.destroy(Object.assign(new Error('no connection'), { code: 'ETIMEDOUT' }))
    })
    request.on('response', (message) => resolve(replyOf(message)))
    request.on('error', reject)
    if (signal.aborted) stop()
    else request.end(body)
  })
}

/** `secureConnecting` exists on `TLSSocket`, but Node's types leave it out. */
const connecting = (socket: (NodeJS.Socket & { connecting?: boolean; secureConnecting?: boolean }) | null): boolean =>
  socket === null || socket.connecting === true || socket.secureConnecting === true

const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH }
const decoders: Record<string, () => Transform> = {
  gzip: () => createGunzip(flush),
  'x-gzip': () => createGunzip(flush),
  deflate: () => createInflate(flush),
  br: () =>
    createBrotliDecompress({
      flush: constants.BROTLI_OPERATION_FLUSH,
      finishFlush: constants.BROTLI_OPERATION_FLUSH,
    }),
  zstd: () => createZstdDecompress({ flush: constants.ZSTD_e_continue, finishFlush: constants.ZSTD_e_end }),
}

/** Some endpoints compress although they were asked not to, and the caller never sees their headers. */
function replyOf(message: IncomingMessage): Reply {
  const { statusCode: status = 0, headers } = message
  const coding = headers['content-encoding']?.trim().toLowerCase() ?? ''
  const decoder = Object.hasOwn(decoders, coding) ? decoders[coding]?.() : undefined
  if (!decoder) return { status, headers, body: message }
  pipeline(message, decoder, () => {}) // the reader gets the errors
  return { status, headers, body: decoder }
}
