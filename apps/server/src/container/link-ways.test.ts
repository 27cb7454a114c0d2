import { afterEach, beforeEach, expect, test } from 'vitest'
import { EngineError } from '../ports/engine.ts'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { DockerClient } from './docker-client.ts'
import { readFacts, type EngineFacts } from './engine-info.ts'
import { LinkWays } from './link-ways.ts'
import { fakeDaemon, type FakeDaemon } from './testing/fake-daemon.ts'

const unseen = new EngineError('refused', 'invalid mount config for type "bind": bind source path does not exist: /x')

let daemon: FakeDaemon
let client: DockerClient
/** The facts that an engine of this machine reports. */
let facts: EngineFacts
let looks = 0
beforeEach(async () => {
  looks = 0
  const mounts: Record<string, object[]> = { old: [{ Destination: '/run/beadloom' }], other: [{ Destination: '/x' }] }
  daemon = await fakeDaemon((request, response) => {
    const [, name] = /^\/containers\/(\w+)\/json/.exec(request.url ?? '') ?? []
    if (name) looks += 1
    const found = name ? mounts[name] && { Mounts: mounts[name] } : { NCPU: 2, MemTotal: 1, ApiVersion: '1.41' }
    response.writeHead(found ? 200 : 404).end(JSON.stringify(found ?? { message: 'No such container' }))
  })
  client = new DockerClient({ dockerHost: daemon.dockerHost, clock: new HandClock() })
  facts = { ...(await readFacts(client)), sharesHost: { shares: true, why: 'it is here' } }
})
afterEach(() => daemon.close())

test('a container is reached in the way that it was made for, and looked at once', async () => {
  const ways = new LinkWays(client)
  expect(await ways.of(null, facts)).toBe('socket')
  expect(await ways.of('old', facts)).toBe('socket')
  expect(await ways.of('old', facts)).toBe('socket')
  expect(await ways.of('other', facts)).toBe('exec')
  expect(await ways.of('gone', facts)).toBe('socket')
  expect(looks).toBe(3)
})

test('one that this server has made with a folder is not looked at', async () => {
  const ways = new LinkWays(client)
  ways.mounted('other')
  expect(await ways.of('other', facts)).toBe('socket')
  expect(looks).toBe(0)
})

test('an engine that could not mount a folder counts as one of another machine from then on, with the reason', async () => {
  const ways = new LinkWays(client)
  expect(ways.corrected(facts)).toBe(facts)
  expect(ways.isUnseen(new EngineError('refused', 'no such image'), facts)).toBe(false)
  expect(ways.corrected(facts)).toBe(facts)
  expect(ways.isUnseen(unseen, facts)).toBe(true)
  const corrected = ways.corrected(facts)
  expect(corrected.sharesHost).toEqual({ shares: false, why: "the engine does not see this machine's folders" })
  expect(await ways.of(null, corrected)).toBe('exec')
})

test('without exec there is no other way, and the error is reported', () => {
  const ways = new LinkWays(client)
  expect(ways.isUnseen(unseen, { ...facts, abilities: { api: '1.41', exec: false } })).toBe(false)
  expect(ways.corrected(facts)).toBe(facts)
})
