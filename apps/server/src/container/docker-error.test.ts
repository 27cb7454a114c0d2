import { expect, test } from 'vitest'
import { EngineError } from '../ports/engine.ts'
import type { Choice } from './connection/choose-engine.ts'
import { isUnseenFolder, toEngineError } from './docker-error.ts'

const SOCKET = '/var/run/docker.sock'
const choice: Choice = {
  address: { kind: 'unix', path: SOCKET },
  why: 'the first of the usual sockets that answers',
  change: 'set DOCKER_HOST to where it listens',
  others: [],
  weaker: [],
}

test.each(['EMFILE', 'ENFILE', 'ENOMEM', 'EAGAIN'])(
  'a server that has run out of something (%s) cannot ask Docker for a moment, and nobody takes that for a bug or an end',
  (code) => {
    const error = toEngineError(Object.assign(new Error(`connect ${code} ${SOCKET}`), { code }), 'start it', choice)
    expect(error).toBeInstanceOf(EngineError)
    expect(error).toMatchObject({ kind: 'unreachable', message: expect.stringContaining(code) })
  },
)

test.each([
  [409, 'Conflict. The container name "/x" is already in use by container "0".'],
  [500, 'creating container storage: the container name "x" is already in use by 0.'],
])('a taken name is recognised, whatever engine says so (%i)', (statusCode, text) => {
  const error = Object.assign(new Error(`(HTTP code ${statusCode}) unexpected - ${text}`), { statusCode })
  expect(toEngineError(error, 'create it', choice)).toMatchObject({ kind: 'name-taken' })
})

test('an unknown error is thrown as it is', () => {
  const bug = new TypeError('undefined is not a function')
  expect(() => toEngineError(bug, 'start it', choice)).toThrow(bug)
})

test.each([
  [400, 'invalid mount config for type "bind": bind source path does not exist: /data/link/x', true],
  [400, 'invalid mount config for type "bind": stat /home/me/.data/link/x: permission denied', true],
  [500, 'statfs /data/link/x: no such file or directory', true],
  [400, 'invalid mount config for type "volume": x', false],
])('a folder that the engine does not see is distinguished from other refusals (%i %s)', (statusCode, text, isOne) => {
  const error = Object.assign(new Error(`(HTTP code ${statusCode}) unexpected - ${text}`), { statusCode })
  expect(isUnseenFolder(toEngineError(error, 'create it', choice))).toBe(isOne)
})

test.each([
  [500, 'transport is closing: unavailable', 'unreachable'],
  [500, 'rpc error: code = Unavailable desc = transport is closing', 'unreachable'],
  [
    500,
    'connection error: desc = "transport: Error while dialing dial unix containerd.sock": unavailable',
    'unreachable',
  ],
  [500, 'ttrpc: closed: unknown', 'unreachable'],
  [503, 'the daemon is shutting down', 'unreachable'],
  [500, 'received unexpected HTTP status: 503 Service Unavailable', 'failed'],
  [500, 'OCI runtime create failed: exec: "x": executable file not found', 'failed'],
  [409, 'transport is closing: unavailable', 'refused'],
])('an engine that goes down with the request counts as away (%i %s)', (statusCode, text, kind) => {
  const error = Object.assign(new Error(`(HTTP code ${statusCode}) server error - ${text} `), { statusCode })
  expect(toEngineError(error, 'start it', choice)).toMatchObject({ kind })
})
