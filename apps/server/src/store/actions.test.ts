import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bead, demo, executionId, openTestStore, queued, seededRandom, stepClock, tracked } from './testing.ts'

function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'actions-'))
  const file = join(folder, 'beadloom.db')
  let store = openTestStore(file, { clock: stepClock(), random: seededRandom() })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  store.addProject({ id: demo, source: '/somewhere' })
  store.addBead(tracked('bl-1'))
  const again = () => {
    store.close()
    return (store = openTestStore(file, { clock: stepClock(), random: seededRandom() }))
  }
  return { store, again }
}

const ada = { by: 'ada', via: 'header', about: '' } as const

test('an action is known before it is done, and afterwards with its result', () => {
  const { store, again } = opened()
  const id = store.beginAction({ ...ada, action: 'queued', project: demo, bead: 'bl-1' })
  // The server dies here: the log has who asked.
  const after = again()
  expect(after.actions({ limit: 9 })).toMatchObject([{ id, by: 'ada', done: false, execution: null }])
  after.endAction(id, { project: demo, bead: 'bl-1', execution: executionId('a') })
  expect(after.actionsOnBead(demo, bead('bl-1'), 9)).toMatchObject([{ id, done: true, execution: executionId('a') }])
  expect(after.actionsOnExecution(executionId('a'), 9)).toHaveLength(1)
})

test('an action on an execution belongs to its bead, and is among its events with the name', () => {
  const { store } = opened()
  const id = queued(store, 'bl-1')
  const before = store.events(id, 0, 100).length
  store.endAction(store.beginAction({ ...ada, action: 'cancelled', execution: id }), {})
  store.endAction(store.beginAction({ ...ada, by: 'token', via: 'token', action: 'retried', execution: id }), {})
  expect(store.actionsOnBead(demo, bead('bl-1'), 9).map(({ action, by }) => [action, by])).toEqual([
    ['retried', 'token'],
    ['cancelled', 'ada'],
  ])
  expect(store.events(id, 0, 100).slice(before)).toMatchObject([
    { type: 'action', data: { by: 'ada', via: 'header', action: 'cancelled' } },
  ])
})

test('a refused action leaves nothing, and other entries outlive their project', () => {
  const { store } = opened()
  store.dropAction(store.beginAction({ ...ada, action: 'project_paused', project: demo }))
  store.endAction(store.beginAction({ ...ada, action: 'project_removed', project: demo }), {})
  store.removeProject(demo)
  expect(store.actions({ project: demo, limit: 9 })).toMatchObject([{ action: 'project_removed', by: 'ada' }])
  expect(store.actions({ limit: 9, before: 1 })).toEqual([])
})

test('an execution was started by who ran it, however much others have said to its agent', () => {
  const { store } = opened()
  const id = queued(store, 'bl-1')
  const act = (by: string, action: 'told' | 'queued') =>
    store.endAction(store.beginAction({ ...ada, by, action, execution: id }), {})
  act('bob', 'told')
  expect(store.startOfExecution(id)).toBeUndefined()
  act('ada', 'queued')
  for (let said = 0; said < 120; said++) act('bob', 'told')
  expect(store.startOfExecution(id)).toMatchObject({ by: 'ada', action: 'queued' })
})
