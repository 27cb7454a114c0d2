import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FollowUp } from '@beadloom/core/bead/follow-up.ts'
import type { BeadId, ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Store } from '../../ports/store.ts'
import { bead, demo, openTestStore, running, seededRandom, stepClock, tracked, world } from '../testing.ts'

let folder: string
let file: string
let store: Store
const open = () => openTestStore(file, { clock: stepClock(), random: seededRandom() })
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'beadloom-store-'))
  file = join(folder, 'beadloom.db')
  store = open()
  world(store, ['a-1'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const followUp = (section: string, changes: Partial<FollowUp> = {}): FollowUp => ({
  kind: 'tests_failing',
  title: 'Tests failing: bead a-1',
  head: 'THE TASK',
  section,
  priority: 1,
  type: 'bug',
  labels: ['beadloom'],
  dependencies: [{ dependsOn: 'a-1', type: 'discovered-from' }],
  baseBranch: 'beads-a-1',
  reminder: false,
  ...changes,
})

function failed(id: string): ExecutionId {
  const execution = running(store, id)
  store.endExecution(execution, { state: 'FAILED', reason: 'tests_failed', detail: 'no' })
  return execution
}

function fileOf(execution: ExecutionId, what: FollowUp): BeadId {
  const filed = store.fileFollowUp(execution, what)
  if (!filed) throw new Error('it was filed before')
  return filed.bead
}
const filedBeads = () => store.beads(demo).filter(({ labels }) => labels.includes('beadloom'))

test('a follow-up is a bead of its own that leads back, with the branch where it starts', () => {
  const execution = failed('a-1')
  const id = fileOf(execution, followUp('first'))
  expect(store.bead(demo, id)).toMatchObject({
    title: 'Tests failing: bead a-1',
    description: 'THE TASK\n\nfirst',
    status: 'open',
    trackerStatus: 'open',
    priority: 1,
    type: 'bug',
    labels: ['beadloom'],
    dependencies: [{ dependsOn: 'a-1', type: 'discovered-from' }],
    baseBranch: 'beads-a-1',
  })
  expect(store.followUpsOf(execution)).toEqual([
    { bead: id, kind: 'tests_failing', title: 'Tests failing: bead a-1', status: 'open' },
  ])
  expect(store.lastEvent(execution, 'follow_up')?.data).toEqual({ bead: id, kind: 'tests_failing', filed: 'bead' })
})

test('an execution files once, even when the successor of a dead server asks again', () => {
  const execution = failed('a-1')
  const id = fileOf(execution, followUp('first'))
  expect(store.fileFollowUp(execution, followUp('again'))).toBeNull()
  store.close()
  store = open()
  expect(store.fileFollowUp(execution, followUp('again', { kind: 'timeout' }))).toBeNull()
  expect(filedBeads().map((one) => [one.id, store.bead(demo, one.id)?.description])).toEqual([
    [id, 'THE TASK\n\nfirst'],
  ])
})

test('bead, link and entry are written together or not at all', () => {
  const execution = failed('a-1')
  const db = new Database(file)
  db.exec(`CREATE TRIGGER full BEFORE INSERT ON retry BEGIN SELECT raise(ABORT, 'full'); END`)
  expect(() => store.fileFollowUp(execution, followUp('first'))).toThrow(/full/)
  expect(filedBeads()).toEqual([])
  expect(store.followUpsOf(execution)).toEqual([])
  db.exec('DROP TRIGGER full')
  db.close()
  expect(store.fileFollowUp(execution, followUp('first'))?.filed).toBe('bead')
})

test('the same failure of the same bead again is a second entry, newest first, not a second bead', () => {
  const first = failed('a-1')
  const id = fileOf(first, followUp('first'))
  const second = failed('a-1')
  expect(store.fileFollowUp(second, followUp('second', { head: 'THE TASK, REWORDED' }))).toEqual({
    bead: id,
    filed: 'entry',
  })
  expect(filedBeads()).toHaveLength(1)
  expect(store.bead(demo, id)?.description).toBe('THE TASK, REWORDED\n\nsecond\n\nfirst')
  expect([first, second].map((one) => store.followUpsOf(one).map((filed) => filed.bead))).toEqual([[id], [id]])
})

test('another kind of failure is another bead, and so is the same one once the first is done', () => {
  const tests = fileOf(failed('a-1'), followUp('first'))
  const timeout = fileOf(failed('a-1'), followUp('late', { kind: 'timeout', labels: ['beadloom', 'needs-human'] }))
  expect(timeout).not.toBe(tests)
  store.moveBead(demo, tests, { type: 'closed' })
  const again = fileOf(failed('a-1'), followUp('second'))
  expect([tests, timeout]).not.toContain(again)
  expect(store.bead(demo, again)?.description).toBe('THE TASK\n\nsecond')
})

test('a failure of a follow-up is recorded on it: no bead about a bead about a bead', () => {
  const id = fileOf(failed('a-1'), followUp('first'))
  const own = failed(id)
  const blocked = followUp('stuck', {
    kind: 'blocked',
    head: 'ANOTHER HEAD',
    labels: ['beadloom', 'needs-human'],
    baseBranch: 'elsewhere',
    dependencies: [{ dependsOn: id, type: 'discovered-from' }],
  })
  expect(store.fileFollowUp(own, blocked)).toEqual({ bead: id, filed: 'entry' })
  expect(filedBeads()).toHaveLength(1)
  expect(store.bead(demo, id)).toMatchObject({
    description: 'THE TASK\n\nstuck\n\nfirst',
    labels: ['beadloom', 'needs-human'],
    baseBranch: 'beads-a-1',
    dependencies: [{ dependsOn: 'a-1', type: 'discovered-from' }],
  })
  expect(store.followUpsOf(own)).toEqual([])
})

test('a follow-up that the tracker does not know yet survives a reading of the tracker', () => {
  const execution = failed('a-1')
  const id = fileOf(execution, followUp('first'))
  expect(store.replaceBeads(demo, [tracked('a-1'), tracked('a-2')])).toEqual({ added: 1, changed: 0, removed: 0 })
  store.replaceBeads(demo, [])
  expect(store.bead(demo, id)?.description).toBe('THE TASK\n\nfirst')
})

test('a reading from before the newest entry was written takes nothing away from the description', () => {
  const id = fileOf(failed('a-1'), followUp('first'))
  const read = (description: string, title: string) =>
    store.takeBeads(demo, [
      { bead: tracked(id, { title, description, raw: JSON.stringify({ description }) }), fingerprint: title },
    ])
  read('THE TASK\n\nfirst', 'as it was made')
  fileOf(failed('a-1'), followUp('second'))
  read('THE TASK\n\nfirst', 'with another title')
  const both = 'THE TASK\n\nsecond\n\nfirst'
  expect(store.bead(demo, id)).toMatchObject({ title: 'with another title', description: both, labels: ['beadloom'] })
  const [change] = store.trackerQueue(demo, Number.MAX_SAFE_INTEGER, 0, 10).filter(({ kind }) => kind === 'describe')
  expect(change).toMatchObject({ bead: id, content: { description: both } })
  read('rewritten by a person', 'and a text')
  expect(store.bead(demo, id)?.description).toBe('rewritten by a person')
})

test('an execution counts as changed when its follow-up changes', () => {
  const execution = failed('a-1')
  const id = fileOf(execution, followUp('first'))
  const before = store.seq()
  store.moveBead(demo, id, { type: 'closed' })
  expect(store.changesAfter(before, 10)?.map(({ kind, id: what }) => [kind, what])).toContainEqual([
    'execution',
    execution,
  ])
  expect(store.followUpsOf(execution)[0]?.status).toBe('done')
})

test('a removed project takes its follow-ups with it', () => {
  const execution = failed('a-1')
  fileOf(execution, followUp('first'))
  store.removeProject(demo)
  world(store, ['a-1'])
  expect(store.followUpsOf(execution)).toEqual([])
  expect(store.fileFollowUp(failed('a-1'), followUp('new'))?.filed).toBe('bead')
})

test('an id in use is left alone', () => {
  const execution = failed('a-1')
  const taken = bead(`a-${execution.slice(3, 9)}f4`)
  store.addBead(tracked(taken))
  expect(fileOf(execution, followUp('first'))).toBe(`a-${execution.slice(3)}f4`)
  expect(store.bead(demo, taken)?.title).toBe(`bead ${taken}`)
})
