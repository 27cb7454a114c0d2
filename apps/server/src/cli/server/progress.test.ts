import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { OpenStore } from '../../store/open-store.ts'
import { openTestStore, running, seededRandom, stepClock, world } from '../../store/testing.ts'
import { showProgress } from './progress.ts'

const closings: (() => void)[] = []
afterEach(() => closings.splice(0).forEach((close) => close()))

const clock = stepClock()

function opened(): OpenStore {
  const folder = mkdtempSync(join(tmpdir(), 'progress-'))
  const store = openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  closings.push(() => {
    store.close()
    rmSync(folder, { recursive: true })
  })
  world(store, ['bl-1', 'bl-2'])
  return store
}

function shown(store: OpenStore): string[] {
  const lines: string[] = []
  showProgress(store, null, clock.now(), (line) => lines.push(line.trim().replaceAll(/ +/g, ' ')))
  return lines
}

test('earlier events are not printed again, however many, and later ones are', () => {
  const store = opened()
  const id = running(store, 'bl-1')
  for (let at = 0; at < 300; at++) store.addEvent(id, null, 'warning', { text: `old ${at}` })
  const lines = shown(store)
  store.addEvent(id, null, 'warning', { text: 'new' })
  store.addEvent(id, null, 'message', { text: 'nobody wants it' })
  store.addEvent(id, null, 'integrated', { branch: 'main' })
  expect(lines).toEqual(['bl-1 new', 'bl-1 merged into main'])
})

test('for an execution that ended long ago only its news is printed', () => {
  const store = opened()
  const id = running(store, 'bl-1')
  store.addEvent(id, null, 'warning', { text: 'old' })
  store.endExecution(id, { state: 'FAILED', reason: 'infra_error', detail: 'no engine' })
  const lines = shown(store)
  store.addEvent(id, null, 'integrated', { branch: 'main' })
  store.addEvent(id, null, 'warning', { text: 'the branch is gone' })
  expect(lines).toEqual(['bl-1 merged into main', 'bl-1 the branch is gone'])
})

test('an execution that begins later is reported from its start', () => {
  const store = opened()
  const lines = shown(store)
  running(store, 'bl-2')
  expect(lines.at(-1)).toMatch(/bl-2 RUNNING: bead bl-2$/)
})
