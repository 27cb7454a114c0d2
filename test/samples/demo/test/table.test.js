import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderTable } from '../src/index.js'

test('prints rows in columns below a heading', () => {
  const table = renderTable([
    ['file', 'lines'],
    ['readme.md', 42],
    ['a.js', 7],
  ])
  assert.equal(table, ['file       lines', '---------  -----', 'readme.md  42', 'a.js       7'].join('\n'))
})

test('truncates cells that are too wide', () => {
  assert.equal(renderTable([['name'], ['a very long name']], { maxWidth: 8 }), 'name\n--------\na very …')
})

test('prints nothing for no rows', () => {
  assert.equal(renderTable([]), '')
})
