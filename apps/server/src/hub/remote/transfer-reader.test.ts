import { expect, test } from 'vitest'
import type { Transfer } from '../../ports/hub.ts'
import { TransferReader, transferIn } from './transfer-reader.ts'

test.each([
  ['remote: Enumerating objects: 50012, done.', { doing: 'counting objects', percent: null, bytes: null }],
  ['remote: Compressing objects:   7% (70/1000)', { doing: 'compressing', percent: 7, bytes: null }],
  [
    'Receiving objects:  42% (21000/50000), 210.50 MiB | 12.00 MiB/s',
    { doing: 'receiving objects', percent: 42, bytes: 220_725_248 },
  ],
  [
    'Receiving objects: 100% (3/3), 230 bytes | 230.00 KiB/s, done.',
    { doing: 'receiving objects', percent: 100, bytes: 230 },
  ],
  ['Receiving objects: 100% (3/3), done.', { doing: 'receiving objects', percent: 100, bytes: null }],
  ['Resolving deltas:  10% (1/10)', { doing: 'resolving deltas', percent: 10, bytes: null }],
  ['fatal: Receiving nothing', null],
  ['Receiving objects: 9999999% (1/1), 1e99 GiB', { doing: 'receiving objects', percent: null, bytes: null }],
])('%s', (line, seen) => {
  expect(transferIn(line)).toEqual(seen)
})

test('a line counts once it is complete, in whatever pieces it comes, and a flood without a line end is not kept', () => {
  const seen: Transfer[] = []
  const reader = new TransferReader((one) => seen.push(one))
  for (const piece of [
    'Receiving obj',
    'ects:  1% (1/100)',
    '\rReceiving objects:  2% (2/100)\r',
    'x'.repeat(5_000_000),
  ])
    reader.take(piece)
  expect(seen.map(({ percent }) => percent)).toEqual([1, 2])
})
