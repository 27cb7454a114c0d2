import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { openTestStore, running, seededRandom, world } from '../testing.ts'

function open() {
  const clock = new HandClock()
  const folder = mkdtempSync(join(tmpdir(), 'bl-courses-'))
  const store = openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  world(store, ['a-1'])
  return { store, id: running(store, 'a-1') }
}

test('a change keeps what it does not name, moves the deadline, and is told', () => {
  const { store, id } = open()
  const { startedAt } = store.execution(id)!
  expect(store.changeCourse(id, { model: 'quick' }, 'Ada')).toMatchObject({ course: { model: 'quick' } })
  expect(store.changeCourse(id, { executionTimeoutMs: 7_200_000 }, '')).toMatchObject({
    course: { model: 'quick', executionTimeoutMs: 7_200_000 },
    deadlineAt: startedAt! + 7_200_000,
  })
  const told = store.events(id, 0, 100).filter(({ type }) => type === 'course_changed')
  expect(told.map(({ data }) => data)).toEqual([
    { by: 'Ada', model: 'quick' },
    { by: '', executionTimeoutMs: 7_200_000 },
  ])
})

test('a time limit that is over already is refused, and so is a change to what does not run', () => {
  const { store, id } = open()
  store.noteElapsed(id, 90_000)
  const refused = store.changeCourse(id, { executionTimeoutMs: 60_000 }, '')
  expect(refused).toEqual({ refused: expect.stringContaining('has already run for') })
  expect(store.execution(id)).not.toHaveProperty('course')
  store.requestCancel(id)
  expect(store.changeCourse(id, { model: 'quick' }, '')).toEqual({ refused: expect.stringContaining('being stopped') })
})
