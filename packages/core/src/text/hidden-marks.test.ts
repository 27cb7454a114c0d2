import { expect, test } from 'vitest'
import { HIDDEN_MARKS } from './hidden-marks.ts'

const seen = (text: string) => text.replace(HIDDEN_MARKS, '·')

test.each([
  ['marks of direction', 'a\u202eb\u2066c\u200fd\u061ce', 'a·b·c·d·e'],
  ['zero widths', 'pass\u200bword \u2060x\ufeffy', 'pass·word ·x·y'],
  ['joiners between letters that join nothing', 'ad\u200cmin ad\u200dmin', 'ad·min ad·min'],
  ['soft hyphens, fillers and invisible operators', 'a\u00adb\u3164c\u2063d\uffa0e\u034ff', 'a·b·c·d·e·f'],
  ['a sentence in tags', `ok${String.fromCodePoint(0xe0072, 0xe006d)}.`, 'ok··.'],
  ['variation selectors beyond those of emoji', `a${String.fromCodePoint(0xe0100)}b`, 'a·b'],
  ['annotations between the lines', 'a\ufff9b\ufffac\ufffb', 'a·b·c·'],
])('%s are found', (_, text, shown) => {
  expect(seen(text)).toBe(shown)
})

test('ordinary text stays: emoji, scripts with joiners, accents', () => {
  for (const text of ['👩‍💻 ❤️ 1️⃣', 'می‌خواهم', 'क्‍ष', 'e\u0301 naïve 日本語']) expect(seen(text)).toBe(text)
})
