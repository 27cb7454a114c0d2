import { request, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { SessionHandlers } from '../ports/sandbox.ts'
import { OpenRequests } from './testing.ts'

let link: OpenRequests
afterEach(() => link.close())

type Asked = { answer: Promise<{ status: number; text: string }>; sent: Promise<void> }

function ask(path: string): Asked {
  const asking = request({ socketPath: link.socketPath, path, agent: false })
  const sent = new Promise<void>((resolve) => asking.once('finish', resolve))
  const answer = new Promise<{ status: number; text: string }>((resolve, reject) => {
    asking.once('error', reject)
    asking.once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }))
    })
  })
  asking.end()
  return { answer, sent }
}

const says = (text: string) => (_: IncomingMessage, response: ServerResponse) => void response.end(text)
const handlers: SessionHandlers = { git: says('git'), model: says('model') }
const order = { session: 'ex-0000000000.1' } as unknown as SessionOrder

test("a container that is older than its server waits until it is taken up again; a session's leftover processes reach nothing", async () => {
  link = await OpenRequests.open()
  const early = [ask('/git/hub.git/info/refs'), ask('/v1/messages')]
  const other = await ask('/elsewhere').answer
  expect(other.status).toBe(404) // so the two before it have arrived
  for (const { sent } of early) await sent
  link.requests.offer(order, handlers, () => {})
  expect(await Promise.all(early.map(({ answer }) => answer))).toEqual([
    { status: 200, text: 'git' },
    { status: 200, text: 'model' },
  ])
  link.requests.withdraw()
  expect(await ask('/git/hub.git/info/refs').answer).toMatchObject({ status: 404 })
})

test('a request of git that has waited for its server is answered without a warning on the terminal', async () => {
  const warnings: string[] = []
  const hear = ({ name }: Error) => void warnings.push(name)
  process.on('warning', hear)
  onTestFinished(() => void process.off('warning', hear))
  link = await OpenRequests.open()
  const early = ask('/git/hub.git/git-upload-pack')
  await early.sent
  expect((await ask('/elsewhere').answer).status).toBe(404) // so the one before it has arrived
  const git = (_: IncomingMessage, response: ServerResponse) => {
    response.once('close', () => {}) // as the hub does
    void pipeline(Readable.from(['a pack']), response)
  }
  link.requests.offer(order, { ...handlers, git }, () => {})
  expect(await early.answer).toEqual({ status: 200, text: 'a pack' })
  await new Promise(setImmediate)
  expect(warnings).toEqual([])
})
