import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { MOST_ENTRIES } from '@beadloom/core/egress/ledger.ts'
import type { EgressNote } from '../../ports/store/egress.ts'
import type { Store } from '../../ports/store.ts'
import { demo, executionId, openTestStore, running, seededRandom, stepClock, world } from '../testing.ts'

let store: Store
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-egress-'))
  store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random: seededRandom() })
  world(store, ['bl-1', 'bl-2'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const note = (host: string, more: Partial<EgressNote> = {}): EgressNote => ({ host, port: 443, outcome: 'reached', count: 1, sent: 2, received: 3, ...more }) // prettier-ignore

test('requests are added up by host, port and outcome, and the readers of their execution learn of them', () => {
  const owner = running(store, 'bl-1')
  const seq = store.seq()
  store.noteEgress(demo, owner, [note('a.org'), note('b.org', { outcome: 'refused', sent: 0, received: 0 })])
  store.noteEgress(demo, owner, [note('a.org'), note('a.org', { port: 80 })])
  expect(
    store.egressOf(owner).map(({ host, port, outcome, count, sent }) => [host, port, outcome, count, sent]),
  ).toEqual([
    ['a.org', 443, 'reached', 2, 4],
    ['a.org', 80, 'reached', 1, 2],
    ['b.org', 443, 'refused', 1, 0],
  ])
  expect(store.changesAfter(seq, 100)).toMatchObject([{ kind: 'execution', id: owner }])
})

test('hosts beyond the limit of kept names are counted without a name', () => {
  const owner = running(store, 'bl-1')
  const many = Array.from({ length: MOST_ENTRIES + 50 }, (_, at) => note(`h${at}.org`))
  store.noteEgress(demo, owner, many.slice(0, 100))
  store.noteEgress(demo, owner, many.slice(100))
  store.noteEgress(demo, owner, [note('h0.org')])
  const kept = store.egressOf(owner)
  expect(kept).toHaveLength(MOST_ENTRIES + 1)
  expect(kept[0]).toMatchObject({ host: 'h0.org', count: 2 })
  expect(kept.at(-1)).toMatchObject({ host: '', port: 0, count: 50, received: 150 })
})

test('a project has the requests of its executions and proofs, and they go with it', () => {
  const first = running(store, 'bl-1')
  const proof = executionId('p')
  store.beginProof({ id: proof, project: demo, commit: 'a', settings: '{}', baseCommit: null })
  store.noteEgress(demo, first, [note('a.org')])
  store.noteEgress(demo, proof, [note('a.org'), note('b.org')])
  expect(store.egressOfProject(demo).map(({ host, count }) => [host, count])).toEqual([
    ['a.org', 2],
    ['b.org', 1],
  ])
  store.dropProof(proof)
  store.noteEgress(demo, running(store, 'bl-2'), [note('c.org')])
  expect(store.egressOf(proof)).toEqual([])
})
