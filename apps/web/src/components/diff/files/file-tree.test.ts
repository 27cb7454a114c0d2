import { expect, test } from 'vitest'
import { treeRows, treeStep } from './file-tree.ts'

const paths = ['README.md', 'apps/web/src/a/one.ts', 'apps/web/src/a/two.ts', 'apps/web/src/b.ts', 'docs/x/y.md']
const all = paths.map((_, at) => at)
const drawn = (closed: string[] = [], shown = all) =>
  treeRows(paths, shown, new Set(closed)).map(
    ({ depth, name, is, place, of }) => `${'  '.repeat(depth - 1)}${name}${is === 'folder' ? '/' : ''} ${place}/${of}`,
  )

test('a folder with a single subfolder is one row with it; files keep their order', () => {
  expect(drawn()).toEqual([
    'README.md 1/3',
    'apps/web/src/ 2/3',
    '  a/ 1/2',
    '    one.ts 1/2',
    '    two.ts 2/2',
    '  b.ts 2/2',
    'docs/x/ 3/3',
    '  y.md 1/1',
  ])
  expect(drawn(['apps/web/src/a/', 'docs/x/'])).toEqual([
    'README.md 1/3',
    'apps/web/src/ 2/3',
    '  a/ 1/2',
    '  b.ts 2/2',
    'docs/x/ 3/3',
  ])
  expect(drawn([], [2])).toEqual(['apps/web/src/a/ 1/1', '  two.ts 1/1'])
  expect(drawn([], [])).toEqual([])
})

test('a folder knows all files below it', () => {
  const folders = treeRows(paths, all, new Set()).flatMap((row) => (row.is === 'folder' ? [[row.key, row.files]] : []))
  expect(folders).toEqual([
    ['apps/web/src/', [1, 2, 3]],
    ['apps/web/src/a/', [1, 2]],
    ['docs/x/', [4]],
  ])
})

test('folders of any depth are no trouble', () => {
  const deep = `${'d/'.repeat(2000)}file`
  expect(treeRows([deep, `${'d/'.repeat(1999)}other`], [0, 1], new Set())).toHaveLength(4)
})

test('arrows move along the rows, into folders and out of them', () => {
  const rows = treeRows(paths, all, new Set(['docs/x/']))
  expect(treeStep(rows, 0, 'ArrowUp')).toEqual({ to: 0 })
  expect(treeStep(rows, 1, 'ArrowRight')).toEqual({ to: 2 })
  expect(treeStep(rows, 6, 'ArrowRight')).toEqual({ toggle: 'docs/x/' })
  expect(treeStep(rows, 6, 'ArrowDown')).toEqual({ to: 6 })
  expect(treeStep(rows, 4, 'ArrowLeft')).toEqual({ to: 2 })
  expect(treeStep(rows, 5, 'ArrowLeft')).toEqual({ to: 1 })
  expect(treeStep(rows, 2, 'ArrowLeft')).toEqual({ toggle: 'apps/web/src/a/' })
  expect(treeStep(rows, 3, 'End')).toEqual({ to: 6 })
  expect(treeStep(rows, 3, 'x')).toBeNull()
  expect(treeStep([], -1, 'ArrowRight')).toBeNull()
})
