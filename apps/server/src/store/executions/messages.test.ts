import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { sessionIdOf } from '@beadloom/core/records/ids.ts'
import { MOST_MESSAGES, MOST_MESSAGES_A_MINUTE, MOST_MESSAGES_IN_ALL } from '@beadloom/core/records/message.ts'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { demo, openTestStore, running, seededRandom, world } from '../testing.ts'

function open() {
  const folder = mkdtempSync(join(tmpdir(), 'bl-messages-'))
  const clock = new HandClock()
  const store = openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  world(store, ['a-1'])
  const id = running(store, 'a-1')
  const session = sessionIdOf(id, 1)
  store.startSession({ id: session, execution: id, number: 1, kind: 'work', attempt: 1 })
  const say = (text: string) => store.addMessage({ execution: id, by: 'Ada', text, when: 'step' })
  return { store, id, session, say, clock }
}

test('messages are delivered once, in order, to one session', () => {
  const { store, id, session, say } = open()
  expect(say('one')).toMatchObject({ id: 1, state: 'waiting', by: 'Ada' })
  say('two')
  const place = { at: 3, after: 'result of c' }
  store.messagesDelivered(session, 'gateway', [{ id: 1, place }])
  store.messagesDelivered(session, 'prompt', [
    { id: 1, place: null },
    { id: 2, place: null },
  ])
  expect(store.messages(id)).toMatchObject([
    { text: 'one', state: 'delivered', delivered: { session, through: 'gateway' }, place },
    { text: 'two', state: 'delivered', delivered: { session, through: 'prompt' }, place: null },
  ])
  expect(store.waitingMessages(id)).toEqual([])
  const told = store.events(id, 0, 100).filter(({ type }) => type === 'message_delivered')
  expect(told.map(({ data }) => data)).toEqual([
    { id: 1, through: 'gateway' },
    { id: 2, through: 'prompt' },
  ])
})

test('what is in the prompt of a session that never began waits for the next one', () => {
  const { store, id, session, say } = open()
  say('one')
  say('two')
  store.messagesDelivered(session, 'gateway', [{ id: 1, place: null }])
  store.messagesDelivered(session, 'prompt', [{ id: 2, place: null }])
  const other = sessionIdOf(id, 2)
  store.startSession({ id: other, execution: id, number: 2, kind: 'work', attempt: 1 })
  store.sessionRunning(other, 'c1')
  say('three')
  store.messagesDelivered(other, 'prompt', [{ id: 3, place: null }])
  store.endSession(session, 'infra_error', null, 'no container')
  store.endSession(other, 'infra_error', null, 'it was gone')
  expect(store.waitingMessages(id)).toMatchObject([{ text: 'two', state: 'waiting' }])
  expect(store.waitingMessages(id)[0]).not.toHaveProperty('delivered')
})

test('a message for all is one for each session that works, and one that works no more is refused', () => {
  const { store, id, session } = open()
  const other = sessionIdOf(id, 2)
  store.startSession({ id: other, execution: id, number: 2, kind: 'work', attempt: 1 })
  const say = (to: string) => store.addMessage({ execution: id, by: '', text: 'you', when: 'step', to })
  expect(say('all')).toMatchObject({ to: session })
  expect(say(other)).toMatchObject({ to: other })
  expect(store.waitingMessages(id).map(({ to }) => to)).toEqual([session, other, other])
  expect(say(sessionIdOf(id, 7))).toMatchObject({
    code: 'no_such_agent',
    refused: expect.stringContaining('no agent works in the session'),
  })
})

test('a message is for the session that it names while that works, and never for the reviewer of a phase', () => {
  const { store, id, session } = open()
  const [other, review] = [sessionIdOf(id, 2), sessionIdOf(id, 3)]
  store.startSession({ id: other, execution: id, number: 2, kind: 'work', attempt: 1 })
  store.startSession({
    id: review,
    execution: id,
    number: 3,
    kind: 'work',
    attempt: 1,
    phase: { role: 'review', subtask: '' },
  })
  const say = (to: string) => store.addMessage({ execution: id, by: '', text: 'you', when: 'step', to })
  say('all')
  expect(store.waitingMessages(id).map(({ to }) => to)).toEqual([session, other])
  expect(say(review)).toMatchObject({ refused: expect.stringContaining('no agent works in the session') })
  expect(store.messageReaders(id)).toEqual([session, other])
})

test('an execution is closed for messages only if none waits, and can be opened again', () => {
  const { store, id, session, say } = open()
  say('one')
  expect(store.closeMessages(id)).toBe(false)
  store.messagesDelivered(session, 'prompt', [{ id: 1, place: null }])
  expect(store.closeMessages(id)).toBe(true)
  expect(say('two')).toMatchObject({ refused: expect.stringContaining('is being merged') })
  store.openMessages(id)
  expect(say('two')).toMatchObject({ state: 'waiting' })
})

test('an end refuses what waits and what comes later, and goes with its project', () => {
  const { store, id, say } = open()
  say('one')
  store.endExecution(id, { state: 'CANCELLED', detail: 'x' })
  expect(store.messages(id)).toMatchObject([{ state: 'refused' }])
  expect(say('two')).toMatchObject({ refused: expect.stringContaining('run its bead again') })
  store.removeProject(demo)
  expect(store.messages(id)).toEqual([])
})

test('the number of waiting messages has a bound', () => {
  const { say } = open()
  for (let n = 0; n < MOST_MESSAGES; n += 1) expect(say(`${n}`)).toMatchObject({ state: 'waiting' })
  expect(say('more')).toMatchObject({ refused: expect.stringContaining('wait for the agent') })
})

test('the number of messages within a minute has a bound, and so has their number in all', () => {
  const { store, id, session, say, clock } = open()
  const heard = (text: string) => {
    const said = say(text)
    if ('id' in said) store.messagesDelivered(session, 'gateway', [{ id: said.id, place: null }])
    return said
  }
  for (let n = 0; n < MOST_MESSAGES_A_MINUTE; n += 1) expect(heard(`${n}`)).toMatchObject({ state: 'waiting' })
  expect(heard('more')).toMatchObject({ refused: expect.stringMatching(/within a minute: send yours in a minute/) })
  for (let n = MOST_MESSAGES_A_MINUTE; n < MOST_MESSAGES_IN_ALL; n += 1) {
    clock.advance(n === MOST_MESSAGES_A_MINUTE ? 60_000 : 1_000)
    expect(heard(`${n}`)).toMatchObject({ state: 'waiting' })
  }
  clock.advance(3_600_000)
  expect(heard('more')).toMatchObject({ refused: expect.stringMatching(/no more are taken: once it has ended, run/) })
  expect(store.messages(id)).toHaveLength(MOST_MESSAGES_IN_ALL)
})
