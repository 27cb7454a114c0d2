import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import { whyClaimed } from '@beadloom/core/dispatch/why-not.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { file, line, TrackerFolder } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { ClaimGate } from '@beadloom/server/src/service/tracker/claim-gate.ts'
import { TrackerSync } from '@beadloom/server/src/service/tracker/tracker-sync.ts'
import { openStore } from '@beadloom/server/src/store/open-store.ts'
import { bead, demo, queued, running, seededRandom, tracked } from '@beadloom/server/src/store/testing.ts'

/* Who works on a bead, and whether it is still the same bead: a real store, a real `.beads/issues.jsonl`, time by hand. */

let folder: string
let store: Store
let at: TrackerFolder
let sync: TrackerSync
let gate: ClaimGate
let clock: HandClock
let answers: (() => void)[]
beforeEach(() => {
  clock = new HandClock(100)
  folder = mkdtempSync(join(tmpdir(), 'tracker-claims-'))
  store = openStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  at = new TrackerFolder(file(line('a-1'), line('a-2')))
  store.addProject({ id: demo, source: at.path })
  const log = createLogger('silent')
  sync = new TrackerSync({
    store,
    hub: { readFile: async () => null } as unknown as Hub,
    tracker: createTracker({ clock, env: { PATH: '/nowhere' } }),
    clock,
    log,
    link: () => null,
  })
  answers = []
  const answered = () => answers.splice(0).forEach((tell) => tell())
  gate = new ClaimGate({ store, projects: sync, clock, log, answered })
})
afterEach(() => {
  store.close()
  at.remove()
  rmSync(folder, { recursive: true, force: true })
})

const now = () => sync.sync(store.project(demo)!, null)
const answer = () => new Promise<void>((resolve) => answers.push(resolve))
const inFile = (id: string) =>
  at.text
    .split('\n')
    .filter(Boolean)
    .map((raw) => JSON.parse(raw) as Record<string, unknown>)
    .find((one) => one['id'] === id)
const person = (id: string, fields: object) =>
  at.put(
    at.text.replace(/^.*$/gm, (raw) =>
      raw.includes(`"id":"${id}"`) ? JSON.stringify({ ...JSON.parse(raw), ...fields }) : raw,
    ),
  )
const known = (id: string) => store.bead(demo, bead(id))
const warnings = (id: ExecutionId) =>
  store.events(id, 0, 1000).flatMap(({ type, data }) => (type === 'warning' ? [(data as { text: string }).text] : []))
/** As the scheduler does it: asked, then started once the answer is there. */
async function starts(execution: ExecutionId): Promise<boolean> {
  if (!gate.mayStart(execution)) {
    await answer()
    if (!gate.mayStart(execution)) return false
  }
  return !('refused' in store.startExecution(execution, 9_999_999))
}

describe('before an execution starts, its bead is claimed:', () => {
  test('it is in progress and Beadloom’s in the tracker before it is here', async () => {
    await now()
    const execution = queued(store, 'a-1')
    expect(gate.mayStart(execution)).toBe(false)
    await answer()
    expect(inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
    await now() // somebody reads in between: it is Beadloom's own claim
    expect(known('a-1')).toMatchObject({ status: 'open' })
    expect(gate.mayStart(execution)).toBe(true)
    expect(store.startExecution(execution, 9_999_999)).toMatchObject({ formerBeadStatus: 'open' })
    expect(await now()).toEqual([])
    expect(store.trackerState(demo)).toMatchObject({ waiting: 0 })
  })

  test('one that somebody has claimed a moment ago does not start, says whose it is, and starts when it is free', async () => {
    await now()
    const execution = queued(store, 'a-1')
    person('a-1', { status: 'in_progress', assignee: 'ana' })
    expect(await starts(execution)).toBe(false)
    expect(inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'ana' })
    expect(store.execution(execution)).toMatchObject({ state: 'QUEUED' })
    expect(whyClaimed(known('a-1')!, 'bd')).toEqual({ code: 'claimed', text: 'claimed by ana in bd' })
    await now()
    expect(known('a-1')).toMatchObject({ status: 'in_progress', claimedBy: 'ana' })
    person('a-1', { status: 'open', assignee: '' })
    await now()
    expect(known('a-1')?.claimedBy).toBeUndefined()
    const again = answer()
    clock.advance(1_000)
    await again
    expect(await starts(execution)).toBe(true)
    expect(inFile('a-1')).toMatchObject({ assignee: 'beadloom' })
  })

  test('one that is only assigned to somebody starts, stays theirs, and may run again', async () => {
    person('a-1', { assignee: 'ana' })
    await now()
    const execution = queued(store, 'a-1')
    expect(await starts(execution)).toBe(true)
    await now()
    expect(inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'ana' })
    store.endExecution(execution, { state: 'FAILED', reason: 'tests_failed', detail: '' })
    store.moveBead(demo, bead('a-1'), { type: 'failed' })
    await now()
    expect(known('a-1')?.claimedBy).toBeUndefined()
    expect(await starts(queued(store, 'a-1'))).toBe(true)
  })

  test('one that somebody takes over from Beadloom after it failed is theirs', async () => {
    await now()
    const execution = queued(store, 'a-1')
    await starts(execution)
    await now()
    store.endExecution(execution, { state: 'FAILED', reason: 'tests_failed', detail: '' })
    store.moveBead(demo, bead('a-1'), { type: 'failed' })
    await now()
    person('a-1', { assignee: 'ana' })
    expect(await starts(queued(store, 'a-1'))).toBe(false)
    await now()
    expect(known('a-1')).toMatchObject({ claimedBy: 'ana' })
  })

  test('one that was closed meanwhile does not start', async () => {
    await now()
    const execution = queued(store, 'a-1')
    person('a-1', { status: 'closed', closed_at: '2026-01-03T00:00:00Z' })
    expect(await starts(execution)).toBe(false)
    await now()
    expect(known('a-1')).toMatchObject({ status: 'done' })
  })

  test('one that was made here and is not in the tracker yet starts', async () => {
    await now()
    store.addBead(tracked('a-9'))
    expect(await starts(queued(store, 'a-9'))).toBe(true)
  })

  test('a claim of one that is cancelled, or that does not start after all, is given back', async () => {
    await now()
    for (const how of ['cancelled', 'not started']) {
      const execution = queued(store, 'a-1')
      expect(gate.mayStart(execution)).toBe(false)
      await answer()
      expect(inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
      if (how === 'cancelled') store.endExecution(execution, { state: 'CANCELLED', detail: '' })
      await gate.release()
      await now()
      expect([inFile('a-1')?.['status'], inFile('a-1')?.['assignee'], known('a-1')?.status]).toEqual([
        'open',
        undefined,
        'open',
      ])
      if (how !== 'cancelled') expect(gate.mayStart(execution)).toBe(false) // asked anew
    }
  })
})

describe('a tracker that cannot be asked', () => {
  test('holds an execution up for half a minute; it starts without a claim, which is made later', async () => {
    await now()
    const good = at.text
    at.put(`<<<<<<< HEAD\n${good}`)
    const execution = queued(store, 'a-1')
    for (const seconds of [1, 2, 4, 8, 16]) {
      expect(gate.mayStart(execution)).toBe(false)
      await answer()
      const again = answer()
      clock.advance(seconds * 1_000)
      await again
    }
    expect(gate.mayStart(execution)).toBe(false)
    await answer()
    expect(gate.mayStart(execution)).toBe(true)
    store.startExecution(execution, 9_999_999)
    expect(warnings(execution)).toEqual([expect.stringMatching(/^starting without a claim .* conflict marker/)])
    at.put(good)
    await now()
    expect(inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
  })

  test('while which somebody claims the bead: it stays theirs, the end is only told, and the history says so', async () => {
    await now()
    const execution = running(store, 'a-1')
    person('a-1', { status: 'in_progress', assignee: 'ana' })
    await now()
    store.endExecution(execution, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: '' })
    store.moveBead(demo, bead('a-1'), { type: 'completed' })
    await now()
    expect(inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'ana', comments: [expect.anything()] })
    expect(known('a-1')).toMatchObject({ status: 'in_progress', claimedBy: 'ana' })
    expect(warnings(execution)).toContainEqual(expect.stringContaining('claimed by ana in the tracker'))
  })
})

describe('a bead whose texts a person changes while it runs', () => {
  const complete = (execution: ExecutionId) => {
    store.endExecution(execution, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: 'Done.' })
    store.moveBead(demo, bead('a-1'), { type: 'completed' })
  }
  const flags = (execution: ExecutionId) => store.execution(execution)?.flags

  test.each([
    ['title', { title: 'Another' }, 'its title was changed'],
    ['description', { description: 'More' }, 'its description was changed'],
    ['acceptance criteria', { acceptance_criteria: 'Fast' }, 'its acceptance criteria were changed'],
    ['design', { design: 'So', title: 'Another' }, 'its title and design were changed'],
  ])('is not closed by its success: %s', async (_, fields, says) => {
    await now()
    const execution = running(store, 'a-1')
    await now()
    // Done here, from what was known then; the tracker is only read while its closing is on its way.
    complete(execution)
    person('a-1', fields)
    await now()
    await now()
    expect(inFile('a-1')).toMatchObject({
      status: 'in_progress',
      comments: [{ text: expect.stringContaining(`${says} in the tracker while it ran`) }],
      ...fields,
    })
    expect(inFile('a-1')?.['closed_at']).toBeUndefined()
    expect(known('a-1')).toMatchObject({ status: 'in_progress', trackerStatus: 'in_progress' })
    expect(store.execution(execution)).toMatchObject({ state: 'COMPLETED' })
    expect(flags(execution)).toEqual([{ kind: 'outdated', text: expect.stringContaining('run it again, or close it') }])
  })

  test('is closed when a person closes it, and by its success when only something else has changed', async () => {
    await now()
    const execution = running(store, 'a-1')
    await now()
    person('a-1', { description: 'More' })
    await now()
    complete(execution)
    await now()
    expect(known('a-1')).toMatchObject({ status: 'in_progress' })
    store.moveBead(demo, bead('a-1'), { type: 'closed' })
    await now()
    expect(inFile('a-1')).toMatchObject({ status: 'closed' })

    const second = running(store, 'a-2')
    person('a-2', { notes: 'mine', priority: 0, title: ' Title of a-2\r\n' })
    store.endExecution(second, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: '' })
    store.moveBead(demo, bead('a-2'), { type: 'completed' })
    await now()
    expect([inFile('a-2')?.['status'], flags(second)]).toEqual(['closed', []])
  })

  test('and what Beadloom itself adds to a description meanwhile is no change of a person’s', async () => {
    await now()
    const followUp = (section: string) => ({
      kind: 'tests_failing' as const,
      title: 'Tests failing',
      head: 'Head.',
      section,
      priority: 1,
      type: 'bug',
      labels: [],
      dependencies: [],
      baseBranch: null,
      reminder: false,
    })
    const fail = (section: string) => {
      const execution = running(store, 'a-1')
      store.endExecution(execution, { state: 'FAILED', reason: 'tests_failed', detail: '' })
      store.moveBead(demo, bead('a-1'), { type: 'failed' })
      return store.fileFollowUp(execution, followUp(section))?.bead ?? ''
    }
    const id = fail('One.')
    await now()
    const execution = running(store, id)
    fail('Two.')
    await now()
    expect(inFile(id)?.['description']).toContain('Two.')
    store.endExecution(execution, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: '' })
    store.moveBead(demo, bead(id), { type: 'completed' })
    await now()
    expect([inFile(id)?.['status'], flags(execution)]).toEqual(['closed', []])
  })
})
