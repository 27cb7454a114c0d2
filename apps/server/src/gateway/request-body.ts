import type { IncomingMessage } from 'node:http'
import { badRequest, callerGone, requestTooLarge, type Problem } from './problem.ts'

/** `text` is what `json` was read from. */
export type RequestBody = { json: Record<string, unknown>; text: string } | { failed: Problem }

/**
 * Reads a JSON object of at most `limitBytes`. A longer body is discarded as it arrives, up to four times the limit: a
 * client that is still sending when the connection closes never sees the answer that says why.
 */
export async function readBody(
  request: IncomingMessage,
  limitBytes: number,
  signal: AbortSignal,
): Promise<RequestBody> {
  const chunks: Buffer[] = []
  let size = 0
  const stop = () => request.destroy()
  signal.addEventListener('abort', stop, { once: true })
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.byteLength
      if (size > limitBytes) chunks.length = 0
      else chunks.push(chunk)
      if (size > 4 * limitBytes) break
    }
  } catch {
    return { failed: callerGone }
  } finally {
    signal.removeEventListener('abort', stop)
  }
  return size > limitBytes ? { failed: requestTooLarge(limitBytes) } : parseObject(Buffer.concat(chunks))
}

function parseObject(bytes: Buffer): RequestBody {
  const text = bytes.toString('utf8')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return { failed: badRequest('is not JSON') }
  }
  return isObject(json) ? { json, text } : { failed: badRequest('is not a JSON object') }
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
