import { expect, test } from 'vitest'
import { MeantFiles } from './meant-files.ts'
import { fileOf } from './names.ts'

const paths = [
  'x.test.ts',
  'packages/cart/x.test.ts',
  'packages/api/x.test.ts',
  'packages/api/src/y.test.ts',
  'tools/y.test.ts',
]

test.each([
  ['x.test.ts', '', ['x.test.ts']],
  ['x.test.ts', 'packages/api', ['packages/api/x.test.ts']],
  ['packages/cart: x.test.ts', '', ['packages/cart/x.test.ts']],
  ['@shop/cart: x.test.ts', '', ['packages/cart/x.test.ts']],
  ['src/y.test.ts', '', ['packages/api/src/y.test.ts']],
  ['y.test.ts', '', ['packages/api/src/y.test.ts', 'tools/y.test.ts']],
  ['@shop/other: y.test.ts', '', ['packages/api/src/y.test.ts', 'tools/y.test.ts']],
  ['/workspace/tools/y.test.ts', '', ['tools/y.test.ts']],
  ['z.test.ts', '', []],
])('%s, as seen from "%s", is one of these files', (name, folder, meant) => {
  const file = fileOf(name)
  expect(file === null ? [] : new MeantFiles(paths, folder).of(file)).toEqual(meant)
})
