import { MOST_SAVED_VIEWS } from '@beadloom/core/api/projects/saved-views-api.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { demo, openTestStore, stepClock, world } from './testing.ts'

const other = parseProjectId('other')
const view = (name: string, over: object = {}) => ({ project: demo, name, search: 'q=a', isDefault: false, ...over })

function start() {
  const folder = mkdtempSync(join(tmpdir(), 'views-'))
  const store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: () => 0.5 })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  world(store, [])
  store.addProject({ id: other, source: '/repos/other' })
  const added = (name: string, over: object = {}): number => {
    const id = store.addSavedView(view(name, over))
    if (typeof id !== 'number') throw new Error(id)
    return id
  }
  const names = (project = demo) => store.savedViews(project).map(({ name }) => name)
  return { store, added, names }
}

test("a project's views come before shared ones, each in their order, and another project has only the latter", () => {
  const { added, names } = start()
  added('Everywhere', { project: null })
  added('Mine')
  added('Also mine')
  expect(names()).toEqual(['Mine', 'Also mine', 'Everywhere'])
  expect(names(other)).toEqual(['Everywhere'])
})

test('a name is used once, whatever its case, but a project may reuse a shared one', () => {
  const { store, added } = start()
  added('Urgent')
  expect(store.addSavedView(view('URGENT'))).toBe('name_taken')
  added('Urgent', { project: null })
  const id = added('Late')
  expect(store.changeSavedView(demo, id, { name: 'urgent' })).toBe('name_taken')
  expect(store.changeSavedView(demo, id, { name: 'LATE' })).toBe('changed')
})

test('the board opens with at most one: a new one replaces the former', () => {
  const { store, added } = start()
  const a = added('A', { isDefault: true })
  added('B', { isDefault: true })
  const all = added('All', { project: null, isDefault: true })
  const defaults = () => store.savedViews(demo).flatMap(({ name, isDefault }) => (isDefault ? [name] : []))
  expect(defaults()).toEqual(['B', 'All'])
  store.changeSavedView(demo, a, { isDefault: true })
  expect(defaults()).toEqual(['A', 'All'])
  store.changeSavedView(demo, all, { isDefault: false })
  expect(defaults()).toEqual(['A'])
})

test('views are moved in front of another, or to the end', () => {
  const { store, added, names } = start()
  const [a, b, c] = [added('A'), added('B'), added('C')]
  store.changeSavedView(demo, c, { before: a })
  expect(names()).toEqual(['C', 'A', 'B'])
  store.changeSavedView(demo, c, { before: null })
  store.changeSavedView(demo, b, { before: 999 })
  expect(names()).toEqual(['A', 'C', 'B'])
})

test('a view of another project is neither changed nor deleted, and a deleted one is gone', () => {
  const { store, added, names } = start()
  const id = added('Mine')
  expect(store.changeSavedView(other, id, { name: 'Theirs' })).toBe('unknown')
  expect(store.dropSavedView(other, id)).toBe(false)
  expect(store.dropSavedView(demo, id)).toBe(true)
  expect(names()).toEqual([])
})

test('their number is limited', () => {
  const { store, added } = start()
  for (let n = 0; n < MOST_SAVED_VIEWS; n++) added(`View ${n}`)
  expect(store.addSavedView(view('One more'))).toBe('too_many')
})
