import { describe, expect, test } from 'vitest'
import type { Verification } from '../records/verification.ts'
import { sampleStep } from '../testing/sample-views.ts'
import { verificationFlags } from './verification-flags.ts'

const row = (patch: Partial<Verification> = {}): Verification =>
  sampleStep({ attempt: 1, purpose: 'attempt', run: 1, name: 'test', command: 'npm test', ...patch })
const failed = (patch: Partial<Verification> = {}) =>
  row({ passed: false, fingerprint: 'f', summary: '1 test failed', ...patch })
const flags = (rows: Verification[], passed = true, purpose: Verification['purpose'] = 'attempt') =>
  verificationFlags(rows, { attempt: 1, purpose }, passed)

describe('a check is flaky', () => {
  test('if it failed and passed on the same commit', () => {
    expect(flags([failed(), row({ run: 2 })])).toEqual([
      { kind: 'flaky', text: 'test failed and then passed on the same commit (attempt 1): 1 test failed' },
    ])
  })

  test('if it failed in two ways, or two checks failed in turn', () => {
    expect(flags([failed(), failed({ run: 2, fingerprint: 'g' })], false)[0]?.text).toContain('in two different ways')
    expect(flags([failed(), row({ run: 2 }), failed({ run: 2, name: 'lint' })], false)).toHaveLength(1)
  })

  test('not if it failed in the same way twice, or ran once', () => {
    expect(flags([failed(), failed({ run: 2 })], false)).toEqual([])
    expect(flags([failed()], false)).toEqual([])
    expect(flags([row()])).toEqual([])
  })

  test('not because another attempt or the merge had another result', () => {
    expect(flags([failed(), row({ run: 2, attempt: 2 }), row({ run: 2, purpose: 'merge' })], false)).toEqual([])
  })
})

describe('checks that the bead made itself', () => {
  test('are told when they pass the work, each once', () => {
    const rows = [
      row({ made: true }),
      row({ made: true, step: 2, name: 'lint', command: '' }),
      row({ run: 2, made: true }),
    ]
    expect(flags(rows)).toEqual([
      {
        kind: 'checks_made',
        text: 'the project had no tests: this bead made the checks that it passed, test (npm test), lint',
      },
    ])
  })

  test('are not worth a word when they fail, or if the project has its own', () => {
    expect(flags([failed({ made: true }), failed({ made: true, run: 2 })], false)).toEqual([])
    expect(flags([row({ made: false })])).toEqual([])
  })
})

test('a failure that the base has, too, is told once for each check, passed or not', () => {
  const rows = [row({ onBase: true }), row({ onBase: true, run: 2 }), failed({ name: 'lint' })]
  for (const passed of [true, false])
    expect(flags(rows, passed)).toContainEqual({
      kind: 'base_red',
      text: 'not counted, because it fails on the base too: test (npm test)',
    })
  expect(flags(rows, true, 'merge')).toEqual([])
})
