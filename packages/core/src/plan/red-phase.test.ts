import { describe, expect, test } from 'vitest'
import type { Verification } from '../execution/verification.ts'
import { nineSubtasks, planOf, subtaskOf } from './plan-kit.ts'
import { subtasksByPhase } from './plan-warnings.ts'
import { rowsOfPhase, testsOfPhase } from './red-phase.ts'

const row = (some: Partial<Verification>): Verification =>
  ({
    type: 'test',
    passed: false,
    exitCode: 1,
    failures: null,
    collected: null,
    findings: [],
    summary: 's',
    digest: 'd',
    ...some,
  }) as unknown as Verification
const fail = { have: 'fail' } as const

test('tests fail in a phase that only writes them, for something that comes later; else they pass', () => {
  const phases = subtasksByPhase(planOf(nineSubtasks))
  expect(phases.map((_, at) => testsOfPhase(phases, at + 1).have)).toEqual(['fail', 'pass', 'fail', 'pass', 'pass'])
})

test('in a phase beside or between, all tests pass but those that are still to be implemented', () => {
  const phases = subtasksByPhase(
    planOf([
      subtaskOf('1a'),
      subtaskOf('1b'),
      subtaskOf('2a', { type: 'impl', dependsOn: ['1a'] }),
      subtaskOf('2b', { dependsOn: ['1a'] }),
      subtaskOf('3', { type: 'impl', dependsOn: ['1b', '2a', '2b'] }),
    ]),
  )
  expect(testsOfPhase(phases, 1)).toEqual({ have: 'fail' })
  expect(testsOfPhase(phases, 2)).toMatchObject({ have: 'pass_but', of: [{ id: '1b' }, { id: '2b' }] })
  expect(testsOfPhase(phases, 3)).toEqual({ have: 'pass' })
})

describe('a phase that only writes tests', () => {
  test('has tests that fail by what they assert; everything else passes', () => {
    expect(
      rowsOfPhase([row({ type: 'build', passed: true, exitCode: 0 }), row({ failures: 2, collected: 5 })], fail),
    ).toMatchObject([
      { passed: true },
      { passed: true, digest: '', summary: 'fails before it is implemented, as it should: s' },
    ])
    expect(rowsOfPhase([row({ type: 'lint' }), row({})], fail)).toMatchObject([{ passed: false }, { passed: true }])
  })

  test.each([
    ['cannot be collected', { collected: 0, failures: 1 }],
    ['crash without a failed test', { collected: 3, failures: 0 }],
    ['cannot be imported', { collected: 3, failures: 1, findings: ['vitest: cart.test.ts | Error: no cart.ts'] }],
    ['are not found', { exitCode: 127 }],
    ['are killed', { exitCode: 137 }],
    ['do not end', { exitCode: null }],
  ])('does not pass with tests that %s', (_, some) => {
    expect(rowsOfPhase([row(some)], fail)).toMatchObject([
      { passed: false, digest: expect.stringContaining('have to be collected') },
    ])
  })

  test('does not pass with tests that pass already', () => {
    const [only] = rowsOfPhase([row({ passed: true, exitCode: 0 })], fail)
    expect(only).toMatchObject({ passed: false, digest: expect.stringContaining('they prove nothing') })
  })

  test('does not pass where a test fails that passed before, and names it', () => {
    const [only] = rowsOfPhase([row({ failures: 2, collected: 5 })], fail, ['adds'])
    expect(only).toMatchObject({ passed: false, digest: expect.stringMatching(/passed before this phase[^]*- adds/) })
  })
})

test('where only some tests may fail, others are named, and none at all is fine', () => {
  const but = { have: 'pass_but', of: [] } as const
  expect(rowsOfPhase([row({ failures: 1 })], { ...but, of: [] }, [])).toMatchObject([{ passed: true }])
  expect(rowsOfPhase([row({ failures: 1 })], { ...but, of: [] }, ['adds'])).toMatchObject([{ passed: false }])
  expect(rowsOfPhase([row({ passed: true })], { ...but, of: [] })).toMatchObject([{ passed: true, summary: 's' }])
})
