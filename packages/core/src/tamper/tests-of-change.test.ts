import { expect, test } from 'vitest'
import { testsOfChange } from './tests-of-change.ts'

test('a file with results that tests compare with is reported if its content changed', () => {
  const patch = '@@ -1 +1 @@\n-119\n+116\n'
  const golden = { path: 'testdata/total.golden', oldPath: null, status: 'M', patch, cut: false, added: 1, removed: 1 }
  expect(testsOfChange({ files: [golden], collectedBefore: null, collectedAfter: null })).toMatchObject({
    weaker: [],
    otherValues: 'files that tests read have other content now: testdata/total.golden',
  })
})
