import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { outputOf } from './output.ts'

const frame = Buffer.concat([Buffer.from([1, 0, 0, 0, 0, 0, 0x40, 0]), Buffer.alloc(0x4000, 1)])

test('a consumer that does not pull stops the reading', async () => {
  let given = 0
  const source = new Readable({
    read() {
      given++
      this.push(frame)
    },
  })
  const output = outputOf(source)
  const frames = output[Symbol.asyncIterator]()
  await frames.next()
  // More turns than a reader that does not stop would need to read without end.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(given * frame.length).toBeLessThanOrEqual(source.readableHighWaterMark + 2 * frame.length)
  output.close()
})

test('a connection that breaks ends the output; garbage is an error', async () => {
  const broken = new Readable({ read() {} })
  broken.push(frame)
  const seen: number[] = []
  for await (const { bytes } of outputOf(broken)) {
    seen.push(bytes.length)
    broken.destroy(new Error('reset'))
  }
  expect(seen).toEqual([0x4000])
  const garbage = outputOf(Readable.from([Buffer.from('HTTP/1.1 500 Oh no')]))
  await expect(garbage[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'refused' })
})
