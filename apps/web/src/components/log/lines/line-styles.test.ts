import { expect, test } from 'vitest'
import { LineStyles } from './line-styles.ts'

const unknown = () => null

const RED = '\x1b[31m'
const RESET = '\x1b[0m'

test('a colour continues until it is reset, even into the next block', () => {
  const lines = Array.from({ length: 1100 }, (_, n) =>
    n === 510 ? `${RED}starts` : n === 514 ? `ends${RESET}` : 'text',
  )
  const styles = new LineStyles((n) => lines[n], unknown)
  expect([510, 511, 512, 514, 515].map((n) => styles.startOf(n).fg)).toEqual([-1, 1, 1, 1, -1])
})

test('lines that are added later begin with the style of those before', () => {
  const lines = ['plain', `${RED}red`]
  const styles = new LineStyles((n) => lines[n], unknown)
  expect(styles.startOf(1).fg).toBe(-1)
  lines.push('still red')
  expect(styles.startOf(2).fg).toBe(1)
})

test('a block whose predecessor is not held begins plain', () => {
  const styles = new LineStyles((n) => (n >= 512 ? `${RED}red` : undefined), unknown)
  expect(styles.startOf(512).fg).toBe(-1)
  expect(styles.startOf(513).fg).toBe(1)
})

test('a block that was jumped to begins as the server says, even if the one before is held', () => {
  const styles = new LineStyles(
    (n) => (n >= 512 ? 'text' : `${RED}red`),
    (block) => ['', '1;34'][block] ?? null,
  )
  expect(styles.startOf(512)).toMatchObject({ fg: 4, bold: true })
  expect(styles.startOf(600)).toMatchObject({ fg: 4, bold: true })
  expect(styles.startOf(1024)).toMatchObject({ fg: 4, bold: true })
})
