import { describe, expect, test } from 'vitest'
import { nameOf, parseAddress, type Tls } from './address.ts'

const tls: Tls = { folder: '/certs', needed: ['ca.pem'], verify: true }
const parse = (text: string, secure: Tls | null = null) => parseAddress(text, 'DOCKER_HOST', secure)

describe("an engine's address", () => {
  test.each([
    ['unix:///run/x.sock', { kind: 'unix', path: '/run/x.sock' }],
    ['unix://', { kind: 'unix', path: '/var/run/docker.sock' }],
    [' /run/x.sock ', { kind: 'unix', path: '/run/x.sock' }],
    ['tcp://example.org', { kind: 'tcp', host: 'example.org', port: 2375, tls: null }],
    ['example.org:80', { kind: 'tcp', host: 'example.org', port: 80, tls: null }],
    ['http://example.org:80', { kind: 'tcp', host: 'example.org', port: 80, tls: null }],
    ['http://example.org', { kind: 'tcp', host: 'example.org', port: 2375, tls: null }],
    ['tcp://[::1]:2376', { kind: 'tcp', host: '::1', port: 2376, tls: null }],
    [
      'https://example.org',
      { kind: 'tcp', host: 'example.org', port: 2376, tls: { folder: null, needed: [], verify: true } },
    ],
    ['ssh://example.org', { kind: 'ssh', host: 'example.org', user: null, port: null, socket: null }],
    ['ssh://me@example.org:2222', { kind: 'ssh', host: 'example.org', user: 'me', port: 2222, socket: null }],
    [
      'ssh://me@[::1]/run/user/1000/docker.sock',
      { kind: 'ssh', host: '::1', user: 'me', port: null, socket: '/run/user/1000/docker.sock' },
    ],
  ])('is read from %s', (text, address) => {
    expect(parse(text)).toEqual(address)
  })

  test('by tcp has TLS, and its port, if certificates are given', () => {
    expect(parse('tcp://example.org', tls)).toEqual({ kind: 'tcp', host: 'example.org', port: 2376, tls })
    expect(parse('http://example.org', tls)).toMatchObject({ port: 2375, tls: null })
    expect(parse('ssh://example.org', tls)).toMatchObject({ kind: 'ssh' })
  })

  test.each(['tcp://[::1]:2376', 'ssh://me@example.org:22/run/docker.sock', 'ssh://example.org', '/run/x.sock'])(
    'is shown as it could be typed: %s',
    (text) => expect(nameOf(parse(text))).toBe(text),
  )

  test.each([
    ['nonsense://', /DOCKER_HOST cannot be "nonsense:\/\/": use unix:.*tcp:.*ssh:/],
    ['unix://run/x.sock', /the whole path/],
    ['npipe:////./pipe/docker_engine', /pipes of Windows.*WSL 2/],
    ['ssh://', /use unix:/],
    ['ssh://me:secret@example.org', /a password is not taken/],
    ['ssh://example.org?a=b', /nothing may follow/],
    ['ssh://example.org#a', /nothing may follow/],
  ])('%s is refused with what to do', (text, message) => {
    expect(() => parse(text)).toThrow(
      expect.objectContaining({ kind: 'refused', message: expect.stringMatching(message) }),
    )
  })

  test('a password in it is not repeated', () => {
    expect(() => parse('ssh://me:secret@example.org')).toThrow(/^(?!.*secret)/)
  })
})

describe('an address by ssh turns nothing into an option or a command', () => {
  test.each([
    'ssh://-oProxyCommand=touch%20x',
    'ssh://-oProxyCommand=x/run/docker.sock',
    'ssh://me@-F',
    'ssh://-lroot@example.org',
    'ssh://%2DoProxyCommand=x@example.org',
    'ssh://me%20you@example.org',
    'ssh://me%0A@example.org',
    'ssh://%zz@example.org',
    'ssh://exa%2Fmple.org',
    'ssh://example.org/run/$(id).sock',
    'ssh://example.org/run/a;b',
    'ssh://example.org/run/a%20b',
    "ssh://example.org/run/'a'",
  ])('%s', (text) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ kind: 'refused' }))
  })
})
