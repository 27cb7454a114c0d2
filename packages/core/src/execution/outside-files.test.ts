import { expect, test, vi } from 'vitest'
import { namesIn, outsideFiles } from './outside-files.ts'

const there = ['README.md', 'src/cart/total.ts', 'src/cart/tax.ts', 'src/user/login.ts', 'tools/release.sh']
const outside = (task: string, changed: string[], planned: string[] = []) =>
  outsideFiles(namesIn({ task, planned }), changed, there)

test('a task that names no file of the repository says nothing about any', () => {
  expect(outside('The total is wrong with Node.js 24, e.g. on 2.3.4', ['src/user/login.ts'])).toBeNull()
  expect(outside('See https://example.org/src/cart/total.ts', ['src/user/login.ts'])).toBeNull()
})

test('files that a task names, their folder and their tests belong to it', () => {
  const task = 'Round the tax in `src/cart/total.ts` (see README.md).'
  expect(outside(task, ['src/cart/total.ts', 'src/cart/round.ts', 'README.md', 'test/total.test.ts'])).toEqual([])
  expect(
    outside('Fix total.ts.', ['src/cart/total.ts', 'src/cart/tax.ts', 'lib/total.d.ts', 'src/cart/total.spec.ts']),
  ).toEqual([])
  expect(outside('Everything in src/cart/ is slow', ['src/cart/deep/new.ts'])).toEqual([])
})

test('a name without a folder says nothing if that file was left alone', () => {
  expect(outside('A broken README.md must not stop the server', ['src/user/login.ts'])).toBeNull()
  expect(outside('Fix src/cart/total.ts', ['src/user/login.ts'])).toEqual(['src/user/login.ts'])
})

test('other files do not belong, except those that change along with anything', () => {
  const task = 'Round the tax in src/cart/total.ts'
  expect(outside(task, ['src/cart/total.ts', 'src/user/login.ts', 'tools/release.sh'])).toEqual([
    'src/user/login.ts',
    'tools/release.sh',
  ])
  expect(outside(task, ['package.json', 'pnpm-lock.yaml', 'CHANGELOG.md', 'src/x/__snapshots__/a.snap'])).toEqual([])
  expect(outside('Say more in README.md', ['README.md', 'LICENSE'])).toEqual(['LICENSE'])
})

test('files that a plan names count like those that the bead names', () => {
  expect(outside('Carts', ['src/user/login.ts', 'tools/release.sh'], ['src/user/'])).toEqual(['tools/release.sh'])
})

test('folders are found whichever of them is in another, and however similar their names are', () => {
  const task = 'Tidy src/cart/, src/cart/deep/ and src/car/'
  const changed = ['src/cart/deep/a.ts', 'src/car/b.ts', 'src/cars/c.ts', 'src/carton/d.ts', 'src/cart/z.ts']
  expect(outside(task, changed)).toEqual(['src/cars/c.ts', 'src/carton/d.ts'])
})

test('a name that a thousand changed files have makes a thousand folders, without comparing each file', () => {
  const changed = Array.from({ length: 1_000 }, (_, at) => [`a${at}/index.ts`, `b${at}/other.ts`]).flat()
  const [begins, ends] = [vi.spyOn(String.prototype, 'startsWith'), vi.spyOn(String.prototype, 'endsWith')]
  const found = outside('Export it in index.ts', changed)
  const compared = begins.mock.calls.length + ends.mock.calls.length
  begins.mockRestore()
  ends.mockRestore()
  expect(found).toHaveLength(1_000)
  expect(compared).toBeLessThan(10 * changed.length)
})
