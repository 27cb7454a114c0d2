import { expect, test } from 'vitest'
import { notAllowed } from '../execution/allowed.ts'
import { markIn, secretText } from './secret-words.ts'

const mark = '5f1c09ab77de3421'
const one = { rule: 'github-pat', path: 'src/a.ts', line: 4, commit: '', secret: 'ghp_ZxYw1234ZxYw1234', refused: true }

test('a secret is described by its first characters and its length', () => {
  expect(secretText(one, mark)).toBe(`src/a.ts:4: github pat (ghp_…, 20 characters; ${mark})`)
  expect(secretText({ ...one, secret: 'Zx81_pq2' }, mark)).toBe(`src/a.ts:4: github pat (8 characters; ${mark})`)
  expect(secretText({ ...one, rule: 'key file', line: 0 }, mark)).toBe(`src/a.ts: key file (${mark})`)
  expect(secretText({ ...one, commit: 'c0ffee'.repeat(7) }, mark)).toContain('in the earlier commit c0ffeec0ffee')
})

test('neither the name of a file nor another secret in it is shown', () => {
  const name = { ...one, path: `keys/${one.secret}.txt`, line: 0 }
  const inside = { ...name, line: 2, secret: 'glpat-ZxYw1234ZxYw1234' }
  const all = [name, inside]
  expect(secretText(name, mark, all)).toBe(`the name of keys/ghp_….txt: github pat (ghp_…, 20 characters; ${mark})`)
  expect(secretText(inside, mark, all)).toBe(`keys/ghp_….txt:2: github pat (glpa…, 22 characters; ${mark})`)
  const said = { ...one, path: '', commit: 'c0ffee'.repeat(7) }
  expect(secretText(said, mark)).toBe(
    `the message of the commit c0ffeec0ffee: github pat (ghp_…, 20 characters; ${mark})`,
  )
})

test("a person's permission is for one secret, wherever it is in its file by now", () => {
  const allowed = [{ commit: 'c', findings: [secretText(one, mark)], why: '', by: 'ann', at: 1 }]
  const moved = secretText({ ...one, line: 90 }, mark)
  const other = secretText(one, '0'.repeat(16))
  expect(markIn(moved)).toBe(mark)
  expect(notAllowed([moved, other, 'a.test.ts was deleted'], allowed)).toEqual([other, 'a.test.ts was deleted'])
})
