import { expect, test } from 'vitest'
import { KeywordIndex } from './keyword-index.ts'

function walk(words: string[], text: string): [string, number][] {
  const found: [string, number][] = []
  new KeywordIndex(words).walk(
    text,
    (word, end) => found.push([words[word]!, end]),
    () => {},
  )
  return found
}

test('words within words, at the end of others and in capitals are all found', () => {
  expect(walk(['hers', 'he', 'she', 'his'], 'uSHErs his')).toEqual([
    ['she', 4],
    ['he', 4],
    ['hers', 6],
    ['his', 10],
  ])
})

test('a letter that is not ASCII is in no word, and the text continues after it', () => {
  expect(walk(['key'], 'kÉy ke\u212A ke\ud83d\ude00y KEY')).toEqual([['key', 17]])
})

test('it finds the same as a search for each word', () => {
  const words = ['s.', 'sk', 'ask', 'task-', '://', 'aa', 'aaa']
  const text = 'task-ASK://s.aaaa ask. sk'
  const expected = words.flatMap((word) =>
    [...Array(text.length).keys()].flatMap((at) =>
      text.toLowerCase().startsWith(word, at) ? [[word, at + word.length]] : [],
    ),
  )
  expect(walk(words, text).toSorted()).toEqual(expected.toSorted())
})
