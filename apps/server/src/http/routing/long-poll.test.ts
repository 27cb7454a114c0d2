import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { startHttp } from '../testing/start-http.ts'

const EVENTS = '/api/executions/ex-0000000001/events'

test('events after a number come in order, and `next` asks for those that follow', async () => {
  const { ask, api } = await startHttp()
  for (const type of ['a', 'b', 'c']) api.addEvent(type)
  const first = (await ask(`${EVENTS}?limit=2`)).json()
  expect(first).toMatchObject({ items: [{ type: 'a' }, { type: 'b' }], next: '2', ended: false })
  expect((await ask(`${EVENTS}?after=2`)).json()).toMatchObject({ items: [{ type: 'c' }], next: '3' })
  expect((await ask(`${EVENTS}?after=3`)).json()).toEqual({ items: [], next: '3', ended: false })
})

test('a waiting request ends with the first new event', async () => {
  const { ask, api } = await startHttp()
  const answer = ask(`${EVENTS}?wait=60`)
  await expect.poll(() => api.listeners).toBe(1)
  api.addEvent('news')
  expect((await answer).json()).toMatchObject({ items: [{ type: 'news' }], next: '1' })
  expect(api.listeners).toBe(0)
})

test('a waiting request ends with an empty page when its time is over', async () => {
  const { ask, api, clock } = await startHttp()
  const answer = ask(`${EVENTS}?wait=20`)
  await expect.poll(() => clock.sleepers).toBe(1)
  clock.advance(20_000)
  expect((await answer).json()).toEqual({ items: [], next: '0', ended: false })
  expect([api.listeners, clock.sleepers]).toEqual([0, 0])
})

test('nobody waits for a finished execution', async () => {
  const { ask, api } = await startHttp()
  const waiting = ask(`${EVENTS}?wait=60`)
  await expect.poll(() => api.listeners).toBe(1)
  api.end()
  expect((await waiting).json()).toEqual({ items: [], next: '0', ended: true })
  expect((await ask(`${EVENTS}?wait=60`)).json()).toEqual({ items: [], next: '0', ended: true })
})

test('a client that goes away leaves nothing behind', async () => {
  const { open, api, clock } = await startHttp()
  const request = open(`${EVENTS}?wait=60`)
  request.on('error', () => {})
  await expect.poll(() => clock.sleepers).toBe(1)
  request.destroy()
  await expect.poll(() => [api.listeners, clock.sleepers]).toEqual([0, 0])
})

test('a server that stops answers waiting clients', async () => {
  const { open, api, http } = await startHttp()
  const request = open(`${EVENTS}?wait=60`)
  const answered = once(request, 'response') as Promise<[IncomingMessage]>
  await expect.poll(() => api.listeners).toBe(1)
  const closed = http.close(60_000)
  const [response] = await answered
  response.resume()
  expect(response.statusCode).toBe(200)
  await closed
})
