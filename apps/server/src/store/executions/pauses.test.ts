import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { openTestStore, running, seededRandom, world } from '../testing.ts'

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'bl-pauses-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const clock = new HandClock()
  const again = () => openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  const store = again()
  world(store, ['a-1'])
  return { store, clock, again, id: running(store, 'a-1') }
}
const wish = { ms: 1000, atEnd: 'stop', by: 'Ada' } as const

test('a pause is a wish until something waits for it, outlives the server, and is over once that has a slot', () => {
  const { store, clock, again, id } = open()
  const since = clock.now()
  const pause = { since, until: since + 1000, atEnd: 'stop', by: 'Ada', held: false }
  expect(store.pauseExecution(id, wish)).toMatchObject({ paused: pause, waits: null })
  store.holdByPause(id)
  store.close()
  const next = again()
  onTestFinished(() => next.close())
  expect(next.execution(id)).toMatchObject({ waits: { kind: 'pause', ...pause, held: true } })
  clock.jump(400)
  expect(next.resumeExecution(id, 'Bob')).toMatchObject({ waits: { kind: 'pause', resumed: true } })
  next.resumeExecution(id, 'Bob')
  next.endPause(id)
  const { waits, paused } = next.execution(id)!
  expect([waits, paused]).toEqual([null, undefined])
  const told = next.events(id, 0, 100).filter(({ type }) => type === 'paused' || type === 'resumed')
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ['paused', { by: 'Ada', until: since + 1000, atEnd: 'stop' }],
    ['resumed', { by: 'Bob', after: 400 }],
  ])
})

test('a question is asked once for each session, and nobody can pause what waits for its answer', () => {
  const { store, clock, id } = open()
  const [session, other] = [1, 2].map((number) => {
    const named = sessionIdOf(id, number)
    store.startSession({ id: named, execution: id, number, kind: 'work', attempt: 1 })
    return named
  })
  const asked = { question: 'Which one?', ms: 500, reads: true }
  expect(store.askPerson(id, [{ session: session!, question: 'Which?' }], asked)).toBe('asked')
  expect(store.execution(id)!.waits).toMatchObject({ kind: 'pause', question: 'Which one?', until: clock.now() + 500 })
  expect(store.pauseExecution(id, wish)).toEqual({ refused: expect.stringContaining('waits for an answer') })
  store.resumeExecution(id, 'Ada')
  store.endPause(id)
  expect(store.execution(id)!.waits).toBeNull()
  expect(store.askPerson(id, [{ session: session!, question: 'Which?' }], asked)).toBe('over')
  expect(store.execution(id)!.waits).toBeNull()
  expect(store.askPerson(id, [{ session: other!, question: 'Which?' }], asked)).toBe('asked')
  store.close()
})

test('a question waits until a pause of the same moment is over', () => {
  const { store, id } = open()
  const session = sessionIdOf(id, 1)
  store.startSession({ id: session, execution: id, number: 1, kind: 'work', attempt: 1 })
  store.pauseExecution(id, wish)
  const [by, asked] = [[{ session, question: 'Which one?' }], { question: 'Which one?', ms: 500, reads: true }]
  expect(store.askPerson(id, by, asked)).toBe('later')
  expect(store.execution(id)!.paused).toMatchObject({ by: wish.by, atEnd: wish.atEnd })
  store.resumeExecution(id, 'Ada')
  expect(store.askPerson(id, by, asked)).toBe('asked')
  expect(store.execution(id)!.paused).toMatchObject({ question: 'Which one?' })
  store.close()
})

test('a pause that nothing waits for yet ends at once', () => {
  const { store, id } = open()
  store.pauseExecution(id, wish)
  expect(store.resumeExecution(id, '')).not.toHaveProperty('paused')
  expect(store.resumeExecution(id, '')).toEqual({ refused: expect.stringContaining('is not paused') })
  store.close()
})

test('another pause has the new wishes and keeps its beginning; after a resume it is a new one', () => {
  const { store, clock, id } = open()
  const since = clock.now()
  store.pauseExecution(id, wish)
  store.holdByPause(id)
  clock.jump(100)
  const more = { ms: 5000, atEnd: 'resume', by: '' } as const
  expect(store.pauseExecution(id, more)).toMatchObject({
    paused: { since, until: since + 5100, atEnd: 'resume', held: true },
  })
  store.resumeExecution(id, '')
  expect(store.pauseExecution(id, wish)).toMatchObject({ paused: { since: since + 100, held: true } })
  expect(store.execution(id)?.paused).not.toHaveProperty('resumed')
  store.close()
})

test('only what runs is paused, and an end ends the pause', () => {
  const { store, id } = open()
  store.pauseExecution(id, wish)
  store.holdByPause(id)
  store.requestCancel(id)
  expect(store.pauseExecution(id, wish)).toEqual({ refused: expect.stringContaining('already being stopped') })
  store.endExecution(id, { state: 'CANCELLED', detail: 'x' })
  const { waits, paused } = store.execution(id)!
  expect([waits, paused]).toEqual([null, undefined])
  expect(store.pauseExecution(id, wish)).toEqual({ refused: expect.stringContaining('already ended') })
  expect(store.pauseExecution('ex-0000000000' as typeof id, wish)).toEqual({
    refused: 'there is no execution ex-0000000000',
  })
  store.close()
})
