import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { askForSession } from './ask-for-session.ts'
import { NoLink } from '../ends/no-link.ts'
import { systemClock } from '../process/clock.ts'

const order = {
  session: 'ex-0123456789.1',
  execution: 'ex-0123456789',
  workspace: '/workspace',
  git: { url: 'http://x', branch: 'b', commit: 'c', author: { name: 'n', email: 'e' } },
  work: { kind: 'verify', steps: [{ type: 'test', name: 'test', command: 'true', timeoutMs: 1000 }] },
}

type Answer = (response: ServerResponse) => void
const ok: Answer = (response) => response.end(JSON.stringify(order))
const later: Answer = (response) => response.writeHead(204).end()
const cut: Answer = (response) => response.socket?.destroy()

async function serve(...answers: Answer[]): Promise<string> {
  const server = createServer((_request, response) => (answers.shift() ?? cut)(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const never = new AbortController().signal

test('asks until there is a session', async () => {
  const url = await serve(later, later, ok)
  expect(await askForSession(url, systemClock, never)).toEqual(order)
})

test('a server that is away for a moment does not matter', async () => {
  const url = await serve(cut, (response) => response.writeHead(503).end('starting'), ok)
  expect(await askForSession(url, systemClock, never)).toEqual(order)
})

test('gives up with the last answer in words if nothing sensible comes', async () => {
  const url = await serve((response) => response.writeHead(404).end('nothing here'))
  const asked = askForSession(url, systemClock, never, { giveUpAfterMs: 0, answerMs: 60_000 })
  await expect(asked).rejects.toThrow(NoLink)
  await expect(asked).rejects.toThrow('HTTP 404 nothing here')
})

test('a server that answers but does not run for a while is asked again', async () => {
  const url = await serve(
    () => {},
    () => {},
    ok,
  )
  expect(await askForSession(url, systemClock, never, { giveUpAfterMs: 0, answerMs: 50 })).toEqual(order)
})

test('an order of another version is refused, naming the part that does not fit', async () => {
  const strange = { ...order, work: { kind: 'dance' } }
  const url = await serve((response) => response.end(JSON.stringify(strange)))
  await expect(askForSession(url, systemClock, never)).rejects.toThrow(/older than the server.*work/s)
})

test('stops asking when the container is told to stop', async () => {
  const url = await serve(later)
  const stopper = new AbortController()
  stopper.abort()
  await expect(askForSession(url, systemClock, stopper.signal)).rejects.toThrow('stopped')
})
