import { describe, expect, test } from 'vitest'
import { type Asked, askedFor, describeChoice, firstThatAnswers, isChoice, type SocketSeen } from './choose-engine.ts'

const nothing: Asked = { host: null, context: null, problems: [] }
const host = { kind: 'tcp', host: 'example.org', port: 2376, tls: { folder: '/c', needed: [], verify: true } } as const
const socket = (path: string) => ({ kind: 'unix', path }) as const
const context = (from: 'DOCKER_CONTEXT' | 'config', name = 'colima') => ({
  name,
  from,
  endpoint: { address: socket(`/${name}.sock`) },
})
const told = (asked: Partial<Asked>) => {
  const choice = askedFor({ ...nothing, ...asked })
  return choice && describeChoice(choice)
}

describe('the chosen engine', () => {
  test('is DOCKER_HOST before anything else', () => {
    expect(told({ host })).toBe('tcp://example.org:2376: DOCKER_HOST is set')
    expect(told({ host, context: context('DOCKER_CONTEXT') })).toBe(
      'tcp://example.org:2376: DOCKER_HOST is set; DOCKER_CONTEXT is ignored',
    )
  })

  test('is then an engine of config.json, whatever the environment says', () => {
    const choice = askedFor({ ...nothing, host, named: 'box', context: context('DOCKER_CONTEXT') })
    expect(choice && describeChoice(choice)).toBe('tcp://example.org:2376: config.json calls it "box"')
    expect(choice?.change).toBe('correct "engines.box.docker" in config.json')
  })

  test('is then DOCKER_CONTEXT, then the current docker context', () => {
    expect(told({ context: context('DOCKER_CONTEXT') })).toBe('/colima.sock: DOCKER_CONTEXT is colima')
    expect(told({ context: context('config') })).toBe('/colima.sock: the current docker context is colima')
    expect(told({})).toBe(null)
  })

  test('names the file of settings that could not be read', () => {
    expect(told({ host, problems: ['config.json is not used: broken'] })).toMatch(/; config.json is not used: broken$/)
  })

  test.each([
    ['DOCKER_CONTEXT', /does not exist, and DOCKER_CONTEXT is set: correct or unset DOCKER_CONTEXT/],
    ['config', /does not exist, and it is the current one: choose another one with docker context use/],
  ] as const)('is never replaced by another engine if it is not there (%s)', (from, message) => {
    const endpoint = { problem: 'the docker context "gone" does not exist' }
    expect(() => told({ context: { name: 'gone', from, endpoint } })).toThrow(
      expect.objectContaining({ kind: 'refused', message: expect.stringMatching(message) }),
    )
  })

  test('is not the context "default", unless DOCKER_CONTEXT says so', () => {
    expect([isChoice(null, 'config'), isChoice('default', 'config'), isChoice('colima', 'config')]).toEqual([
      false,
      false,
      true,
    ])
    expect([isChoice(null, 'DOCKER_CONTEXT'), isChoice('default', 'DOCKER_CONTEXT')]).toEqual([false, true])
  })

  test('is warned about if others can read or change the traffic', () => {
    const weaker = (asked: Partial<Asked>) => askedFor({ ...nothing, ...asked })?.weaker
    expect(weaker({ host: { ...host, tls: null } })).toEqual([expect.stringMatching(/no TLS.*is root there/)])
    expect(weaker({ host: { ...host, host: '127.0.0.1', tls: null } })).toEqual([])
    expect(weaker({ host: { ...host, tls: { ...host.tls, verify: false } } })).toEqual([
      expect.stringMatching(/certificate of .* is not checked/),
    ])
  })
})

describe('among the usual sockets', () => {
  const seen = (path: string, answer: SocketSeen['answer'], sameAs: string | null = null) => ({ path, answer, sameAs })
  const [first, second, third] = [
    '/var/run/docker.sock',
    '/home/me/.colima/default/docker.sock',
    '/run/podman/podman.sock',
  ]
  const chosen = (sockets: SocketSeen[], problems: string[] = []) => describeChoice(firstThatAnswers(sockets, problems))

  test('the first that answers is taken, and the others are named', () => {
    expect(chosen([seen(first, 'answers'), seen(second, 'answers'), seen(third, 'answers')])).toBe(
      `${first}: the first of the usual sockets that answers; also found: ${second}, ${third}`,
    )
  })

  test('the skipped ones are named with the reason', () => {
    expect(chosen([seen(first, 'does not answer'), seen(second, 'no permission'), seen(third, 'answers')])).toBe(
      `${third}: the first of the usual sockets that answers; ${first} does not answer; ${second} may not be used by this user`,
    )
  })

  test('a second name of the same socket is not named', () => {
    expect(chosen([seen(first, 'answers'), seen(second, 'answers', first)])).toBe(
      `${first}: the first of the usual sockets that answers`,
    )
  })

  const refusal = (sockets: SocketSeen[], problems: string[] = []) => {
    try {
      return chosen(sockets, problems)
    } catch (error) {
      expect(error).toMatchObject({ kind: 'unreachable' })
      return (error as Error).message
    }
  }

  test('if there is none, the error says how to start one', () => {
    expect(refusal([])).toBe(
      'no container engine answers: none of the usual sockets is there. Start Docker (sudo systemctl start docker), or set DOCKER_HOST to where an engine listens',
    )
  })

  test('if none answers, the error says how to start the existing one', () => {
    expect(refusal([seen(second, 'does not answer')], ['config.json is not used: broken'])).toBe(
      `no container engine answers: ${second} does not answer; config.json is not used: broken. Start colima (colima start), or set DOCKER_HOST to where an engine listens`,
    )
  })

  test('if this user may not use any, the error says how to allow it', () => {
    expect(refusal([seen(first, 'no permission')])).toMatch(
      /docker.sock may not be used by this user\. Add your user to the group.*usermod/,
    )
  })
})
