import { Readable } from 'node:stream'
import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { hasMoreValues } from '@beadloom/core/text/json-values.ts'
import { readBody } from './request-body.ts'

const most = { requestBytes: 1000, requestValues: 100 }
const never = new AbortController().signal

function read(pieces: (string | Buffer)[], length?: number) {
  const headers = length === undefined ? {} : { 'content-length': String(length) }
  const request = Object.assign(Readable.from(pieces.map((piece) => Buffer.from(piece))), { headers })
  return readBody(request as unknown as IncomingMessage, most, never)
}

test.each([
  ['as its headers say', 19],
  ['without a word about its length', undefined],
  ['shorter than it is', 5],
  ['longer than it is', 900],
])('a body that comes a byte at a time, %s, is read whole', async (_, length) => {
  const text = '{"model":"é","a":[]}'
  const bytes = Buffer.from(text)
  const body = await read(
    [...bytes].map((_byte, at) => bytes.subarray(at, at + 1)),
    length,
  )
  if ('failed' in body) throw new Error(body.failed.message)
  expect(body.bytes.toString()).toBe(text)
  expect([body.value('model'), body.value('a'), body.value('b')]).toEqual(['é', [], undefined])
  expect(body.whole()).toEqual({ model: 'é', a: [] })
})

test('a body above a limit is refused with that limit, and a body that is no object with its kind', async () => {
  expect(await read([`{"a":"${'x'.repeat(1000)}"}`])).toMatchObject({
    failed: { status: 413, code: 'request_too_large' },
  })
  expect(await read([`{"a":[${'[],'.repeat(99)}1]}`])).toMatchObject({
    failed: { status: 413, message: expect.stringContaining('more than 100 values') },
  })
  for (const text of ['', '{', '[]', '{"a":1}x', '\u00a0{}', '{"a":"\n"}', '{a:1}'])
    expect(await read([text])).toMatchObject({ failed: { status: 400 } })
})

test('values are counted without being made; brackets and commas inside texts are not', () => {
  const count = (text: string) => {
    let most = 1
    while (hasMoreValues(Buffer.from(text), most)) most += 1
    return most
  }
  expect(count('1')).toBe(1)
  expect(count('{"a,[{":"\\"],,,","b":[1,2]}')).toBe(5)
  expect(count('{"a":"\\\\","b":[]}')).toBe(4)
  expect(count('"[,[,[')).toBe(1)
})
