import type { ServerFrame } from '@beadloom/core/api/stream/protocol.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { expect, test } from 'vitest'
import { DEMO } from './testing/memory-board.ts'
import { startStream } from './testing/start-stream.ts'
import { BoardFold } from './testing/stream-client.ts'
import { longTest } from '@beadloom/core/testing/long-test.ts'

const BOARD = `board:${DEMO}`

async function startBoard() {
  const world = await startStream()
  world.board.putProject(DEMO)
  world.board.putBead('bl-1', 'one')
  world.board.putBead('bl-2', 'two')
  return world
}

const foldOf = (frames: ServerFrame[], fold = new BoardFold()) => {
  for (const frame of frames) fold.apply(frame)
  return fold
}

test('a client that holds nothing gets a snapshot, then changes', async () => {
  const { board, connect } = await startBoard()
  const client = await connect()
  client.sub(5, BOARD)
  await client.until(() => client.of('snapshot').length === 1)
  expect(client.of('snapshot')).toMatchObject([
    { ch: 5, epoch: 'epoch-1', seq: board.seq(), ops: [{ value: { id: 'bl-1' } }, { value: { id: 'bl-2' } }] },
  ])
  const seq = board.putBead('bl-2', 'two, better')
  await client.until(() => client.of('delta').length === 1)
  expect(client.of('delta')).toEqual([
    { type: 'delta', ch: 5, seq, ops: [{ op: 'put', kind: 'bead', value: { id: 'bl-2', title: 'two, better' } }] },
  ])
})

test('the same epoch and a kept number: only later changes', async () => {
  const { board, connect } = await startBoard()
  const seq = board.seq()
  board.putBead('bl-2', 'two, better')
  board.removeBead('bl-1')
  const client = await connect()
  client.sub(1, BOARD, seq, 'epoch-1')
  await client.until(() => client.of('delta').length === 1)
  expect(client.of('snapshot')).toEqual([])
  expect(client.of('delta')[0]).toMatchObject({
    seq: board.seq(),
    ops: [
      { op: 'put', value: { id: 'bl-2' } },
      { op: 'remove', kind: 'bead', id: 'bl-1' },
    ],
  })
})

test.each([
  ['another epoch', 'epoch-0', 0],
  ['no epoch', undefined, 0],
  ['a number of the future', 'epoch-1', +1],
])('%s: a snapshot that replaces everything', async (_, epoch, ahead) => {
  const { board, connect } = await startBoard()
  const client = await connect()
  client.sub(1, BOARD, board.seq() + ahead, epoch)
  await client.until(() => client.of('snapshot').length === 1)
  expect(client.frames.filter(({ type }) => type === 'delta')).toEqual([])
})

test('a number that is no longer kept: a snapshot, at the start and in the middle', async () => {
  const { board, connect } = await startBoard()
  const old = board.seq()
  board.putBead('bl-1', 'changed')
  board.forget()
  const client = await connect()
  client.sub(1, BOARD, old, 'epoch-1')
  await client.until(() => client.of('snapshot').length === 1)
  await client.caughtUp()
  expect(foldOf(client.frames).things.get('bead bl-1')).toMatchObject({ title: 'changed' })
})

test('changes outside a topic send nothing, and deltas are never empty', async () => {
  const { board, connect } = await startBoard()
  const client = await connect()
  client.sub(1, BOARD)
  client.sub(2, 'home')
  await client.until(() => client.of('snapshot').length === 2)
  board.putBead('bl-3', 'for the board')
  board.putProject(parseProjectId('other'))
  await client.until(() => client.of('delta').length === 2)
  board.putBead('bl-3', 'for the board again')
  await client.until(() => client.of('delta').length === 3)
  await client.caughtUp()
  expect(client.of('delta').map(({ ch, ops }) => [ch, ops.map(({ kind }) => kind)])).toEqual(
    expect.arrayContaining([
      [1, ['bead']],
      [2, ['project']],
      [1, ['bead']],
    ]),
  )
})

test("an execution brings its bead's card along, because the card names it", async () => {
  const { board, connect } = await startBoard()
  const client = await connect()
  client.sub(1, BOARD)
  await client.until(() => client.of('snapshot').length === 1)
  board.putExecution('ex-0000000001', 'bl-1')
  await client.until(() => client.of('delta').length === 1)
  expect(client.of('delta')[0]?.ops).toMatchObject([
    { kind: 'execution', value: { id: 'ex-0000000001' } },
    { kind: 'bead', value: { id: 'bl-1' } },
  ])
})

test('a removed project ends its board', async () => {
  const { board, connect, stream } = await startBoard()
  const client = await connect()
  client.sub(1, BOARD)
  client.sub(2, 'home')
  await client.until(() => client.of('snapshot').length === 2)
  board.removeProject(DEMO)
  await client.until(() => client.of('expired').length === 1 && client.of('delta').length === 1)
  expect(client.of('delta')[0]).toMatchObject({ ch: 2, ops: [{ op: 'remove', kind: 'project', id: DEMO }] })
  expect(stream.counts().channels).toBe(1)
})

test('changes that come close together travel together', async () => {
  const { board, connect } = await startBoard()
  const client = await connect()
  client.sub(1, BOARD)
  await client.until(() => client.of('snapshot').length === 1)
  for (let n = 0; n < 150; n++) board.putBead(`bl-${n % 10}`, `title ${n}`)
  await client.until(() => foldOf(client.frames).seq === board.seq())
  expect(client.of('delta').length).toBeLessThan(20)
  expect(client.of('delta')[0]?.ops.length).toBe(10)
})

test('many clients of one board cost one drawing', async () => {
  const { board, connect } = await startBoard()
  const clients = await Promise.all(Array.from({ length: 10 }, connect))
  for (const client of clients) client.sub(1, BOARD)
  await Promise.all(clients.map((client) => client.until(() => client.of('snapshot').length === 1)))
  board.drawn = 0
  board.putBead('bl-1', 'changed')
  await Promise.all(clients.map((client) => client.until(() => client.of('delta').length === 1)))
  expect(board.drawn).toBe(1)
})

test('a big board comes in parts, and half of it never passes for the whole', async () => {
  const { board, connect } = await startBoard()
  for (let n = 0; n < 3000; n++) board.putBead(`bl-${n}`, `title ${n}`)
  const client = await connect()
  client.sub(1, BOARD)
  await client.until(() => foldOf(client.frames).seq === board.seq())
  expect(client.frames.length).toBeGreaterThan(5)
  expect(foldOf(client.frames).things.size).toBe(3000)

  const half = foldOf(client.frames.slice(0, 3))
  expect(half.things.size).toBeLessThan(3000)
  const again = await connect()
  again.sub(1, BOARD, half.seq, half.epoch)
  await again.until(() => foldOf(again.frames).seq === board.seq())
  expect(foldOf(again.frames, half).things).toEqual(foldOf(client.frames).things)
})

longTest('50 drops at random moments while the board changes: the fold is the board', async () => {
  const { board, connect, open } = await startBoard()
  let dice = 7
  const random = (below: number) => (dice = (dice * 48271) % 2147483647) % below
  const fold = new BoardFold()
  for (let drop = 0; drop < 50; drop++) {
    const client = await connect()
    client.sub(1, BOARD, fold.seq, fold.epoch)
    for (let n = random(8); n >= 0; n--) {
      if (random(4) === 0) board.removeBead(`bl-${random(30)}`)
      else board.putBead(`bl-${random(30)}`, `title ${drop} ${n}`)
      if (random(2) === 0) await client.caughtUp()
    }
    client.socket.terminate()
    foldOf(client.frames, fold)
  }
  const last = await open().greeted()
  last.sub(1, BOARD, fold.seq, fold.epoch)
  await last.until(() => foldOf(last.frames, Object.assign(new BoardFold(), { seq: fold.seq })).seq === board.seq())
  foldOf(last.frames, fold)

  const fresh = await connect()
  fresh.sub(1, BOARD)
  await fresh.until(() => fresh.of('snapshot').length === 1)
  expect(new Map([...fold.things].toSorted())).toEqual(new Map([...foldOf(fresh.frames).things].toSorted()))
})
