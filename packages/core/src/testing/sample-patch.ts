import { findTampering } from '../tamper/tamper.ts'
import type { ChangedFile } from '../tamper/patch.ts'

/* Builds patches in git's form from their lines. */

/** A file whose patch has these lines, with their signs, in one hunk. */
export const file = (path: string, lines: string, status = 'M'): ChangedFile => ({
  path,
  status,
  patch: `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1,9 +1,9 @@\n${lines}\n`,
  cut: false,
})
export const renamed = (from: string, to: string): ChangedFile => ({
  path: to,
  status: 'R',
  patch: `diff --git a/${from} b/${to}\nsimilarity index 98%\nrename from ${from}\nrename to ${to}\n`,
  cut: false,
})

/** The findings in a change of these files. */
export const found = (...files: ChangedFile[]) => findTampering({ files, collectedBefore: null, collectedAfter: null })
/** Each line with this sign. */
export const each = (text: string, sign: string) =>
  text
    .split('\n')
    .map((line) => sign + line)
    .join('\n')

/** A test of two assertions. */
export const js = `it('adds', () => {
  expect(add(1, 2)).toBe(3)
  expect(add(0, 0)).toBe(0)
})`
