import { expect, test } from 'vitest'
import { file, found } from '../testing/sample-patch.ts'
import { touchedFile } from '../verdict/touched.ts'

const item = ' /// assert_eq!(add(1, 2), 3);\n /// ```\n pub fn add(a: u8, b: u8) -> u8 {'

test.each([
  ['src/lib.rs', `-/// \`\`\`\n+/// \`\`\`ignore\n${item}`],
  ['src/lib.rs', `-/// \`\`\`rust\n+/// \`\`\`rust,no_run\n${item}`],
  ['src/lib.rs', '-//! ```\n-//! assert_eq!(add(1, 2), 3);\n+//! ```text\n+//! add(1, 2) is 3\n //! ```'],
  ['shop/cart.py', '-    >>> total([1])\n+    >>> total([1])  # doctest: +SKIP\n     1'],
])('%s keeps an example from running: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([expect.stringContaining('keeps an example of its documentation')])
})

test('an example is lost although the item that it documents is still there', () => {
  const lines = '-/// ```\n-/// assert_eq!(add(1, 2), 3);\n-/// ```\n'
  expect(found(file('src/lib.rs', `${lines} pub fn add(a: u8, b: u8) -> u8 {`))).toEqual([
    expect.stringContaining('src/lib.rs lost an example of its documentation'),
  ])
  expect(found(file('src/lib.rs', `${lines}-pub fn add(a: u8, b: u8) -> u8 {`))).toEqual([])
  expect(found(file('src/lib.rs', `${lines}+/// assert_eq!(add(2, 2), 4);\n pub fn add(`))).toEqual([])
})

test.each([
  ['src/lib.rs', '+/// ```no_run\n+/// serve();\n+/// ```\n+pub fn serve() {'],
  ['src/lib.rs', ' /// ```\n-/// let a = add(1, 2);\n+/// let a = add(1, 3);\n /// ```\n pub fn add('],
  ['src/lib.rs', '-/// ```no_run\n+/// ```ignore\n pub fn add('],
  ['src/lib.rs', '-/// ```ignore\n+/// ```\n pub fn add('],
  ['shop/cart.py', '+    >>> fetch()  # doctest: +SKIP\n+    1'],
])('%s may: %j', (path, lines) => {
  expect(found(file(path, lines))).toEqual([])
})

test('an example that no longer runs explains no missing name', () => {
  const stopped = file('src/lib.rs', `-/// \`\`\`\n+/// \`\`\`no_run\n${item}`)
  expect(touchedFile(stopped).examples).toBe(false)
  expect(touchedFile(file('src/lib.rs', '-/// ```\n-/// add(1, 2);\n-/// ```\n')).examples).toBe(true)
})
