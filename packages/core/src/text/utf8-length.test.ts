import { expect, test } from 'vitest'
import { utf8Length } from './utf8-length.ts'

test.each(['', 'plain', 'Grüße', '€', '🧵', 'a\ud800b', 'Grüße €, 🧵'])(
  '%j has as many bytes as its encoding',
  (text) => {
    expect(utf8Length(text)).toBe(new TextEncoder().encode(text).length)
  },
)
