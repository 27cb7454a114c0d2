import { expect, test } from 'vitest'
import { textBlocks } from './plain-markdown.ts'

test('code is highlighted, and everything else stays plain text', () => {
  expect(textBlocks('Use `a()` here.\n\n```ts\nb()\n\nc()\n```\n<img src=x> [x](javascript:1)')).toEqual([
    {
      parts: [
        { text: 'Use ', code: false },
        { text: 'a()', code: true },
        { text: ' here.', code: false },
      ],
    },
    { code: 'b()\n\nc()' },
    { parts: [{ text: '<img src=x> [x](javascript:1)', code: false }] },
  ])
})

test('a block that is never closed goes to the end, and nothing is lost', () => {
  expect(textBlocks('a\r\n~~~\nb')).toEqual([{ parts: [{ text: 'a', code: false }] }, { code: 'b' }])
  expect(textBlocks('one ` mark')).toEqual([{ parts: [{ text: 'one ` mark', code: false }] }])
  expect(textBlocks(' \n')).toEqual([])
})
