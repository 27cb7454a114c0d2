import type { Readable } from 'node:stream'
import type { DockerClient } from './docker-client.ts'

const LINES = 20
const MOST_CHARACTERS = 2_000
/** Before each piece of a container's output: which stream it is of, and its length. */
const HEAD_BYTES = 8
/** Of the log, for these lines. An image may bring a shell of its own, which is process 1 and has lines without an end. */
const MOST_BYTES = 256 * 1024

/** What a container has printed last: a supervisor says there why it died, and nobody else should print anything. */
export async function lastWordsOf(client: DockerClient, container: string): Promise<string> {
  const path = `/containers/${container}/logs`
  const query = { stdout: true, stderr: true, tail: LINES }
  const log = await client.call('read the log of the container', async (signal) =>
    beginningOf(await client.stream({ method: 'GET', path, query, signal })),
  )
  return textIn(log).slice(-MOST_CHARACTERS)
}

async function beginningOf(stream: Readable): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    parts.push(part)
    if ((length += part.length) >= MOST_BYTES) break // which closes the stream
  }
  return Buffer.concat(parts)
}

function textIn(log: Buffer): string {
  let text = ''
  for (let at = 0; at + HEAD_BYTES <= log.length;) {
    const end = at + HEAD_BYTES + log.readUInt32BE(at + 4)
    text += log.subarray(at + HEAD_BYTES, end).toString()
    at = end
  }
  return text
}
