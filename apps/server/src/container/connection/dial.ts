import { readFile } from 'node:fs/promises'
import { connect as connectTo, isIP } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { connect as connectSecurely, type ConnectionOptions } from 'node:tls'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import { type EngineAddress, nameOf, type Tls } from './address.ts'
import { SshStream } from './ssh-stream.ts'

/** Notices a pulled cable, even under a stream that has nothing to say. */
const KEEP_ALIVE_MS = 30_000

/**
 * Begins a connection to the engine; if it fails later, it emits `error`. Rejects with an `EngineError` when it cannot
 * even begin.
 *
 * @param env the server's own, for ssh
 */
export async function dial(address: EngineAddress, env: Record<string, string | undefined>): Promise<Duplex> {
  if (address.kind === 'unix') return connectTo({ path: address.path })
  if (address.kind === 'ssh') return new SshStream(address, env)
  const { host, port, tls } = address
  const keeping = { noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEP_ALIVE_MS }
  if (tls === null) return connectTo({ host, port, ...keeping })
  const secure: ConnectionOptions = { ...(await certificates(tls, nameOf(address))), rejectUnauthorized: tls.verify }
  const socket = connectSecurely({ host, port, ...(isIP(host) ? {} : { servername: host }), ...secure })
  return socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE_MS)
}

/** Reads the certificates anew for each connection, in case they were renewed. */
async function certificates(
  { folder, needed }: Tls,
  name: string,
): Promise<Pick<ConnectionOptions, 'ca' | 'cert' | 'key'>> {
  if (folder === null) return {}
  const read = async (file: string) => {
    try {
      return await readFile(join(folder, file))
    } catch (error) {
      throw new EngineError(
        'refused',
        `the certificates for ${name} cannot be read: ${messageOf(error)}. Put ca.pem, cert.pem and key.pem there, or correct DOCKER_CERT_PATH`,
      )
    }
  }
  const files = await Promise.all(needed.map(async (file) => [file.replace('.pem', ''), await read(file)] as const))
  return Object.fromEntries(files)
}
