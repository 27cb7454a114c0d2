import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { BaseCheck, ProofEnd } from '@beadloom/core/environment/base/proof.ts'
import { newExecutionId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import { demo, executionId, openTestStore, seededRandom, stepClock, world } from '../testing.ts'

let store: Store
let folder: string
const random = seededRandom(7)
const open = () => openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-proofs-'))
  store = open()
  world(store, ['bl-1'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const key = (commit = 'a', settings = '{}') => ({ project: demo, commit: commit.repeat(40), settings })
const setup: ProofEnd = { is: 'broken', by: 'setup', text: 'Setup failed.', fix: 'Mend it.' }
const check: BaseCheck = {
  name: 'test',
  type: 'test',
  command: 'npm test',
  passed: false,
  exitCode: 1,
  durationMs: 4,
  tool: 'vitest',
  failures: 1,
  collected: 3,
  summary: '1 test failed',
  digest: '[TEST] 1 test failed',
  findings: ['vitest: adds'],
}

function proved(commit: string, end: ProofEnd, checks: BaseCheck[] = []) {
  const id = newExecutionId(random)
  store.beginProof({ id, ...key(commit), baseCommit: 'f'.repeat(40) })
  store.endProof(id, end, checks)
  return id
}

describe('a proof', () => {
  test('is known by its commit and its settings once it has ended, even after a restart', () => {
    store.beginProof({ id: executionId('a'), ...key(), baseCommit: null })
    expect(store.proof(key())).toBe(null)
    expect(store.lastProof(demo)).toBe(null)
    store.endProof(executionId('a'), { is: 'red' }, [check])
    store.close()
    store = open()
    expect(store.proof(key())).toMatchObject({ id: executionId('a'), state: 'red', by: null, checks: [check] })
    expect(store.proof(key('b'))).toBe(null)
    expect(store.proof(key('a', '{"setup":"x"}'))).toBe(null)
    expect(store.lastProof(demo)).toEqual(store.proof(key()))
  })

  test('of the same commit and settings replaces the one before', () => {
    proved('a', setup)
    const second = proved('a', { is: 'green' })
    expect(store.proofs(demo).map(({ id, state, text }) => [id, state, text])).toEqual([[second, 'green', '']])
  })

  test("is listed without its checks' output, which is read on request", () => {
    store.beginProof({ id: executionId('a'), ...key(), baseCommit: null })
    store.endProof(executionId('a'), { is: 'red' }, [check])
    expect(store.proofs(demo)[0]).not.toHaveProperty('checks')
    expect(store.proofChecks(executionId('a'))).toEqual([check])
    expect(store.proofChecks(executionId('b'))).toEqual([])
  })

  test('counts how often in a row a project was broken in the same way', () => {
    proved('a', setup)
    proved('a', setup)
    expect(store.lastProof(demo)).toMatchObject({ by: 'setup', tries: 2, text: 'Setup failed.', fix: 'Mend it.' })
    proved('b', setup)
    expect(store.lastProof(demo)?.tries).toBe(3)
    proved('c', { is: 'broken', by: 'checks', text: 'All fail.', fix: '' })
    expect(store.lastProof(demo)?.tries).toBe(1)
    proved('d', { is: 'green' })
    proved('e', setup)
    expect(store.lastProof(demo)?.tries).toBe(1)
  })

  test('that its server did not finish is found, and is gone once it is dropped', () => {
    store.beginProof({ id: executionId('a'), ...key(), baseCommit: null })
    expect(store.unendedProofs()).toMatchObject([{ id: executionId('a'), state: 'proving' }])
    store.dropProof(executionId('a'))
    store.endProof(executionId('a'), { is: 'green' }, [])
    expect(store.unendedProofs()).toEqual([])
    expect(store.proofs(demo)).toEqual([])
  })

  test('is one of the twenty newest, and goes with its project', () => {
    for (let at = 0; at < 25; at++) proved(String.fromCharCode(97 + at), { is: 'green' })
    expect(store.proofs(demo)).toHaveLength(20)
    expect(store.proofs(demo)[0]?.commit).toBe('y'.repeat(40))
    expect(store.proof(key('a'))).toBe(null)
    store.removeProject(demo)
    expect(store.proofs(demo)).toEqual([])
  })
})
