// @suite unit-long
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ExecutionEnd } from '@beadloom/core/records/execution.ts'
import type { FollowUp } from '@beadloom/core/bead/follow-up.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Aside } from '@beadloom/server/src/ports/aside.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { file, line, TrackerFolder } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import { systemClock, type Clock } from '@beadloom/server/src/process/clock.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { TrackerSync } from '@beadloom/server/src/app/tracker/tracker-sync.ts'
import { bead, demo, openTestStore, running, seededRandom, tracked } from '@beadloom/server/src/store/testing.ts'

/* A real store and a real `.beads/issues.jsonl`, brought together. */

let folder: string
let store: Store
let at: TrackerFolder
let sync: TrackerSync
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tracker-sync-'))
  store = openTestStore(join(folder, 'beadloom.db'), { clock: systemClock, random: seededRandom() })
  at = new TrackerFolder(file(line('a-1'), line('a-2')))
  store.addProject({ id: demo, source: at.path })
  sync = syncWith(asIs)
})
afterEach(() => {
  store.close()
  at.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Masks nothing: masking runs on a thread, whose start takes as long as the pauses that are tested here. */
const asIs: Pick<Aside, 'masked'> = { masked: async (value) => value }
const syncWith = (aside: Pick<Aside, 'masked'>, clock: Clock = systemClock): TrackerSync =>
  new TrackerSync({
    store,
    hub: { path: () => '/hub', readFile: async () => null } as unknown as Hub,
    tracker: createTracker({ clock, env: { PATH: '/nowhere' }, own: tmpdir(), trusted: [] }),
    clock: systemClock,
    log: createLogger('silent'),
    aside,
    link: (project, id) => `http://here/p/${project}/b/${id}`,
  })

const now = (due?: number) => sync.sync(store.project(demo)!, null, due)
const inFile = (id: string) =>
  at.text
    .split('\n')
    .filter(Boolean)
    .map((raw) => JSON.parse(raw) as Record<string, unknown> & { comments?: { text: string }[] })
    .find((one) => one['id'] === id)
const person = (id: string, fields: object) =>
  at.put(
    at.text.replace(/^.*$/gm, (raw) =>
      raw.includes(`"id":"${id}"`) ? JSON.stringify({ ...JSON.parse(raw), ...fields }) : raw,
    ),
  )
const status = (id: string) => store.bead(demo, bead(id))?.status
const warnings = (id: ExecutionId) =>
  store.events(id, 0, 1000).flatMap(({ type, data }) => (type === 'warning' ? [(data as { text: string }).text] : []))

const ends = {
  completed: { state: 'COMPLETED', commit: 'c'.repeat(40), detail: 'Done.' },
  blocked: { state: 'BLOCKED', blockedReason: 'no key', detail: 'Blocked: no key' },
  timedOut: { state: 'TIMEOUT', reason: 'silence', detail: 'Nothing came.' },
  failed: { state: 'FAILED', reason: 'tests_failed', detail: 'Its tests fail.' },
} satisfies Record<string, ExecutionEnd>

const end = (id: ExecutionId, how: ExecutionEnd, type: 'completed' | 'blocked' | 'timed-out' | 'failed') => {
  store.endExecution(id, how)
  store.moveBead(demo, bead('a-1'), { type })
}

test('a file that is slowly written in place takes no bead away, and is read as soon as it is whole', async () => {
  const whole = at.text
  const slowly = () => at.put(whole.slice(0, at.text.length + 1))
  sync = syncWith(asIs, { ...systemClock, sleep: async () => slowly() })
  expect(await now()).toEqual([])
  at.put('')
  expect(await now()).toEqual([expect.stringContaining('issues.jsonl is being written; it is read again')])
  expect(store.bead(demo, bead('a-2'))).not.toBeNull()
  at.put(`${whole}${file(line('a-3'))}`)
  expect(await sync.isDue(store.project(demo)!)).toBe(true)
  expect(await now()).toEqual([])
  expect(['a-1', 'a-2', 'a-3'].map((id) => store.bead(demo, bead(id))?.status)).toEqual(['open', 'open', 'open'])
})

describe('changes of a bead are written to its tracker:', () => {
  test('it is in progress while its execution runs, and closed with a comment when that is done', async () => {
    await now()
    const before = at.text
    const execution = running(store, 'a-1')
    await now()
    expect(inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
    end(execution, ends.completed, 'completed')
    expect(await now()).toEqual([])
    expect(inFile('a-1')).toMatchObject({ status: 'closed', close_reason: `done in Beadloom (${execution})` })
    expect(inFile('a-1')?.comments?.map(({ text }) => text)).toEqual([
      `COMPLETED: execution ${execution}. Done.\nBranch beads-a-1 at cccccccccccc\nhttp://here/p/demo/b/a-1`,
    ])
    expect(at.text.split('\n').slice(1)).toEqual(before.split('\n').slice(1))
    expect(store.bead(demo, bead('a-1'))).toMatchObject({ status: 'done', trackerStatus: 'closed' })
    expect(store.trackerState(demo)).toMatchObject({ waiting: 0 })
  })

  test('a comment has no secret from the output', async () => {
    const aside = createAside({ clock: systemClock })
    sync = syncWith(aside)
    await now()
    const key = `ghp_${'Zk3Qv9RtXw7PmLs2Hd8YbNcJf5GaUe4TiVo6'}`
    const execution = running(store, 'a-1')
    end(execution, { state: 'BLOCKED', blockedReason: `no use for ${key}`, detail: 'Blocked.' }, 'blocked')
    await now()
    expect(JSON.stringify(inFile('a-1'))).toContain('no use for ***')
    expect(at.text).not.toContain(key)
    await aside.close()
  })

  test.each([
    ['blocked', 'blocked', ends.blocked, 'blocked', 'blocked'],
    ['failed', 'failed', ends.failed, 'in_progress', 'in_progress'],
    ['timed out', 'timed-out', ends.timedOut, 'blocked', 'timeout'],
  ] as const)('%s', async (_, type, how, word, ours) => {
    await now()
    end(running(store, 'a-1'), how, type)
    await now()
    await now()
    expect(inFile('a-1')).toMatchObject({ status: word, comments: [expect.anything()] })
    expect(status('a-1')).toBe(ours)
  })

  test('a person at the dashboard closes and reopens it', async () => {
    await now()
    store.moveBead(demo, bead('a-1'), { type: 'closed' })
    await now()
    expect(inFile('a-1')).toMatchObject({ status: 'closed', close_reason: 'closed in Beadloom' })
    store.moveBead(demo, bead('a-1'), { type: 'reopened' })
    await now()
    expect(inFile('a-1')).toMatchObject({ status: 'open' })
    expect(store.bead(demo, bead('a-1'))).toMatchObject({ status: 'open', trackerStatus: 'open' })
  })

  test('a bead made here becomes one of the tracker, and does not come back once deleted there', async () => {
    await now()
    store.addBead(tracked('a-3', { title: 'From the dashboard' }))
    await now()
    expect(inFile('a-3')).toMatchObject({ title: 'From the dashboard', status: 'open' })
    at.put(file(...at.text.split('\n').filter((raw) => raw !== '' && !raw.includes('"a-3"'))))
    await now()
    await now()
    expect([status('a-3'), inFile('a-3')]).toEqual([undefined, undefined])
  })

  test('a follow-up is filed with its edge, and its next entry changes its text', async () => {
    await now()
    const followUp = (section: string): FollowUp => ({
      kind: 'tests_failing',
      title: 'Tests failing',
      head: 'Head.',
      section,
      priority: 1,
      type: 'bug',
      labels: ['beadloom'],
      dependencies: [{ dependsOn: 'a-1', type: 'discovered-from' }],
      baseBranch: null,
      reminder: false,
    })
    const fail = (section: string) => {
      const execution = running(store, 'a-1')
      end(execution, ends.failed, 'failed')
      return store.fileFollowUp(execution, followUp(section))?.bead ?? ''
    }
    const id = fail('One.')
    await now()
    expect(inFile(id)).toMatchObject({
      labels: ['beadloom'],
      dependencies: [{ depends_on_id: 'a-1', type: 'discovered-from' }],
    })
    const first = inFile(id)?.['description']
    expect(fail('Two.')).toBe(id)
    await now()
    expect(inFile(id)?.['description']).not.toBe(first)
    expect(inFile(id)?.['description']).toBe(store.bead(demo, bead(id))?.description)
  })
})

describe('when a person and Beadloom change the same bead', () => {
  test('the person’s status wins, even if it came while the bead ran, and the history says so', async () => {
    await now()
    const execution = running(store, 'a-1')
    await now()
    person('a-1', { status: 'deferred', notes: 'not now' })
    await now()
    expect(status('a-1')).toBe('in_progress')
    end(execution, ends.completed, 'completed')
    await now()
    expect(inFile('a-1')).toMatchObject({ status: 'deferred', notes: 'not now', comments: [expect.anything()] })
    expect(store.bead(demo, bead('a-1'))).toMatchObject({ status: 'blocked', trackerStatus: 'deferred' })
    expect(warnings(execution)).toEqual([expect.stringContaining('"deferred" in the tracker, so')])
    expect(store.trackerState(demo)).toMatchObject({ waiting: 0 })
  })

  test('every other field is the person’s', async () => {
    await now()
    const execution = running(store, 'a-1')
    person('a-1', { title: 'Renamed', priority: 0, labels: ['mine'], unheard_of: [1] })
    end(execution, ends.timedOut, 'timed-out')
    await now()
    expect(inFile('a-1')).toMatchObject({ title: 'Renamed', priority: 0, labels: ['mine', 'timeout'], unheard_of: [1] })
    expect(store.bead(demo, bead('a-1'))).toMatchObject({ title: 'Renamed', status: 'timeout' })
  })
})

describe('a tracker that cannot be written', () => {
  test('is tried again, and has everything in the end', async () => {
    await now()
    const good = at.text
    const execution = running(store, 'a-1')
    end(execution, ends.completed, 'completed')
    at.put(`<<<<<<< HEAD\n${good}=======\n>>>>>>> theirs\n`)
    expect(await now()).toEqual([
      expect.stringContaining('conflict marker'),
      expect.stringMatching(/^2 changes are waiting to be written to the tracker: line 1/),
    ])
    expect(store.trackerState(demo)).toMatchObject({ waiting: 2, problem: expect.stringContaining('line 1') })
    at.put(good)
    await now(systemClock.now()) // not due yet
    expect(at.text).toBe(good)
    expect(await now()).toEqual([])
    expect(inFile('a-1')).toMatchObject({ status: 'closed', comments: [expect.anything()] })
  })

  test('because there is none keeps pending changes as long as the project is here', async () => {
    at.remove()
    await now()
    expect(sync.info(demo)).toMatchObject({ kind: 'none', writable: false })
    store.addBead(tracked('a-9'))
    await now()
    expect(store.trackerState(demo)).toMatchObject({ waiting: 1, problem: '' })
    store.removeProject(demo)
    expect(store.trackerState(demo)).toMatchObject({ waiting: 0 })
  })
})

test('a real tracker of 2404 beads: without changes not one byte differs; one changed bead changes one line', async () => {
  const real = readFileSync(join(import.meta.dirname, '../data/beads-2404.jsonl'), 'utf8')
  writeFileSync(at.file, real)
  await now()
  await now()
  expect(at.text).toBe(real)
  const [first] = store.beads(demo).filter(({ trackerStatus }) => trackerStatus === 'open')
  store.moveBead(demo, first!.id, { type: 'closed' })
  await now()
  const after = at.text.split('\n')
  expect(real.split('\n').filter((one, index) => one !== after[index])).toHaveLength(1)
  expect(store.bead(demo, first!.id)).toMatchObject({ status: 'done', trackerStatus: 'closed' })
})
