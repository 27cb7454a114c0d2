import type { PushView } from '@beadloom/core/api/projects/environment-api.ts'
import { expect, test } from 'vitest'
import { followPush } from './follow-push.ts'

/* A made-up server: its answers, look by look. */

const view = (state: PushView['state'], text: string): PushView => ({
  state,
  text,
  project: 'library',
  registry: 'registry.example/beadloom',
  commit: null,
  image: null,
  startedAt: 0,
  endedAt: null,
})

test('a push is followed to its end, whatever that is, and its progress is on one line', async () => {
  const looks = [view('running', '1 of 7\nlayers\u001b[2J are there'), view('failed', 'The registry refused it.')]
  const told: (string | null)[] = []
  const waits: number[] = []
  const end = await followPush({
    begin: async () => view('running', 'preparing'),
    look: async () => looks.shift()!,
    sleep: async (ms) => void waits.push(ms),
    tell: (text) => told.push(text),
  })
  expect(end).toMatchObject({ state: 'failed', text: 'The registry refused it.' })
  expect(told).toEqual(['preparing', expect.stringContaining('1 of 7'), null])
  expect(told[1]?.split('\n')).toHaveLength(1)
  expect(told[1]).not.toContain('\u001b')
  expect(waits).toHaveLength(2)
})

test('a push that can no longer be queried says nothing further', async () => {
  const told: (string | null)[] = []
  const lost = followPush({
    begin: async () => view('running', 'preparing'),
    look: () => Promise.reject(new Error('the server is away')),
    sleep: async () => {},
    tell: (text) => told.push(text),
  })
  await expect(lost).rejects.toThrow('away')
  expect(told).toEqual(['preparing', null])
})
