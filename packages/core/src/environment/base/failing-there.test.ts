import { describe, expect, test } from 'vitest'
import type { VerifyStep } from '../../records/verification.ts'
import { failingThere } from './failing-there.ts'
import type { BaseCheck } from './proof.ts'

const step = (name: string): VerifyStep => ({ type: 'test', name, command: `run ${name}`, timeoutMs: 1 })
const check = (name: string, passed: boolean, command = `run ${name}`) => ({ name, command, passed }) as BaseCheck
type Proof = { commit: string; state: 'red' | 'green' | 'broken' | 'stopped'; checks?: BaseCheck[] }
const failing = (commit: string | null, said: BaseCheck[], ...proofs: Proof[]) =>
  failingThere(commit, [step('unit'), step('lint')], said, proofs, ({ checks = [] }) => checks).map(({ name }) => name)

const red = [check('unit', false), check('lint', false)]

describe('a check fails where work began', () => {
  test('if its result there says so', () => {
    expect(failing('c', [check('unit', false), check('lint', true)])).toEqual(['unit'])
  })

  test('if its result there is unknown, and the newest proof was red', () => {
    expect(failing('c', [check('unit', true)], { commit: 'b', state: 'red', checks: red })).toEqual(['lint'])
    expect(failing(null, [], { commit: 'b', state: 'red', checks: red })).toEqual(['unit', 'lint'])
  })

  test('not if the newest proof was broken: its checks say nothing', () => {
    expect(failing('c', [], { commit: 'b', state: 'broken', checks: red })).toEqual([])
  })

  test('not if only an older proof was red', () => {
    const older: Proof = { commit: 'a', state: 'red', checks: red }
    expect(failing('c', [], { commit: 'b', state: 'green', checks: [] }, older)).toEqual([])
  })

  test('not if another command has the same name', () => {
    const other = [check('lint', false, 'run it otherwise')]
    expect(failing('c', [check('unit', true)], { commit: 'b', state: 'red', checks: other })).toEqual([])
  })
})

test('on a commit whose own proof is not red all of the work counts, whatever a bead met there', () => {
  for (const state of ['green', 'broken', 'stopped'] as const)
    expect(failing('c', [check('unit', false)], { commit: 'c', state })).toEqual([])
  expect(failing('c', [check('unit', false)], { commit: 'c', state: 'red', checks: red })).toEqual(['unit', 'lint'])
})
