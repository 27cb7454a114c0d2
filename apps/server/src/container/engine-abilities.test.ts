import type { RequestListener } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { DockerClient } from './docker-client.ts'
import { unusableFor } from './engine-abilities.ts'
import { healthOf, readFacts, whereIs } from './engine-info.ts'
import { fakeDaemon, type FakeDaemon } from './testing/fake-daemon.ts'

const NOW = Date.parse('2030-01-01T12:00:00Z')
const here = { shares: true, why: 'the engine runs on this machine' } as const
const elsewhere = { shares: false, why: 'OrbStack runs its engine in a virtual machine' } as const

let daemon: FakeDaemon | null = null
afterEach(() => daemon?.close())

type Engine = { info?: object; api?: string; exec?: [status: number, body: object | string]; count?: string[] }

/** `now`: the readings of the server's clock, one after the other. */
async function askedOf({ info = {}, api = '1.41', exec, count = [] }: Engine, now = [NOW]) {
  const [status, body] = exec ?? [404, { message: 'No such exec instance: x' }]
  const answer: RequestListener = ({ url = '' }, response) => {
    count.push(url.replace(/\?$/, ''))
    const isExec = url.startsWith('/exec/')
    response.writeHead(isExec ? status : 200, { 'content-type': 'application/json' })
    const known = { NCPU: 2, MemTotal: 2 ** 33, ServerVersion: '20.10', LiveRestoreEnabled: true, ...info }
    const said = isExec ? body : url.startsWith('/version') ? { ApiVersion: api } : known
    response.end(typeof said === 'string' ? said : JSON.stringify(said))
  }
  daemon = await fakeDaemon(answer)
  let at = 0
  const clock = { ...systemClock, now: () => now[Math.min(at++, now.length - 1)] ?? NOW }
  const client = new DockerClient({ dockerHost: daemon.dockerHost, clock })
  const facts = await readFacts(client)
  return { facts, client, health: healthOf(facts, [], whereIs(client)) }
}

describe('an engine', () => {
  test('that is new enough and has exec is usable, and health says where it is', async () => {
    const { health, facts } = await askedOf({ info: { SystemTime: new Date(NOW).toISOString() } })
    expect(health).toMatchObject({ ok: true, where: expect.stringMatching(/docker\.sock: DOCKER_HOST is set$/) })
    expect(facts.abilities).toEqual({ api: '1.41', exec: true })
    expect(facts.weaker.filter((line) => line.includes('clock'))).toEqual([])
    expect(facts.weaker.filter((line) => line.includes('exec'))).toEqual([])
  })

  test('that may be on another machine says how agents are reached, or what a missing exec means', async () => {
    const { health } = await askedOf({})
    expect(health.text).toMatch(/^Docker 20\.10, 2 CPUs, 8 GiB; agents are reached through its exec, because /)
    const { facts } = await askedOf({ exec: [403, {}] })
    expect(healthOf({ ...facts, sharesHost: here, unusable: null }, [], null)).toMatchObject({
      ok: true,
      text: 'Docker 20.10, 2 CPUs, 8 GiB',
      weaker: expect.arrayContaining([expect.stringMatching(/^no exec: /)]),
    })
  })

  test('that is too old is refused with its version and the required one', async () => {
    const { health } = await askedOf({ api: '1.40', info: { ServerVersion: '19.03' } })
    expect(health).toMatchObject({
      ok: false,
      text: expect.stringMatching(/^Docker 19\.03 is too old .*1\.40.*20\.10/),
    })
  })

  test.each<[string, Engine['exec'], boolean]>([
    ['knows no such page', [404, { message: 'page not found' }], false],
    ['is behind a proxy that forbids it', [403, '<html><body>Forbidden</body></html>'], false],
    ['is behind a proxy that does not know it', [501, {}], false],
    ['knows no such program', [404, { message: 'No such exec instance: x' }], true],
    ['knows no such program (Podman)', [404, { cause: 'no such exec session', message: 'no such exec session' }], true],
    ['has trouble of its own', [500, { message: 'not today' }], true],
  ])('that %s has exec or not', async (_, exec, has) => {
    expect((await askedOf({ exec })).facts.abilities.exec).toBe(has)
  })

  test('is asked for its abilities once, and again when it has another version', async () => {
    const count: string[] = []
    const { client, facts } = await askedOf({ count })
    await readFacts(client, { known: facts })
    expect(count).toEqual(['/info', '/version', '/exec/beadloom-asks/json', '/info'])
    await readFacts(client, { known: { ...facts, version: '19.03' } })
    expect(count.slice(4)).toEqual(['/info', '/version', '/exec/beadloom-asks/json'])
  })

  test.each([
    [90, [NOW], /Docker's clock is 90 s ahead of the server's/],
    [-90, [NOW], /Docker's clock is 90 s behind the server's/],
    [4, [NOW], null],
    // A slow answer: the time in it was right when it was written.
    [0, [NOW, NOW + 14_000], null],
    [14, [NOW, NOW + 14_000], null],
    [20, [NOW, NOW + 14_000], /6 s ahead/],
  ])('whose clock is off by %i s is told so, however long its answer took', async (seconds, now, said) => {
    const { facts } = await askedOf({ info: { SystemTime: new Date(NOW + seconds * 1000).toISOString() } }, now)
    const lines = facts.weaker.filter((line) => line.includes('clock'))
    expect(lines).toEqual(said === null ? [] : [expect.stringMatching(said)])
  })
})

test('without exec an engine is usable on this machine alone', () => {
  expect(unusableFor({ api: '1.41', exec: false }, 'Docker 28', here)).toBe(null)
  expect(unusableFor({ api: '1.41', exec: false }, 'Docker 28', elsewhere)).toMatch(/^Docker 28 has no exec.*OrbStack/)
})

test.each([
  ['1.41', true],
  ['1.51', true],
  ['2.0', true],
  ['1.9', false],
  [null, true],
])('an API of version %s is new enough or not', (api, enough) => {
  expect(unusableFor({ api, exec: true }, 'Docker', here) === null).toBe(enough)
})
