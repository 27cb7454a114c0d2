import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { openStore } from './open-store.ts'
import { seededRandom } from './testing.ts'

function opened() {
  const folder = mkdtempSync(join(tmpdir(), 'sign-ins-'))
  const clock = new HandClock()
  const file = join(folder, 'beadloom.db')
  const store = openStore(file, { clock, random: seededRandom() })
  onTestFinished(() => {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const signIn = (subject: string) => ({ subject, name: subject, groups: ['a', 'b'], expiresAt: clock.now() + 1000 })
  return { store, clock, signIn }
}

test('who has signed in is known until they sign out or it expires', async () => {
  const { store, clock, signIn } = opened()
  store.addSignIn('one', signIn('ada'))
  store.addSignIn('two', signIn('ada'))
  expect(store.signIn('one')).toMatchObject({ name: 'ada', groups: ['a', 'b'] })
  store.endSignIn('one')
  expect([store.signIn('one'), store.signIn('three')]).toEqual([null, null])
  await clock.advance(999)
  expect(store.signIn('two')).not.toBeNull()
  await clock.advance(1)
  expect(store.signIn('two')).toBeNull()
})

test('of one person and in all only so many are kept, the newest', () => {
  const { store, signIn } = opened()
  for (let n = 0; n < 25; n++) store.addSignIn(`a${n}`, signIn('ada'))
  store.addSignIn('b', signIn('bob'))
  expect([store.signIn('a4'), store.signIn('a5')?.name, store.signIn('b')?.name]).toEqual([null, 'ada', 'bob'])
})
