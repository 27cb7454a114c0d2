import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { openTestStore, seededRandom } from './testing.ts'

function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'sign-ins-'))
  const clock = new HandClock()
  const file = join(folder, 'beadloom.db')
  const store = openTestStore(file, { clock, random: seededRandom() })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const person = (subject: string, via: 'token' | 'oidc' = 'oidc') => ({
    via,
    subject,
    name: subject,
    groups: ['a', 'b'],
    browser: 'Firefox on Linux',
    expiresAt: clock.now() + 1000,
  })
  const add = (key: string, subject: string, via?: 'token' | 'oidc', server = 'one') =>
    store.addSignIn({ key, page: `page of ${key}` }, server, person(subject, via))
  return { store, clock, add }
}

test('a person who has signed in is known until they sign out or it expires', async () => {
  const { store, clock, add } = opened()
  add('one', 'ada')
  add('two', 'ada')
  const one = store.signIn('one')
  expect(one).toMatchObject({ name: 'ada', groups: ['a', 'b'], page: 'page of one', beganAt: clock.now() })
  const id = one?.id ?? 0
  expect([store.isSignedIn(id), store.endSignIn(id), store.isSignedIn(id), store.endSignIn(id)]).toEqual([
    true,
    true,
    false,
    false,
  ])
  expect([store.signIn('one'), store.signIn('three')]).toEqual([null, null])
  await clock.advance(999)
  expect(store.signIns().map(({ name }) => name)).toEqual(['ada'])
  await clock.advance(1)
  expect([store.signIn('two'), store.signIns()]).toEqual([null, []])
})

test('only the newest are kept: a limited number per person, for the token, and in all', () => {
  const { store, add } = opened()
  for (let n = 0; n < 25; n++) add(`a${n}`, 'ada')
  for (let n = 0; n < 55; n++) add(`t${n}`, '', 'token')
  add('b', 'bob')
  expect([store.signIn('a4'), store.signIn('a5')?.name, store.signIn('b')?.name]).toEqual([null, 'ada', 'bob'])
  expect([store.signIn('t4'), store.signIn('t5')?.via]).toEqual([null, 'token'])
  expect(store.signIns().at(0)?.name).toBe('bob')
})

test('a browser that signs in again keeps its row, and its former value is worthless', async () => {
  const { store, clock, add } = opened()
  add('one', '', 'token')
  const { id = 0, beganAt } = store.signIn('one') ?? {}
  await clock.advance(500)
  store.renewSignIn(id, { key: 'two', page: 'new' }, { browser: 'Firefox on macOS', expiresAt: clock.now() + 1000 })
  expect(store.signIn('one')).toBeNull()
  expect(store.signIn('two')).toMatchObject({ id, beganAt, usedAt: clock.now(), page: 'new' })
  await clock.advance(600)
  store.useSignIn(id)
  expect(store.signIns()).toMatchObject([{ id, usedAt: clock.now(), browser: 'Firefox on macOS' }])
})

test('another access token ends sign-ins under the one before', () => {
  const { store, add } = opened()
  add('one', '', 'token', 'before')
  add('two', 'ada', 'oidc', 'now')
  store.keepSignIns('now')
  expect(store.signIns().map(({ name }) => name)).toEqual(['ada'])
})
