import { expect, test } from 'vitest'
import { LastTexts } from './last-texts.ts'

test('as many of the last texts are kept as have room', () => {
  const texts = new LastTexts(1_000)
  for (let at = 0; at < 100; at++) texts.add(`${at}`.padStart(36, '0'))
  expect(texts.all().map(Number)).toEqual(Array.from({ length: 10 }, (_, at) => 90 + at))
})

test('the last one is kept, however long it is', () => {
  const texts = new LastTexts(1_000)
  for (const text of ['before', 'x'.repeat(5_000)]) texts.add(text)
  expect(texts.all()).toEqual(['x'.repeat(5_000)])
})

test('empty texts do not pile up without end', () => {
  const texts = new LastTexts(1_000)
  for (let at = 0; at < 10_000; at++) texts.add('')
  expect(texts.all()).toHaveLength(15)
})
