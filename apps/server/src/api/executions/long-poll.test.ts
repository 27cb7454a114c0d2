import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { EXECUTION } from '../../compose/testing/api-world.ts'
import { startHttp } from '../../compose/testing/start-http.ts'
import { pipelineOrder } from '../../ports/store/executions.ts'

/** A server, and the address of the events after those of the beginning. */
async function start() {
  const started = await startHttp()
  const { store, listeners } = started.api
  const last = store.eventPart(EXECUTION, 0, { most: 100, characters: 10_000 }).rows.at(-1)?.seq ?? 0
  const events = (after = last) => `/api/executions/${EXECUTION}/events?after=${after}`
  const addEvent = (type: string) => store.addEvent(EXECUTION, null, type, {})
  const end = () => {
    store.endExecution(EXECUTION, { state: 'CANCELLED', detail: '' })
    for (const step of pipelineOrder) store.pipelineDone(EXECUTION, step)
  }
  return { ...started, last, events, addEvent, end, listeners }
}

test('events after a number come in order, and `next` asks for those that follow', async () => {
  const { ask, addEvent, events } = await start()
  for (const type of ['a', 'b', 'c']) addEvent(type)
  const first = (await ask(`${events()}&limit=2`)).json() as { next: string }
  expect(first).toMatchObject({ items: [{ type: 'a' }, { type: 'b' }], ended: false })
  const second = (await ask(events(Number(first.next)))).json() as { next: string }
  expect(second).toMatchObject({ items: [{ type: 'c' }] })
  expect((await ask(events(Number(second.next)))).json()).toEqual({ items: [], next: second.next, ended: false })
})

test('a waiting request ends with the first new event', async () => {
  const { ask, addEvent, events, listeners } = await start()
  const answer = ask(`${events()}&wait=60`)
  await expect.poll(listeners).toBe(1)
  addEvent('news')
  expect((await answer).json()).toMatchObject({ items: [{ type: 'news' }] })
  expect(listeners()).toBe(0)
})

test('a waiting request ends with an empty page when its time is over', async () => {
  const { ask, clock, events, last, listeners } = await start()
  const answer = ask(`${events()}&wait=20`)
  await expect.poll(() => clock.sleepers).toBe(1)
  clock.advance(20_000)
  expect((await answer).json()).toEqual({ items: [], next: String(last), ended: false })
  expect([listeners(), clock.sleepers]).toEqual([0, 0])
})

test('nobody waits for a finished execution', async () => {
  const { ask, end, events, listeners } = await start()
  const waiting = ask(`${events()}&wait=60`)
  await expect.poll(listeners).toBe(1)
  end()
  const { next } = (await waiting).json() as { next: string }
  expect((await ask(`${events(Number(next))}&wait=60`)).json()).toEqual({ items: [], next, ended: true })
})

test('a client that goes away leaves nothing behind', async () => {
  const { open, clock, events, listeners } = await start()
  const request = open(`${events()}&wait=60`)
  request.on('error', () => {})
  await expect.poll(() => clock.sleepers).toBe(1)
  request.destroy()
  await expect.poll(() => [listeners(), clock.sleepers]).toEqual([0, 0])
})

test('a server that stops answers waiting clients', async () => {
  const { open, http, events, listeners } = await start()
  const request = open(`${events()}&wait=60`)
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  await expect.poll(listeners).toBe(1)
  const closed = http.close(60_000)
  const [response] = await answered
  response.resume()
  expect(response.statusCode).toBe(200)
  await closed
})
