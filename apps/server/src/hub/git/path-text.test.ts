import { expect, test } from 'vitest'
import { pathArgument, pathBytes, pathText } from './path-text.ts'

const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

test('a path that is UTF-8 is its own text', () => {
  for (const path of ['a/b.ts', 'café/ünï.ts', 'a b\t"c"\n', 'back\\slash', '日本/😀.ts', '\ufffd.ts', '\ufeffbom.ts'])
    expect(pathText(bytesOf(path))).toBe(path)
})

test('bytes that are no UTF-8 are escaped one by one, and the end of the name stays', () => {
  expect(pathText('test/caf\xe9.test.js')).toBe('test/caf\\xE9.test.js')
  expect(pathText(`${bytesOf('é')}\xc3`)).toBe('é\\xC3')
  expect(pathText('\xed\xa0\x80')).toBe('\\xED\\xA0\\x80')
})

test('each byte that is no part of a character is escaped, and the characters beside it are read', () => {
  const among = (bytes: string): string => pathText(`\xff${bytes}`).slice('\\xFF'.length)
  for (const text of ['é', 'ࠀ', '퟿', '', '�', '日', '𐀀', '\u{10ffff}']) expect(among(bytesOf(text))).toBe(text)
  expect(among('\xc0\x80')).toBe('\\xC0\\x80')
  expect(among('\xe0\x80\x80')).toBe('\\xE0\\x80\\x80')
  expect(among('\xf4\x90\x80\x80')).toBe('\\xF4\\x90\\x80\\x80')
  expect(among('\xe6\x97')).toBe('\\xE6\\x97')
})

test('two paths never have the same text, whatever they contain', () => {
  const pieces = ['a', '\\', 'x', 'E', '9', '\xe9', 'é', '\ufffd'].map((piece) =>
    piece === '\xe9' ? piece : bytesOf(piece),
  )
  const paths = new Set<string>()
  let seed = 7
  for (let round = 0; round < 20_000; round++) {
    let path = ''
    for (let length = 0; length < 8; length++) {
      seed = (seed * 48_271) % 2_147_483_647
      path += pieces[seed % pieces.length] ?? ''
    }
    paths.add(path)
  }
  for (const path of paths) expect(pathBytes(pathText(path))).toBe(path)
  expect(new Set([...paths].map(pathText)).size).toBe(paths.size)
})

test('only a path that is UTF-8 can be an argument of a program', () => {
  expect(pathArgument('café.ts')).toBe('café.ts')
  expect(pathArgument('\\x5CxE9.ts')).toBe('\\xE9.ts')
  expect(pathArgument('caf\\xE9.ts')).toBeNull()
})
