import { expect, test } from 'vitest'
import { jsonIn } from './line-dialog.tsx'

test('a line that is JSON, or ends with it, is separated from the text before', () => {
  expect(jsonIn('{"a":[1]}')).toEqual({ before: '', value: { a: [1] } })
  expect(jsonIn('› 12:00 INFO {"a":1} ')).toEqual({ before: '› 12:00 INFO', value: { a: 1 } })
})
test.each(['plain', '{broken}', '3', '"text"', 'see [1] below', `${'x'.repeat(300)}{}`])('%s is no JSON', (text) => {
  expect(jsonIn(text)).toBeNull()
})
