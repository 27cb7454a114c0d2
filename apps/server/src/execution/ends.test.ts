import { expect, test } from 'vitest'
import { endOfExit } from './ends.ts'

const ended = { code: 143, oomKilled: false, lost: false, startedAt: 0, finishedAt: 1 }

test('a session that somebody else has asked to end was stopped from outside', () => {
  expect(endOfExit(ended, 1024, 'stopped')).toMatchObject({ kind: 'stopped_outside' })
})

test('one whose engine took its container away says so, in the engine’s words, and its retry policy decides', () => {
  const why = 'its pod on node1 has ended (Evicted: The node was low on resource: memory)'
  const end = endOfExit({ ...ended, code: -1, lost: true, why }, 1024, 'stopped')
  expect(end).toMatchObject({ kind: 'container_lost', detail: expect.stringContaining(why) })
})
