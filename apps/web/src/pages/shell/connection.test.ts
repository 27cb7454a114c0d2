import { expect, test } from 'vitest'
import { describeConnection } from './connection.ts'
import { isStale } from '../../feed/feed-context.tsx'
import type { LiveState } from '../../feed/feed.ts'
import type { Link } from '../../feed/live-socket.ts'

const NOW = 1_000_000
const state = (link: Link, given: Partial<LiveState> = {}): LiveState => ({
  link,
  lastFrameAt: NOW,
  skew: 0,
  newBuild: false,
  topics: {},
  ...given,
})
const text = (link: Link, given: Partial<LiveState> = {}, online = true) =>
  describeConnection(state(link, given), NOW, online).text

test('live data says its age only when it has one', () => {
  expect(text({ is: 'live' })).toBe('live')
  expect(text({ is: 'live' }, { lastFrameAt: NOW - 9400 })).toBe('live 9 s')
})
test('a lost connection says how old the data is, and whether this computer is offline', () => {
  const lost: Link = { is: 'lost', since: NOW, attempt: 3 }
  expect(text(lost)).toMatch(/^reconnecting, data as of \d\d:\d\d:\d\d$/)
  expect(text(lost, {}, false)).toBe('offline, retrying')
})
test('a new version asks for a reload', () => {
  expect(text({ is: 'live' }, { newBuild: true })).toBe('new version, reload')
  expect(text({ is: 'outdated' })).toBe('new version, reload')
})
test('data is stale ten seconds after the last sign of the server', () => {
  expect(isStale(state({ is: 'live' }), NOW)).toBe(false)
  expect(isStale(state({ is: 'lost', since: NOW - 9_000, attempt: 1 }), NOW)).toBe(false)
  expect(isStale(state({ is: 'lost', since: NOW - 11_000, attempt: 1 }), NOW)).toBe(true)
  expect(isStale(state({ is: 'signed-out' }), NOW)).toBe(true)
})
