import { describe, expect, test } from 'vitest'
import type { FoundSecret } from '../secrets/found-secret.ts'
import { secretVerdict, type SearchedSecrets } from './secret-verdict.ts'

const secretOf = (path: string, patch: Partial<FoundSecret> = {}): FoundSecret => ({
  rule: 'a-rule',
  path,
  line: 1,
  commit: '',
  secret: 's',
  refused: true,
  ...patch,
})
const sentence = ({ path }: FoundSecret) => `${path} has a key`
const found = (patch: Partial<SearchedSecrets>): SearchedSecrets => ({
  now: [],
  before: [],
  unread: [],
  unsearched: [],
  ...patch,
})
const allowing = (...findings: string[]) => [{ commit: 'c', findings, why: 'a sample', by: 'ann', at: 1 }]
const [key, sample] = [secretOf('a.env'), secretOf('docs/a.md', { refused: false })]
const verdict = (some: Partial<SearchedSecrets>, mode: 'refuse' | 'tell' = 'refuse', allowed = allowing()) =>
  secretVerdict(found(some), mode, allowed, sentence)

describe('what looks like a secret', () => {
  test('fails the attempt if a present file has it', () => {
    expect(verdict({ now: [key] })).toEqual({
      findings: ['a.env has a key'],
      refused: ['a.env has a key'],
      hidden: false,
      text: 'a.env has a key',
    })
  })

  test('is only told where samples are expected, and where the project only wants to know', () => {
    expect(verdict({ now: [sample] })).toMatchObject({ findings: ['docs/a.md has a key'], refused: [] })
    expect(verdict({ now: [key], before: [key] }, 'tell')).toMatchObject({ refused: [], hidden: false })
  })

  test('is told with the person who allowed it, and refused no more', () => {
    expect(verdict({ now: [key] }, 'refuse', allowing('a.env has a key'))).toMatchObject({
      refused: [],
      text: 'a.env has a key; allowed by ann: a sample',
    })
  })

  test('is refused although another one was allowed', () => {
    const both = { now: [key, secretOf('b.env')] }
    expect(verdict(both, 'refuse', allowing('a.env has a key'))).toMatchObject({
      refused: ['b.env has a key'],
      text: 'a.env has a key; b.env has a key',
    })
  })

  test('in an earlier commit alone fails nothing, and makes one commit of all', () => {
    expect(verdict({ before: [key] })).toEqual({
      findings: ['a.env has a key'],
      refused: [],
      hidden: true,
      text: 'a.env has a key; its commits become one, so that this one is not published',
    })
  })

  test('in an earlier commit stays there if a person allowed it, or it is only a sample', () => {
    const allowed = verdict({ before: [key] }, 'refuse', allowing('a.env has a key'))
    expect(allowed).toMatchObject({ hidden: false, text: 'a.env has a key; allowed by ann: a sample' })
    expect(verdict({ before: [sample] })).toMatchObject({ hidden: false })
  })
})

test('a search that is incomplete is refused, a file that nobody can search is told', () => {
  expect(verdict({ unread: ['too large'], unsearched: ['a.bin: not searched'] })).toMatchObject({
    findings: ['too large', 'a.bin: not searched'],
    refused: ['too large'],
    hidden: false,
  })
  expect(verdict({ unread: ['too large'] }, 'tell')).toMatchObject({ refused: [] })
})

test('a search that found nothing has no verdict', () => {
  expect(verdict({})).toBeNull()
})
