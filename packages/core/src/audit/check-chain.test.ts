import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { canonical, CHAIN_START, lineOf, type AuditEntry } from './entry.ts'
import { ChainCheck, wrongStart } from './check-chain.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const made = (number: number, before: string, given: Partial<AuditEntry> = {}): AuditEntry => ({
  number,
  at: 1_000 - number, // the clock goes backwards
  by: 'Zoë \ud800',
  via: 'header',
  role: 'runner',
  signIn: null,
  address: '203.0.113.7',
  proxy: null,
  action: 'queued',
  on: { project: 'acme', bead: 'bl-1' },
  about: '',
  outcome: 'allowed',
  needs: null,
  of: null,
  code: null,
  before,
  ...given,
})

function chain(length: number, from = 1, before = CHAIN_START): string[] {
  const lines: string[] = []
  for (let number = from; number < from + length; number++) {
    const entry = made(number, before)
    before = sha256(canonical(entry))
    lines.push(lineOf(entry, before))
  }
  return lines
}

/** The place of the first line that does not follow, and why. */
function broken(lines: readonly string[]): [number, string] | null {
  const check = new ChainCheck(sha256)
  for (const [index, line] of lines.entries()) {
    const problem = check.add(line)
    if (problem !== null) return [index + 1, problem]
  }
  return null
}

test('a chain follows whatever the clock said, and ends with its head', () => {
  const lines = chain(4)
  const check = new ChainCheck(sha256)
  expect(lines.map((line) => check.add(line))).toEqual([null, null, null, null])
  expect(check.first).toMatchObject({ number: 1, before: CHAIN_START })
  expect(check.last).toEqual({ number: 4, hash: JSON.parse(lines[3] ?? '').hash })
})

test('a value has a single text, however its keys were ordered', () => {
  expect(canonical('\u009b\u202e')).toBe(String.raw`"\u009b\u202e"`)
  expect(canonical({ b: [1, { d: null, c: 'ü' }], a: true })).toBe('{"a":true,"b":[1,{"c":"ü","d":null}]}')
})

test('the first entry that was changed is named, with any field and any character', () => {
  const lines = chain(4)
  const [, second = ''] = lines
  for (const [from, to] of [
    ['"by":"Zoë', '"by":"Eve'],
    ['"at":998', '"at":999'],
    ['"project":"acme"', '"project":"acmf"'],
    ['"outcome":"allowed"', '"outcome":"refused"'],
    ['{"about"', '{"extra":1,"about"'],
    ['{"about"', '{ "about"'],
    ['"by":"Zoë', '"by":"eve","by":"Zoë'],
  ] as const) {
    const changed = second.replace(from, to)
    expect(changed).not.toBe(second)
    expect(broken(lines.with(1, changed))).toEqual([2, 'entry 2 was changed: its hash does not fit'])
  }
})

test('an entry that is changed with its hash leaves the next one without its predecessor', () => {
  const lines = chain(3)
  const { hash: _, ...entry } = JSON.parse(lines[1] ?? '') as AuditEntry & { hash: string }
  const forged = { ...entry, by: 'eve' }
  expect(broken(lines.with(1, lineOf(forged, sha256(canonical(forged)))))).toEqual([
    3,
    'entry 3 does not follow on the one before it, which was changed or replaced',
  ])
})

test('missing, repeated and reordered entries are named', () => {
  const lines = chain(4)
  expect(broken(lines.toSpliced(1, 1))).toEqual([2, 'entry 2 is missing: this is entry 3'])
  expect(broken(lines.toSpliced(1, 0, lines[0] ?? ''))).toEqual([2, 'entry 2 is missing: this is entry 1'])
  expect(broken([...lines.slice(0, 2), 'not JSON'])).toEqual([3, 'it is not a JSON object'])
  expect(broken([...lines.slice(0, 2), '{}'])).toEqual([3, 'it is no entry of an audit log'])
})

test('an export that begins in the middle continues the older one, and a chain has one beginning', () => {
  const older = chain(3)
  const newer = chain(2, 4, JSON.parse(older[2] ?? '').hash as string)
  expect(broken(newer)).toBeNull()
  expect(broken([...older, ...newer])).toBeNull()
  expect(broken([...chain(3).with(2, older[2] ?? ''), ...chain(2, 4, sha256('another'))])?.[0]).toBe(4)
  expect(broken(chain(2, 1, sha256('something before the first')))?.[0]).toBe(1)
})

test('a log in one place begins with the first entry of all, or with the one after the last archive', () => {
  const archived = { number: 7, hash: 'a'.repeat(64) }
  const none = { number: 0, hash: CHAIN_START }
  const begins = (number: number, before: string) => ({ number, hash: 'b'.repeat(64), before })
  expect(wrongStart(null, none)).toBeNull()
  expect(wrongStart(begins(1, CHAIN_START), none)).toBeNull()
  expect(wrongStart(begins(8, archived.hash), archived)).toBeNull()
  expect(wrongStart(begins(3, archived.hash), none)).toBe('it begins with entry 3, and nothing was ever archived')
  expect(wrongStart(begins(9, archived.hash), archived)).toBe(
    'it begins with entry 9, and it was archived up to entry 7',
  )
  expect(wrongStart(begins(8, 'c'.repeat(64)), archived)).toMatch(/^it begins with entry 8/)
  expect(wrongStart(null, archived)).toBe('it has no entry, and was archived up to 7')
})
