import { expect, test } from 'vitest'
import { AlikePaths } from './alike-paths.ts'
import { isSamePath } from './names.ts'

test('looking a path up among many gives the same as comparing it with each', () => {
  const paths = ['a', 'b/a', 'c/b/a', 'x/y', 'x/y/z', '/y', 'y/', '', 'ab/a', 'z']
  for (const one of paths)
    for (const held of [[], ['x/y'], ['c/b/a'], ['b/a', 'x/y/z'], ['a'], ['/y'], ['y/']]) {
      const isSame = one !== '' && held.some((path) => isSamePath(one, path))
      expect(new AlikePaths(held).has(one), `${one} in ${held.join(' ')}`).toBe(isSame)
    }
})
