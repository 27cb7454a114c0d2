import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { PROTOCOL } from '@beadloom/core/api/stream/protocol.ts'
import type { Standing } from '@beadloom/core/access/standing.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { DEMO } from './testing/memory-board.ts'
import { startStream } from './testing/start-stream.ts'
import { topics } from './topic.ts'

const OTHER = 'other' as typeof DEMO
const execution = 'ex-0000000001'
const session = `${execution}.1` as SessionId

/** The projects demo and other have roles of their own; for all others, the server's role applies. */
const standing = (role: Standing['role'], demo: Standing['role'], other: Standing['role']): Standing => ({
  role,
  own: new Map([
    [DEMO, demo],
    [OTHER, other],
  ]),
})
const persons: Record<string, Standing> = {
  'viewer elsewhere': standing(null, null, 'viewer'),
  'viewer of the server': standing('viewer', null, null),
  'viewer here': standing(null, 'viewer', null),
  'runner here': standing(null, 'runner', null),
  admin: standing('admin', null, null),
}
const seesDemo = ['viewer here', 'runner here', 'admin']

/** Each topic, and how much of demo it shows. A new kind of topic needs its line. */
const shown: Record<string, { topic: string; ofDemo: RegExp }> = {
  home: { topic: 'home', ofDemo: /"id":"demo"/ },
  board: { topic: `board:${DEMO}`, ofDemo: /"title":"A bead"/ },
  log: { topic: `log:${session}`, ofDemo: /has no log/ },
}

async function start() {
  const admit = ({ headers }: IncomingMessage) => {
    const who = String(headers['x-who'])
    return { kind: 'admitted', who, standing: persons[who] ?? standing(null, null, null) } as const
  }
  const { board, open } = await startStream({ admit })
  board.putProject(DEMO)
  board.putProject(OTHER)
  board.putBead('bl-1', 'A bead')
  board.putExecution(execution, 'bl-1')
  board.sessions.set(session, 'ended')
  const as = async (who: string) => {
    const client = open({ headers: { 'x-who': who } })
    await once(client.socket, 'open')
    client.send({ type: 'hello', proto: PROTOCOL })
    return client
  }
  return { board, as }
}

test('each kind of topic has its line here', () => {
  expect(Object.keys(shown).toSorted()).toEqual(Object.keys(topics).toSorted())
})

test.each(Object.keys(persons).flatMap((who) => Object.keys(topics).map((kind) => [who, kind] as const)))(
  '%s sees of %s only what they may, and hidden things look as if they did not exist',
  async (who, kind) => {
    const { as } = await start()
    const { topic = '', ofDemo = /./ } = shown[kind] ?? {}
    const client = await as(who)
    client.sub(1, topic)
    await client.until(() => client.frames.some((frame) => 'ch' in frame && frame.ch === 1))
    const text = JSON.stringify(client.frames.filter((frame) => 'ch' in frame))
    expect(ofDemo.test(text)).toBe(seesDemo.includes(who))
    if (!seesDemo.includes(who) && kind !== 'home') expect(text).toMatch(/"type":"expired".*not found/)
  },
)

test('news of a hidden project reach nobody who cannot see it', async () => {
  const { board, as } = await start()
  const client = await as('viewer elsewhere')
  client.sub(1, 'home')
  await client.until(() => client.of('snapshot').length === 1)
  board.putProject(DEMO)
  board.removeProject(DEMO)
  board.putProject(OTHER)
  await client.until(() => client.of('delta').length > 0)
  const text = JSON.stringify(client.frames)
  expect(text).toContain('"id":"other"')
  expect(text).not.toContain('demo')
})
