import type { DockerClient } from './docker-client.ts'

const LINES = 20
const MOST_CHARACTERS = 2_000
/** Before each piece of a container's output: which stream it is of, and its length. */
const HEAD_BYTES = 8

/** What a container has printed last: a supervisor says there why it died, and nobody else prints anything. */
export async function lastWordsOf(client: DockerClient, container: string): Promise<string> {
  const path = `/containers/${container}/logs`
  const query = { stdout: true, stderr: true, tail: LINES }
  const log = await client.call('read the log of the container', async (signal) =>
    Buffer.concat(await (await client.stream({ method: 'GET', path, query, signal })).toArray()),
  )
  return textIn(log).slice(-MOST_CHARACTERS)
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
