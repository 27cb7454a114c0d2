import { chmodSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MOST_OF_A_RECORD } from '@beadloom/core/supervisor/output-record.ts'
import { expect, test } from 'vitest'
import { tempFolder } from '../../testing/temp-folder.ts'
import { afterKill, clock, newSpool, readAll, write } from '../testing/spool-kit.ts'
import { SessionSpool } from './session-spool.ts'

test('a file that somebody cuts loses its contents, which is reported', async () => {
  const spool = await newSpool()
  write(spool, 'stdout', 'lost')
  write(spool, 'stderr', 'kept')
  spool.look()
  chmodSync(join(spool.folder, 'stdout'), 0o600)
  truncateSync(join(spool.folder, 'stdout'))
  const told = 'note {"note":"cut","stream":"stdout","bytes":4}'
  expect(readAll(spool, 0)).toMatchObject({ gaps: [[0, 15]], records: ['stderr kept', told] })
  write(spool, 'stdout', 'new')
  expect(readAll(spool, 15).records).toEqual(['stderr kept', told, 'stdout new'])
})

test('a file that grows by gigabytes without a byte being written costs no memory', async () => {
  const spool = await newSpool()
  chmodSync(join(spool.folder, 'stdout'), 0o600)
  truncateSync(join(spool.folder, 'stdout'), 64 * 1024 ** 3)
  expect(spool.look()).toBe(false)
  expect(spool.offsets.end).toBe(16 * 1024 * (MOST_OF_A_RECORD + 11))
  const { end: before } = spool.offsets
  spool.acknowledged(before)
  expect(spool.offsets.end).toBeGreaterThan(before) // the next part, now that there is room
  expect(statSync(join(spool.folder, 'order.0')).size).toBeLessThan(1024 * 1024)
})

test('a damaged order is used as far as it can be read', async () => {
  const spool = await newSpool()
  for (const [stream, text] of [
    ['stdout', 'a'],
    ['stderr', 'b'],
    ['stdout', 'c'],
  ] as const) {
    write(spool, stream, text)
    spool.look()
  }
  const order = join(spool.folder, 'order.0')
  const bytes = readFileSync(order)
  bytes[22] = 9 // the third head
  writeFileSync(order, bytes)
  expect(readAll(await afterKill(spool)).records).toEqual(['stdout a', 'stderr b', 'stdout c'])
  writeFileSync(order, Buffer.from('garbage that is no head at all'))
  expect(readAll(await afterKill(spool)).records).toEqual(['stdout ac', 'stderr b'])
  writeFileSync(join(spool.folder, 'order.99999'), '')
  writeFileSync(join(spool.folder, 'order.x'), '')
  expect(readAll(await afterKill(spool), 99_999).records).toEqual(['stdout ac', 'stderr b'])
})

test('a spool that is gone is an error, and crashes nothing else', async () => {
  expect(() => SessionSpool.open('/nowhere', clock)).toThrow(/nowhere/)
  const folder = await tempFolder()
  expect(() => SessionSpool.open(folder, clock)).toThrow(/no spool/)
})
