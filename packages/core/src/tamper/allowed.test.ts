import { expect, test } from 'vitest'
import { notAllowed } from './allowed.ts'

const allowed = (findings: string[]) => [{ commit: 'c', findings, why: '', by: 'me', at: 1 }]

test('what was allowed when numbers had no commas is allowed still', () => {
  const findings = ['a.test.js lost 1,200 assertions', 'b.test.js lost 2 assertions']
  expect(notAllowed(findings, allowed(['a.test.js lost 1200 assertions']))).toEqual(['b.test.js lost 2 assertions'])
  expect(notAllowed(findings, allowed(findings))).toEqual([])
})
