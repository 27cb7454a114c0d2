import { describe, expect, test } from 'vitest'
import type { BaseCheck } from './proof.ts'
import { failingOnBase, isOnBase, knownOf } from './beside-base.ts'

const onBase = (own: Partial<BaseCheck> = {}): BaseCheck => ({
  name: 'test',
  type: 'test',
  command: 'npm test',
  passed: false,
  exitCode: 1,
  durationMs: 10,
  tool: 'vitest',
  failures: 1,
  collected: 9,
  summary: '1 test failed',
  digest: '',
  findings: ['vitest: adds'],
  ...own,
})
const ran = { tool: 'vitest', failures: 1, ran: 9, passed: 8, units: [], unrun: [], stopped: false }
const only = { exitCode: 1, digest: { known: { left: 1, only: true }, tests: [] } }

describe('a check that fails', () => {
  test('is found on the base by its name and its command, if it fails there', () => {
    const base = [onBase(), onBase({ name: 'lint', passed: true })]
    expect(failingOnBase(base, onBase())).toBe(base[0])
    expect(failingOnBase(base, onBase({ command: 'npm run test:all' }))).toBe(null)
    expect(failingOnBase(base, onBase({ name: 'lint' }))).toBe(null)
  })

  test('is the base’s own if it has only known failures', () => {
    expect(isOnBase(onBase(), only)).toBe(true)
    expect(isOnBase(null, only)).toBe(false)
  })

  test.each([
    ['something else fails, too', { exitCode: 1, digest: { known: { left: 1, only: false }, tests: [] } }],
    ['its tool says nothing any more', { exitCode: 1, digest: { tests: [] } }],
    ['it does not end any more', { ...only, exitCode: null }],
  ])('is the work’s if %s', (_, now) => {
    expect(isOnBase(onBase(), now)).toBe(false)
  })

  test('of tests is the work’s if some ran and the base’s own output names no failure: it may be any', () => {
    const unread = { tool: 'generic', findings: ['generic: Error: no'] }
    expect(isOnBase(onBase({ ...unread, tests: [ran] }), { exitCode: 1, digest: { tests: [ran] } })).toBe(false)
    expect(isOnBase(onBase(unread), { exitCode: 1, digest: { tests: [ran] } })).toBe(false)
    expect(isOnBase(onBase({ ...unread, tests: [ran] }), { exitCode: 1, digest: { tests: [] } })).toBe(false)
  })

  test('of tests none of which is known to have run, there or now, is the base’s: nobody has checked anything', () => {
    const unread = onBase({ tool: 'generic', findings: ['generic: sh: no-such-runner: not found'], exitCode: 127 })
    expect(isOnBase(unread, { exitCode: 127, digest: { tests: [] } })).toBe(true)
    expect(isOnBase(unread, { exitCode: null, digest: { tests: [] } })).toBe(false)
  })

  test('of a linter says nothing about the work if the base’s own output names no failure', () => {
    const unread = onBase({ type: 'lint', tool: 'generic', findings: ['generic: Error: no'] })
    expect(knownOf(unread)).toBe(null)
    expect(isOnBase(unread, { exitCode: 1, digest: { tests: [] } })).toBe(true)
    expect(isOnBase(unread, { exitCode: null, digest: { tests: [] } })).toBe(false)
  })
})
