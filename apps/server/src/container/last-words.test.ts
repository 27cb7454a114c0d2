import type { ServerResponse } from 'node:http'
import { once } from 'node:events'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { DockerClient } from './docker-client.ts'
import { lastWordsOf } from './last-words.ts'
import { fakeDaemon, type FakeDaemon } from './testing/fake-daemon.ts'

let daemon: FakeDaemon
afterEach(() => daemon.close())

/** A piece of a log as engines send it. */
function piece(text: string): Buffer {
  const head = Buffer.alloc(8)
  head.writeUInt8(2, 0)
  head.writeUInt32BE(Buffer.byteLength(text), 4)
  return Buffer.concat([head, Buffer.from(text)])
}

async function saidBy(log: (response: ServerResponse) => void): Promise<{ words: string; asked: string }> {
  let asked = ''
  daemon = await fakeDaemon(({ url = '' }, response) => {
    asked = url
    response.writeHead(200)
    log(response)
  })
  const words = await lastWordsOf(new DockerClient({ dockerHost: daemon.dockerHost, clock: systemClock }), 'x')
  return { words, asked }
}

test('the last lines are kept, wherever the engine cuts them', async () => {
  const all = Buffer.concat([piece('node: not found\n'), piece('The supervisor ended with exit code 127\n')])
  const { words, asked } = await saidBy((response) => {
    for (const byte of all) response.write(Buffer.of(byte))
    response.end()
  })
  expect(words).toBe('node: not found\nThe supervisor ended with exit code 127\n')
  expect(asked).toMatch(/^\/containers\/x\/logs\?.*tail=20/)
})

test('only the readable part of an endless line is kept, and then the engine is not listened to any longer', async () => {
  let isGone = false
  const { words } = await saidBy((response) => {
    response.on('close', () => (isGone = true))
    void (async () => {
      while (!isGone) if (!response.write(piece('x'.repeat(16_384)))) await once(response, 'drain').catch(() => {})
    })()
  })
  expect(words).toBe('x'.repeat(2_000))
  await expect.poll(() => isGone).toBe(true)
})
