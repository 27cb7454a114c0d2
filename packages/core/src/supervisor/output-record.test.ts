import fc from 'fast-check'
import { expect, test } from 'vitest'
import { HEAD_BYTES, MOST_OF_A_RECORD, OutputReader, putHead, type RecordKind } from './output-record.ts'

type Written = { kind: RecordKind; at: number; text: string }

function bytesOf(records: readonly Written[]): Uint8Array {
  const parts = records.map(({ kind, at, text }) => {
    const payload = Buffer.from(text)
    const bytes = new Uint8Array(HEAD_BYTES + payload.length)
    putHead(bytes, 0, { kind, at, length: payload.length })
    bytes.set(payload, HEAD_BYTES)
    return bytes
  })
  return new Uint8Array(Buffer.concat(parts))
}

const record = fc.record({
  kind: fc.constantFrom<RecordKind>('stdout', 'stderr', 'note'),
  at: fc.integer({ min: 0, max: 2 ** 47 }),
  text: fc.string({ minLength: 1, maxLength: 200 }),
})

test('records arrive unchanged, however their bytes are cut', () => {
  fc.assert(
    fc.property(fc.array(record), fc.infiniteStream(fc.integer({ min: 1, max: 300 })), (written, sizes) => {
      const bytes = bytesOf(written)
      const reader = new OutputReader(100)
      const read: Written[] = []
      for (let at = 0; at < bytes.length;) {
        const size = sizes.next().value as number
        for (const { kind, at: time, bytes: payload } of reader.take(bytes.subarray(at, at + size))) {
          read.push({ kind, at: time, text: Buffer.from(payload).toString() })
        }
        at += size
      }
      expect(read).toEqual(written)
      expect(reader.complete).toBe(100 + bytes.length)
    }),
  )
})

test('a record that is whole within one piece is not copied', () => {
  const bytes = bytesOf([{ kind: 'stdout', at: 1, text: 'hello' }])
  const [read] = new OutputReader(0).take(bytes)
  expect(read?.bytes.buffer).toBe(bytes.buffer)
})

test('half a record is not complete, and after a gap it is forgotten', () => {
  const bytes = bytesOf([{ kind: 'stdout', at: 1, text: 'hello' }])
  const reader = new OutputReader(0)
  expect(reader.take(bytes.subarray(0, 13))).toEqual([])
  expect(reader.complete).toBe(0)
  reader.skipTo(500)
  expect(reader.take(bytes)).toHaveLength(1)
  expect(reader.complete).toBe(516)
})

test.each([
  ['an unknown kind', [9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 65]],
  ['no payload', [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 65]],
  ['more than a record can hold', [1, 0, 0, 0, 0, 0, 0, 0, 0, 0x40, 1, 65]],
])('%s is damage, and earlier records count', (_, head) => {
  const good = bytesOf([{ kind: 'stderr', at: 1, text: 'x' }])
  const reader = new OutputReader(0)
  expect(reader.take(new Uint8Array([...good, ...head]))).toHaveLength(1)
  expect(reader).toMatchObject({ damaged: true, complete: 12 })
  expect(reader.take(good)).toEqual([])
  expect(MOST_OF_A_RECORD).toBe(0x4000)
})
