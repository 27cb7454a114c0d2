import { expect, test } from 'vitest'
import { file } from '../testing/sample-patch.ts'
import { unexplained } from './explained.ts'
import { touchedFile } from './touched.ts'

test('each missing class looks at only a few of many files with one name', () => {
  let reads = 0
  const names = Array.from({ length: 400 }, (_, at) => String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26)))
  const touched = names.map((name) => ({
    ...touchedFile(file(`${name}/CartTest.java`, '-x')),
    get rows() {
      reads += 1
      return 0
    },
  }))
  const missing = {
    names: names.map((name) => ({ name: `q${name}.CartTest`, fewer: 1, whole: true, gone: [] })),
    unnamed: 0,
  }
  const { names: left } = unexplained(missing, { touched, paths: [], folder: '', base: [], now: [] })
  expect(left).toHaveLength(400)
  expect(reads).toBeLessThan(100 * names.length)
})
