import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { OutputCopy } from './output-copy.ts'

const never = new AbortController().signal
let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'copy-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const at = (offset: number) => ({ offset, stdout: offset, stderr: 0 })

async function contentOf(folder: string): Promise<{ from: number; bytes: Buffer }[]> {
  const pieces: { from: number; bytes: Buffer }[] = []
  for await (const { place, bytes } of new OutputCopy(folder, systemClock).read(never)) {
    if (place) pieces.push({ from: place.offset, bytes: Buffer.from(bytes) })
    else pieces.at(-1)!.bytes = Buffer.concat([pieces.at(-1)!.bytes, bytes])
  }
  return pieces
}

test('each new server finds every byte once, however often they die and wherever they do', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(fc.integer({ min: 1, max: 50 }), { maxLength: 6 }), { maxLength: 5 }),
      async (lives) => {
        const folder = mkdtempSync(join(root, 'one-'))
        let end = 0
        let expected = Buffer.alloc(0)
        for (const records of lives) {
          const copy = new OutputCopy(folder, systemClock)
          for await (const _ of copy.read(never)) continue
          await copy.cutAt(end, never)
          for (const length of records) {
            const bytes = Buffer.alloc(length, end % 251)
            await copy.write([{ bytes: bytes, from: end, place: at(end) }], never)
            expected = Buffer.concat([expected, bytes])
            end += length
          }
          await copy.close()
          const [name] = readdirSync(folder)
          if (name) appendFileSync(join(folder, name), 'half of a record') // and then it was killed
        }
        const copy = new OutputCopy(folder, systemClock)
        for await (const _ of copy.read(never)) continue
        await copy.cutAt(end, never)
        await copy.close()
        expect(Buffer.concat((await contentOf(folder)).map(({ bytes }) => bytes)).equals(expected)).toBe(true)
      },
    ),
    { numRuns: 50 },
  )
})

test('a very long output keeps its beginning and its end, and where each piece belongs', async () => {
  const copy = new OutputCopy(join(root, 'long'), systemClock, { first: 100, piece: 30 })
  for (let offset = 0; offset < 1000; offset += 10)
    await copy.write([{ bytes: Buffer.alloc(10, offset / 10), from: offset, place: at(offset) }], never)
  await copy.close()
  const pieces = await contentOf(join(root, 'long'))
  expect(pieces.map(({ from, bytes }) => [from, bytes.length])).toEqual([
    [0, 100],
    [940, 30],
    [970, 30],
  ])
  expect(pieces.at(-1)?.bytes.at(-1)).toBe(99)
})

test("a piece begins where a record does: a record's middle stays in the piece before", async () => {
  const copy = new OutputCopy(join(root, 'middle'), systemClock, { first: 10, piece: 10 })
  await copy.write([{ bytes: Buffer.alloc(10, 1), from: 0, place: at(0) }], never)
  await copy.write([{ bytes: Buffer.alloc(10, 2), from: 10, place: null }], never)
  await copy.write([{ bytes: Buffer.alloc(10, 3), from: 20, place: at(20) }], never)
  await copy.close()
  expect((await contentOf(join(root, 'middle'))).map(({ from, bytes }) => [from, bytes.length])).toEqual([
    [0, 20],
    [20, 10],
  ])
})

test('a removed copy leaves nothing, and a silent session has no copy', async () => {
  const copy = new OutputCopy(join(root, 'gone'), systemClock)
  expect(await contentOf(join(root, 'gone'))).toEqual([])
  await copy.write([{ bytes: Buffer.from('x'), from: 0, place: at(0) }], never)
  await copy.remove()
  expect(readdirSync(root)).toEqual([])
})
