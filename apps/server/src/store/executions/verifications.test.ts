import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sessionIdOf, type ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { Store } from '../../ports/store.ts'
import { demo, openTestStore, running, seededRandom, stepClock, world } from '../testing.ts'

let store: Store
let folder: string
let execution: ExecutionId
const random = seededRandom(11)
const file = () => join(folder, 'beadloom.db')
const open = () => openTestStore(file(), { clock: stepClock(), random })
const tests = [
  { tool: 'vitest', ran: 2, passed: 2, failures: 0, units: [['a.test.ts', 2] as const], unrun: [], stopped: false },
]
const row = (step: number, own: Partial<Verification> = {}): Verification => ({
  attempt: 1,
  purpose: 'attempt',
  run: 1,
  step,
  session: sessionIdOf(execution, 1),
  name: `step ${step}`,
  type: 'test',
  command: `npm run test:${step}`,
  commit: 'a'.repeat(40),
  passed: true,
  exitCode: 0,
  durationMs: 1,
  tool: 'vitest',
  failures: 0,
  collected: 2,
  tests,
  summary: '2 tests passed',
  digest: '',
  fingerprint: '',
  findings: [],
  verdict: null,
  at: step,
  ...own,
})

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-verifications-'))
  store = open()
  world(store, ['bl-1'])
  execution = running(store, 'bl-1')
  store.startSession({ id: sessionIdOf(execution, 1), execution, number: 1, kind: 'verify', attempt: 1 })
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

describe("a verification's result", () => {
  test('has the names of its tests for comparisons, and none for people', () => {
    const { tests: _, ...withoutTests } = row(2)
    store.addVerifications(execution, [row(1), withoutTests])
    expect(store.verifications(execution)).toEqual([row(1), withoutTests])
    const short = store.verificationsInShort(execution)
    expect(short).toEqual([row(1, { tests: [{ ...tests[0]!, units: [] }] }), withoutTests])
    expect(store.verificationsInShort(execution)).toEqual(short)
  })

  test('is read without these names until somebody asks for them', () => {
    store.addVerifications(execution, [row(1)])
    expect(store.verificationsInShort(execution)).toHaveLength(1)
    store.close()
    const db = new Database(file())
    db.prepare(`UPDATE verification SET tests = 'no JSON'`).run()
    db.close()
    store = open()
    const [read] = store.verifications(execution)
    expect(read).toMatchObject({ name: 'step 1', passed: true })
    expect(() => read?.tests).toThrow(SyntaxError)
  })

  test('is known by commit for each check that passed there, the newest first', () => {
    const [one, two] = ['b'.repeat(40), 'c'.repeat(40)]
    store.addVerifications(execution, [row(1, { commit: one }), row(2, { commit: one })])
    const again = (step: number, own: Partial<Verification>) => ({ ...row(step), ...own, step: step + 2, commit: two })
    store.addVerifications(execution, [again(1, {}), again(2, { passed: false })])
    expect(store.commitsPassing(demo, row(1), 5)).toEqual([two, one])
    expect(store.commitsPassing(demo, row(2), 5)).toEqual([one])
    expect(store.commitsPassing(demo, row(1), 1)).toEqual([two])
    expect(store.commitsPassing(demo, { name: 'step 1', command: 'other' }, 5)).toEqual([])
  })
})
