import { expect, test } from 'vitest'
import { drawWish, readFacts, type Facts, type Wish } from './draw.ts'
import { DrawingClient, type WorkerLike } from './drawing-client.ts'
import type { Asked, Drawn } from './drawing-worker.ts'

const all: Wish = { focus: null, opened: [], ended: false, chain: false, all: false }

const factsOf = (number: number, ids: string): Facts => ({
  number,
  beads: [...ids].map((id) => ({ id, status: 'open', trackerStatus: 'open', priority: 2 })),
  edges: Array.from(ids.slice(1), (id, at) => ({ bead: id, on: ids[at] ?? '', type: 'blocks' })),
})

/** Answers as the real worker does, but only when a test says so. */
class HandWorker implements WorkerLike {
  onmessage: Worker['onmessage'] = null
  onerror: Worker['onerror'] = null
  asked: Asked[] = []
  ended = false
  #read: ReturnType<typeof readFacts> | null = null
  postMessage(asked: Asked) {
    this.asked.push(asked)
  }
  terminate() {
    this.ended = true
  }
  answer(at: number) {
    const { id, facts, wish } = this.asked[at] as Asked
    if (facts !== null) this.#read = readFacts(facts)
    const { graph, known } = this.#read as ReturnType<typeof readFacts>
    const data: Drawn = { id, known: facts === null ? null : known, picture: drawWish(graph, known, wish) }
    this.onmessage?.call(this as unknown as Worker, new MessageEvent('message', { data: structuredClone(data) }))
  }
  fail() {
    this.onerror?.call(this as unknown as Worker, new Event('error') as ErrorEvent)
  }
}

function hand() {
  const workers: HandWorker[] = []
  const waits: { run: () => void; stopped: boolean }[] = []
  const client = new DrawingClient(
    () => {
      workers.push(new HandWorker())
      return workers.at(-1) as HandWorker
    },
    (_, run) => {
      const wait = { run, stopped: false }
      waits.push(wait)
      return () => void (wait.stopped = true)
    },
  )
  return { client, workers, waits }
}

test('derived data of the beads is computed once for all pictures of them', async () => {
  const { client, workers } = hand()
  const facts = factsOf(1, 'abc')
  const first = client.ask(facts, all)
  const second = client.ask(facts, { ...all, focus: 'b' })
  const [worker] = workers
  worker?.answer(0)
  worker?.answer(1)
  expect(worker?.asked.map(({ facts: told }) => told?.number ?? null)).toEqual([1, null])
  expect((await first).known.longest).toEqual(['a', 'b', 'c'])
  expect((await second).known).toBe((await first).known)
  expect((await second).picture.focus).toBe('b')
})

test('an answer belongs to the beads of its question, even if others were asked about meanwhile', async () => {
  const { client, workers } = hand()
  const asked = [
    client.ask(factsOf(1, 'ab'), all),
    client.ask(factsOf(2, 'xyz'), all),
    client.ask(factsOf(1, 'ab'), all),
  ]
  for (const at of [0, 1, 2]) workers[0]?.answer(at)
  const chains = (await Promise.all(asked)).map(({ known }) => known.longest.join(''))
  expect(chains).toEqual(['ab', 'xyz', 'ab'])
})

test('an idle worker is ended, and the next question starts one that gets everything again', async () => {
  const { client, workers, waits } = hand()
  const facts = factsOf(1, 'ab')
  const first = client.ask(facts, all)
  workers[0]?.answer(0)
  await first
  const second = client.ask(facts, { ...all, ended: true })
  expect(waits.map(({ stopped }) => stopped)).toEqual([true])
  workers[0]?.answer(1)
  await second
  waits.at(-1)?.run()
  expect(workers[0]?.ended).toBe(true)
  const third = client.ask(facts, { ...all, chain: true })
  expect(workers[1]?.asked[0]?.facts).toEqual(facts)
  workers[1]?.answer(0)
  expect((await third).picture.chain).toEqual(['a', 'b'])
})

test('a worker that fails fails its questions, and is replaced', async () => {
  const { client, workers } = hand()
  const lost = client.ask(factsOf(1, 'ab'), all)
  workers[0]?.fail()
  await expect(lost).rejects.toThrow('Reload the page')
  expect(workers[0]?.ended).toBe(true)
  const found = client.ask(factsOf(1, 'ab'), all)
  workers[1]?.answer(0)
  expect((await found).picture.placed.at.size).toBe(2)
})

test('the same beads with the same edges have the same shape, whatever their states', () => {
  const shapeOf = (facts: Facts, wish: Wish = all) => {
    const { graph, known } = readFacts(facts)
    return drawWish(graph, known, wish).shape
  }
  const facts = factsOf(1, 'abc')
  const changed = facts.beads.map((bead) => (bead.id === 'b' ? { ...bead, status: 'blocked' as const } : bead))
  expect(shapeOf({ ...facts, beads: changed })).toBe(shapeOf(facts))
  expect(shapeOf({ ...facts, edges: facts.edges.slice(1) })).not.toBe(shapeOf(facts))
})

test('a missing bead is not looked at, and the longest chain is there only on request', () => {
  const { graph, known } = readFacts(factsOf(1, 'abc'))
  expect(drawWish(graph, known, { ...all, focus: 'nobody' })).toMatchObject({ focus: null, chain: null, first: 'a' })
})
