import { describe, expect, test } from 'vitest'
import { colouredText, cutText, oneLiner, padText, plainText, textWidth, wrapText } from './terminal-text.ts'

const hostile = [
  ['clears the screen', 'a\u001b[2Jb', 'ab'],
  ['moves the cursor up and rewrites what is there', 'a\u001b[1A\u001b[2Kb', 'ab'],
  ['sets the title', 'a\u001b]0;owned\u0007b', 'ab'],
  ['makes a link', '\u001b]8;;http://evil\u001b\\text\u001b]8;;\u001b\\', 'text'],
  ['writes the clipboard, in one character', 'a\u009d52;c;ZXZpbA==\u009cb', 'a52;c;ZXZpbA==b'],
  ['uses the one-character form of an escape', 'a\u009b2Jb', 'a2Jb'],
  ['turns the text around', 'a\u202egpj.exe\u202c', 'agpj.exe'],
  ['rings and steps back', 'a\u0007\b\bb', 'ab'],
  ['hides an escape in colours', 'a\u001b\u001b[0m[2Jb', 'a[2Jb'],
] as const

describe('text of others', () => {
  test.each(hostile)('that %s no longer can', (_, text, left) => {
    expect(plainText(text)).toBe(left)
    expect(colouredText(text).replaceAll('\u001b[0m', '')).toBe(left)
  })

  test('keeps its colours on request, and nothing else', () => {
    expect(colouredText('\u001b[1;38:2::1:2:3mred\u001b[0m\u001b[2J')).toBe('\u001b[1;38:2::1:2:3mred\u001b[0m')
    expect(plainText('\u001b[31mred\u001b[0m')).toBe('red')
  })

  test('is on one line in a table', () => {
    expect(oneLiner('  a\r\n\tb\u001b[2J\u2028c ')).toBe('a b c')
  })
})

describe('columns', () => {
  test('count the characters that a terminal shows', () => {
    expect(textWidth('abc')).toBe(3)
    expect(textWidth('日本')).toBe(4)
    expect(textWidth('👩‍👩‍👧')).toBe(2)
    expect(textWidth('e\u0301')).toBe(1)
    expect(padText('日本', 6)).toBe('日本  ')
  })

  test('cut only between visible characters', () => {
    expect(cutText('abcdef', 6)).toBe('abcdef')
    expect(cutText('abcdef', 4)).toBe('abc…')
    expect(cutText('ab 👩‍👩‍👧👩‍👩‍👧', 6)).toBe('ab 👩‍👩‍👧…')
  })

  test('break lines between words', () => {
    expect(wrapText('one two three', 8)).toEqual(['one two', 'three'])
    expect(wrapText('incomprehensibly', 8)).toEqual(['incompr…'])
  })
})
