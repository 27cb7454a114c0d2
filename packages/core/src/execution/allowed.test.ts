import { expect, test } from 'vitest'
import { notAllowed } from './allowed.ts'

const allowed = (findings: string[]) => [{ commit: 'c', findings, why: '', by: 'me', at: 1 }]

test('an allowance from before numbers had commas still counts', () => {
  const findings = ['a.test.js lost 1,200 assertions', 'b.test.js lost 2 assertions']
  expect(notAllowed(findings, allowed(['a.test.js lost 1200 assertions']))).toEqual(['b.test.js lost 2 assertions'])
  expect(notAllowed(findings, allowed(findings))).toEqual([])
})
