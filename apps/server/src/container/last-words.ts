import type { Readable } from 'node:stream'
import type { DockerClient } from './docker-client.ts'

const LINES = 20
const MOST_CHARACTERS = 2_000
/** In front of each piece of a container's output: its stream, and its length. */
const HEAD_BYTES = 8
/** The most of the log that is read for these lines. An image's own shell may be process 1 and print endless lines. */
const MOST_BYTES = 256 * 1024

/** The last output of a container: a supervisor says there why it died, and nothing else should print anything. */
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
    if ((length += part.length) >= MOST_BYTES) break // this closes the stream
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
