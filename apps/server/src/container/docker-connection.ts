import { readFileSync } from 'node:fs'
import { Agent as HttpsAgent } from 'node:https'
import { join } from 'node:path'
import Docker from 'dockerode'
import { EngineError } from '../ports/engine.ts'
import { Agent as HttpAgent } from '../process/node-http.ts'

const DEFAULT_SOCKET = '/var/run/docker.sock'

export type Connection = {
  docker: Docker
  /** Docker's address, for messages. */
  socket: string
}

/**
 * dockerode fills missing options from the process's `DOCKER_HOST`, so every option is given here, even as undefined.
 * No connection is kept alive: one that was idle while dockerd restarted would fail the next call needlessly.
 * Throws `EngineError('refused')` for an address that cannot be used.
 */
export function connect(dockerHost: string | undefined, certPath: string | undefined): Connection {
  const address = dockerHost?.trim() || `unix://${DEFAULT_SOCKET}`
  if (address.startsWith('unix://') || address.startsWith('/')) {
    const socketPath = address.replace(/^unix:\/\//, '') || DEFAULT_SOCKET
    const options = {
      ...nothingFromEnvironment,
      socketPath,
      protocol: 'http',
      agent: new HttpAgent({ keepAlive: false }),
    } as const
    return { docker: new Docker(options), socket: socketPath }
  }
  const url = parse(address)
  const tls = url.protocol === 'https:' || (certPath !== undefined && url.protocol === 'tcp:')
  const port = url.port || (tls ? '2376' : '2375')
  const options = {
    ...nothingFromEnvironment,
    socketPath: undefined,
    host: url.hostname,
    port,
    protocol: tls ? 'https' : 'http',
    // The type declarations do not know `agent`; docker-modem does.
    agent: tls ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    ...(tls && certPath ? certificates(certPath) : {}),
  } as const
  return { docker: new Docker(options), socket: address }
}

const nothingFromEnvironment = { host: undefined, port: undefined, ca: undefined, cert: undefined, key: undefined }

function parse(address: string): URL {
  const text = address.includes('://') ? address : `tcp://${address}`
  const url = URL.canParse(text) ? new URL(text) : null
  if (url && ['tcp:', 'http:', 'https:'].includes(url.protocol) && url.hostname) return url
  throw new EngineError(
    'refused',
    `DOCKER_HOST cannot be ${JSON.stringify(address)}: use unix:///path/to/docker.sock or tcp://host:port`,
  )
}

function certificates(folder: string): { ca: Buffer; cert: Buffer; key: Buffer } {
  const read = (name: string): Buffer => readFileSync(join(folder, name))
  return { ca: read('ca.pem'), cert: read('cert.pem'), key: read('key.pem') }
}
