import { expect, test } from 'vitest'
import { proposedAllow, reachedWords, type EgressEntry, type EgressOutcome } from './ledger.ts'
import { networkText } from './network-words.ts'

const entry = (host: string, outcome: EgressOutcome, port = 443): EgressEntry => ({ host, port, outcome, count: 1, sent: 0, received: 0, firstAt: 1, lastAt: 2 }) // prettier-ignore

const listed = { network: 'none' as const, allow: ['a.org'] }

test('hosts are counted once, however they were requested', () => {
  const entries = [
    entry('a.org', 'reached'),
    entry('a.org', 'refused', 22),
    entry('b.org', 'refused'),
    entry('b.org', 'refused', 80),
  ]
  expect(reachedWords(entries, listed)).toBe('git, model, 1 of 2 hosts')
  expect(reachedWords([...entries, entry('', 'refused', 0)], listed)).toBe('git, model, 1 of 2 or more hosts')
  expect(reachedWords([entry('a.org', 'reached')], listed)).toBe('git, model, 1 of 1 host')
  expect(reachedWords([], listed)).toBe('git, model, no host outside')
  expect(reachedWords([], { network: 'none', allow: [] })).toBe('git, model')
  expect(reachedWords([], { network: 'bridge', allow: [] })).toContain('not recorded')
})

test('a tool of the model’s endpoint is named, and is no host', () => {
  const search = { ...entry('web_search', 'reached', 0), count: 3 }
  expect(reachedWords([search], { network: 'none', allow: [] })).toBe('git, model, web_search by its endpoint (3×)')
  expect(reachedWords([search, entry('a.org', 'refused')], listed)).toBe(
    'git, model, web_search by its endpoint (3×), 0 of 1 host',
  )
  expect(reachedWords([search], { network: 'bridge', allow: [] })).toMatch(/web_search.*, the whole network/)
  expect(proposedAllow([], [search])).toEqual([])
})

test('a list is proposed with the refused hosts, and nothing private', () => {
  const entries = [entry('b.org', 'refused'), entry('b.org', 'refused', 80), entry('a.org', 'refused', 8080), entry('c.org', 'private'), entry('d.org', 'failed'), entry('127.0.0.1', 'refused'), entry('x.e.org', 'refused')] // prettier-ignore
  expect(proposedAllow(['*.e.org'], entries)).toEqual(['*.e.org', 'a.org:8080', 'b.org'])
})

test('an agent is told which network there is', () => {
  expect(networkText({ network: 'none', allow: [] })).toContain('has none')
  expect(networkText({ network: 'bridge', allow: [] })).toContain('full access')
  expect(networkText({ network: 'none', allow: ['a.org', '*.b.org'] })).toMatch(/only these hosts.*a\.org, \*\.b\.org/)
})
