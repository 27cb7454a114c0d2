import fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyMask, maskText } from './key-mask.ts'

const key = 'sk-abcabcd'

function through(text: string, cuts: number[]): string {
  const mask = new KeyMask(key)
  const bytes = Buffer.from(text)
  const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const parts = edges.slice(1).map((edge, index) => mask.push(Buffer.from(bytes.subarray(edges[index], edge))))
  return Buffer.concat([...parts, mask.end()]).toString()
}

test('the key is masked wherever a stream is cut, and nothing else changes', () => {
  const pieces = fc.array(fc.constantFrom(key, 'sk-abc', 'sk-', 's', 'abcd', 'é', 'text '), { maxLength: 12 })
  fc.assert(
    fc.property(pieces, fc.array(fc.nat(200), { maxLength: 8 }), (words, cuts) => {
      const text = words.join('')
      expect(through(text, cuts)).toBe(text.replaceAll(key, '*'.repeat(key.length)))
    }),
  )
})

test('a chunk that cannot hold the beginning of the key is passed on at once', () => {
  const mask = new KeyMask(key)
  expect(mask.push(Buffer.from('data: {}\n\n')).toString()).toBe('data: {}\n\n')
  expect(mask.push(Buffer.from('ends with sk-a')).toString()).toBe('ends with ')
  expect(mask.push(Buffer.from(' bit')).toString()).toBe('sk-a bit')
})

test('a placeholder that is no secret is left alone', () => {
  expect(new KeyMask('x').push(Buffer.from('xerox')).toString()).toBe('xerox')
  expect(maskText('xerox', 'x')).toBe('xerox')
  expect(maskText(`${key}!`, key)).toBe('**********!')
})
