import Docker from 'dockerode'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { EngineError } from '../../ports/engine.ts'
import { EngineAgent } from './engine-agent.ts'
import type { EngineRoute } from './engine-route.ts'

/**
 * Opens dockerode over this route. It fills missing options from the process's `DOCKER_HOST`, so every option is given
 * here, even as undefined. It takes every route for a socket: the agent makes the connections.
 */
export function connect(route: EngineRoute): Docker {
  const options = {
    host: undefined,
    port: undefined,
    ca: undefined,
    cert: undefined,
    key: undefined,
    timeout: undefined,
    protocol: 'http',
    socketPath: '/engine',
    // The type declarations do not know `agent`; docker-modem does.
    agent: new EngineAgent(() => route.dial()),
  } as const
  try {
    return new Docker(options)
  } catch (error) {
    // docker-modem also reads these files, before it reads its options.
    throw new EngineError('refused', `the certificates in DOCKER_CERT_PATH cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
}
