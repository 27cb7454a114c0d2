import { saysFullDisk } from '@beadloom/core/text/full-disk.ts'
import { EngineError, type EngineErrorKind } from '../ports/engine.ts'
import { nameOf } from './connection/address.ts'
import type { Choice } from './connection/choose-engine.ts'
import { howToStart } from './connection/products.ts'
import { outOf } from '../process/start-process.ts'

/** Node's error codes when nobody answers at the socket, or the connection breaks. */
const unreachableCodes = new Set([
  'ENOENT',
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'EACCES',
  'EPERM',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
  'EPROTO',
])
const lostCodes = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE'])
/** Something answers, but it does not speak HTTP, or its certificate or ours is not trusted. */
const notDocker = /^HPE_|^ERR_(SSL|TLS)_|CERT|^UNABLE_TO_/

/**
 * The texts of dockerd when it, or the containerd under it, goes down with the request in its hands. A registry's
 * "Service Unavailable" is none of them.
 */
const goingDown =
  /transport is closing|client connection is closing|transport: Error while dialing|code = Unavailable|: unavailable$|ttrpc: closed|(daemon|server) is (being )?(shutting|shut) down/

/**
 * Converts Docker's errors, whose shapes are known only here. `doing` completes "Docker could not …"; `choice` is the
 * engine that was asked, null as long as none has been found. An error that is not recognised is a bug of ours and is
 * thrown unchanged.
 */
export function toEngineError(error: unknown, doing: string, choice: Choice | null): EngineError {
  if (error instanceof EngineError) return error
  if (!(error instanceof Error)) throw error
  const { statusCode, code } = shapeOf(error)
  const cause = { cause: error }
  if (code !== null && (unreachableCodes.has(code) || notDocker.test(code))) {
    return new EngineError('unreachable', unreachableText(code, choice), cause)
  }
  // It passes, and the sandbox keeps its output meanwhile, so it counts as a Docker that is away for a moment.
  const short = code === null ? null : outOf(code)
  if (short !== null) return new EngineError('unreachable', `Docker could not be asked to ${doing}: ${short}`, cause)
  if (statusCode === null && !isBuildError(error)) throw error
  const text = plain(error.message)
  if (statusCode === 400 && choice !== null && /HTTP request to an HTTPS server/.test(text)) {
    const how = 'set DOCKER_TLS_VERIFY=1 and DOCKER_CERT_PATH, or make a docker context with its certificates'
    return new EngineError('refused', `${nameOf(choice.address)} wants TLS: ${how}`, cause)
  }
  return new EngineError(kindOf(statusCode, text), `Docker could not ${doing}: ${text}`, cause)
}

/** An error that Docker reports inside a progress stream, without a status code. */
export class BuildError extends Error {
  override name = 'BuildError'
}

/** Whether a pull failed because of the registry or the name: another source of the image may then help. */
export const isOfRegistry = (error: unknown): error is EngineError =>
  error instanceof EngineError && error.kind !== 'unreachable' && error.kind !== 'no-space'

/**
 * Whether the engine cannot mount a folder of this machine: it has mounts of its own, or no access. Podman says
 * `statfs`.
 */
export const isUnseenFolder = (error: unknown): boolean =>
  error instanceof EngineError && /invalid mount config for type "bind"|\bstatfs \S+: /.test(error.message)

/** Whether the connection broke when Docker may have taken the request: the caller has to find out. */
export const isLostReply = (error: unknown): boolean =>
  error instanceof EngineError && error.cause instanceof Error && lostCodes.has(shapeOf(error.cause).code ?? '')

/**
 * Whether the engine may have failed because it goes down: an error of its own, or a build that broke off. It is then
 * away a moment later.
 */
export const mayBeGoingDown = (error: EngineError): boolean =>
  error.kind === 'failed' || error.kind === 'image-build-failed'

/** The same error, of an engine that was found to be away right after it. */
export const asUnreachable = (error: EngineError): EngineError =>
  new EngineError('unreachable', `${error.message}. Docker went away at that moment`, { cause: error.cause })

export const statusOf = (error: unknown): number | null =>
  error instanceof EngineError ? statusOf(error.cause) : error instanceof Error ? shapeOf(error).statusCode : null

function kindOf(statusCode: number | null, text: string): EngineErrorKind {
  if (saysFullDisk(text)) return 'no-space'
  if ((statusCode ?? 500) >= 500 && goingDown.test(text)) return 'unreachable'
  if (statusCode === null) return 'image-build-failed'
  // Podman answers 500 where Docker answers 409.
  if ([409, 500].includes(statusCode) && /name .* is already in use/i.test(text)) return 'name-taken'
  if (statusCode === 404 && /image|manifest|repository/i.test(text)) return 'image-missing'
  return statusCode >= 500 ? 'failed' : 'refused'
}

function unreachableText(code: string, choice: Choice | null): string {
  if (choice === null) return `no container engine could be asked (${code}): set DOCKER_HOST to where one listens`
  const { address, why, change } = choice
  const at = nameOf(address)
  if (code === 'EACCES' || code === 'EPERM') {
    return `not allowed to use Docker at ${at} (${why}): add your user to the group that owns it (sudo usermod -aG docker "$USER", then sign in again), or start Beadloom as root`
  }
  if (/ALERT_.*(CERT|UNKNOWN_CA)/.test(code)) {
    return `${at} does not take the certificate that it was shown (${code}; ${why}): check cert.pem and key.pem, or ${change}`
  }
  if (/CERT|UNABLE_TO_/.test(code)) {
    return `the certificate of ${at} is not one that ca.pem vouches for (${code}; ${why}): check ca.pem and the clocks, or ${change}`
  }
  if (notDocker.test(code)) {
    return `whatever answers at ${at} is not Docker, or expects another protocol (${code}; ${why}): ${change}`
  }
  return `Docker does not answer at ${at} (${code}; ${why}): ${howToStart(address)}, or ${change}`
}

function shapeOf(error: Error): { statusCode: number | null; code: string | null } {
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown }
  return {
    statusCode: typeof statusCode === 'number' ? statusCode : null,
    code: typeof code === 'string' ? code : null,
  }
}

const isBuildError = (error: Error): boolean => error instanceof BuildError

/** docker-modem puts "(HTTP code 409) unexpected - " in front of the daemon's own sentence. */
const plain = (message: string): string => message.replace(/^\(HTTP code \d+\) [^-]*- /, '').trim()
