import { expect, test } from 'vitest'
import { isLostReply } from '../docker-error.ts'
import { sshError } from './ssh-error.ts'
import { sshArguments, sshEnvironment } from './ssh-stream.ts'

const address = { kind: 'ssh', host: 'example.org', user: 'me', port: 2222, socket: null } as const
const errorOf = (stderr: string, code: number | null = 255, signal: string | null = null) =>
  sshError(address, { code, signal, stderr })

test.each([
  [
    'No ED25519 host key is known for example.org\nHost key verification failed.\r\n',
    /host key of ssh:.*is not known.*ssh -p 2222 me@example.org/,
  ],
  [
    'me@example.org: Permission denied (publickey,password).\r\n',
    /refused the ssh key.*never types a password.*BatchMode=yes -p 2222 me@example.org/,
  ],
  ['ssh: connect to host example.org port 2222: Connection refused\r\n', /cannot be reached by ssh/],
  ['ssh: Could not resolve hostname example.org: Name or service not known\r\n', /cannot be reached by ssh/],
])('ssh that never got there (%j) says what to do', (stderr, message) => {
  expect(errorOf(stderr)).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(message) })
  expect(isLostReply(errorOf(stderr))).toBe(false)
})

test.each([
  ['bash: line 1: docker: command not found\n', 127, /no docker command on ssh:/],
  ["docker: 'dial-stdio' is not a docker command.\n", 1, /docker command of ssh:.* is too old/],
  [
    'Got permission denied while trying to connect to the Docker daemon socket\n',
    1,
    /may not use Docker on ssh:.*usermod/,
  ],
  [
    'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?\n',
    1,
    /Docker does not answer on ssh:/,
  ],
  [
    'failed to open the raw stream connection: dial unix /x/docker.sock: connect: connection refused\n',
    1,
    /Docker does not answer on ssh:/,
  ],
  [
    'failed to open the raw stream connection: dial unix /x/docker.sock: connect: no such file or directory\n',
    1,
    /Docker does not answer on ssh:/,
  ],
  [
    'failed to open the raw stream connection: dial unix /x/docker.sock: connect: permission denied\n',
    1,
    /may not use Docker on ssh:.*usermod/,
  ],
  [
    'Timeout, server example.org not responding.\r\n',
    255,
    /connection to ssh:.* ended \(exit code 255\) \(ssh: Timeout/,
  ],
])('ssh that got there and ended (%j) may have left the engine with a request', (stderr, code, message) => {
  expect(errorOf(stderr, code)).toMatchObject({ kind: 'unreachable', message: expect.stringMatching(message) })
  expect(isLostReply(errorOf(stderr, code))).toBe(true)
})

test('a signal is named, and so is silence', () => {
  expect(errorOf('', null, 'SIGKILL').message).toBe(
    'the connection to ssh://me@example.org:2222 by ssh ended (SIGKILL)',
  )
})

test("a far machine's words are cut", () => {
  expect(errorOf(`${'x'.repeat(5_000)}\n`).message.length).toBeLessThan(500)
})

test('ssh is called as the docker command does it, and may not ask questions', () => {
  const words = sshArguments({ ...address, socket: '/run/user/7/docker.sock' })
  expect(words).toContain('BatchMode=yes')
  expect(words.slice(words.indexOf('-p')).join(' ')).toBe(
    '-p 2222 -l me -- example.org docker --host=unix:///run/user/7/docker.sock system dial-stdio',
  )
})

test('ssh has the environment of the user, without the keys of models', () => {
  expect(sshEnvironment({ PATH: '/bin', SSH_AUTH_SOCK: '/s', OPENAI_API_KEY: 'secret' })).toEqual({
    PATH: '/bin',
    SSH_AUTH_SOCK: '/s',
    LC_ALL: 'C',
  })
})
