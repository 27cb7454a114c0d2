// @suite unit-long
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { whyClaimed } from '@beadloom/core/dispatch/why-not.ts'
import { bead, demo, queued, running, tracked } from '@beadloom/server/src/store/testing.ts'
import { ClaimsKit } from './claims-kit.ts'

/* Claims of beads, and whether a bead is still the same: a real store, a real `.beads/issues.jsonl`, time by hand. */

let kit: ClaimsKit
beforeEach(() => {
  kit = new ClaimsKit()
})
afterEach(() => kit.remove())

/** Starts it as the scheduler does: asks, then starts once the answer is there. */
async function starts(execution: ExecutionId): Promise<boolean> {
  if (!kit.gate.mayStart(execution)) {
    await kit.answer()
    if (!kit.gate.mayStart(execution)) return false
  }
  return !('refused' in kit.store.startExecution(execution, 9_999_999))
}

describe('before an execution starts, its bead is claimed:', () => {
  test('the tracker has it in progress and as Beadloom’s before it is so here', async () => {
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    expect(kit.gate.mayStart(execution)).toBe(false)
    await kit.answer()
    expect(kit.inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
    await kit.now() // a read in between: it is Beadloom's own claim
    expect(kit.known('a-1')).toMatchObject({ status: 'open' })
    expect(kit.gate.mayStart(execution)).toBe(true)
    expect(kit.store.startExecution(execution, 9_999_999)).toMatchObject({ formerBeadStatus: 'open' })
    expect(await kit.now()).toEqual([])
    expect(kit.store.trackerState(demo)).toMatchObject({ waiting: 0 })
  })

  test('one that somebody has just claimed does not start, says whose it is, and starts when it is free', async () => {
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    kit.person('a-1', { status: 'in_progress', assignee: 'ana' })
    expect(await starts(execution)).toBe(false)
    expect(kit.inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'ana' })
    expect(kit.store.execution(execution)).toMatchObject({ state: 'QUEUED' })
    expect(whyClaimed(kit.known('a-1')!, 'bd')).toEqual({ code: 'claimed', text: 'claimed by ana in bd' })
    await kit.now()
    expect(kit.known('a-1')).toMatchObject({ status: 'in_progress', claimedBy: 'ana' })
    kit.person('a-1', { status: 'open', assignee: '' })
    await kit.now()
    expect(kit.known('a-1')?.claimedBy).toBeUndefined()
    const again = kit.answer()
    kit.clock.advance(1_000)
    await again
    expect(await starts(execution)).toBe(true)
    expect(kit.inFile('a-1')).toMatchObject({ assignee: 'beadloom' })
  })

  test('one that is merely assigned to somebody starts, stays theirs, and may run again', async () => {
    kit.person('a-1', { assignee: 'ana' })
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    expect(await starts(execution)).toBe(true)
    await kit.now()
    expect(kit.inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'ana' })
    kit.store.endExecution(execution, { state: 'FAILED', reason: 'tests_failed', detail: '' })
    kit.store.moveBead(demo, bead('a-1'), { type: 'failed' })
    await kit.now()
    expect(kit.known('a-1')?.claimedBy).toBeUndefined()
    expect(await starts(queued(kit.store, 'a-1'))).toBe(true)
  })

  test('one that somebody takes over from Beadloom after it failed is theirs', async () => {
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    await starts(execution)
    await kit.now()
    kit.store.endExecution(execution, { state: 'FAILED', reason: 'tests_failed', detail: '' })
    kit.store.moveBead(demo, bead('a-1'), { type: 'failed' })
    await kit.now()
    kit.person('a-1', { assignee: 'ana' })
    expect(await starts(queued(kit.store, 'a-1'))).toBe(false)
    await kit.now()
    expect(kit.known('a-1')).toMatchObject({ claimedBy: 'ana' })
  })

  test('one that was closed meanwhile does not start', async () => {
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    kit.person('a-1', { status: 'closed', closed_at: '2026-01-03T00:00:00Z' })
    expect(await starts(execution)).toBe(false)
    await kit.now()
    expect(kit.known('a-1')).toMatchObject({ status: 'done' })
  })

  test('one that was made here and is not in the tracker yet starts', async () => {
    await kit.now()
    kit.store.addBead(tracked('a-9'))
    expect(await starts(queued(kit.store, 'a-9'))).toBe(true)
  })

  test('the claim is given back if the bead is cancelled or does not start after all', async () => {
    await kit.now()
    for (const how of ['cancelled', 'not started']) {
      const execution = queued(kit.store, 'a-1')
      expect(kit.gate.mayStart(execution)).toBe(false)
      await kit.answer()
      expect(kit.inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
      if (how === 'cancelled') kit.store.endExecution(execution, { state: 'CANCELLED', detail: '' })
      await kit.gate.release()
      await kit.now()
      expect([kit.inFile('a-1')?.['status'], kit.inFile('a-1')?.['assignee'], kit.known('a-1')?.status]).toEqual([
        'open',
        undefined,
        'open',
      ])
      if (how !== 'cancelled') expect(kit.gate.mayStart(execution)).toBe(false) // asks anew
    }
  })
})

describe('a tracker that cannot be asked', () => {
  test('holds an execution up for half a minute; it starts without a claim, which is made later', async () => {
    await kit.now()
    const good = kit.at.text
    kit.at.put(`<<<<<<< HEAD\n${good}`)
    const execution = queued(kit.store, 'a-1')
    for (const seconds of [1, 2, 4, 8, 16]) {
      expect(kit.gate.mayStart(execution)).toBe(false)
      await kit.answer()
      const again = kit.answer()
      kit.clock.advance(seconds * 1_000)
      await again
    }
    expect(kit.gate.mayStart(execution)).toBe(false)
    await kit.answer()
    expect(kit.gate.mayStart(execution)).toBe(true)
    kit.store.startExecution(execution, 9_999_999)
    expect(kit.warnings(execution)).toEqual([expect.stringMatching(/^starting without a claim .* conflict marker/)])
    kit.at.put(good)
    await kit.now()
    expect(kit.inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
  })

  test('may have somebody claim the bead meanwhile: it stays theirs, only the end is reported, and the history says so', async () => {
    await kit.now()
    const execution = running(kit.store, 'a-1')
    kit.person('a-1', { status: 'in_progress', assignee: 'ana' })
    await kit.now()
    kit.store.endExecution(execution, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: '' })
    kit.store.moveBead(demo, bead('a-1'), { type: 'completed' })
    await kit.now()
    expect(kit.inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'ana', comments: [expect.anything()] })
    expect(kit.known('a-1')).toMatchObject({ status: 'in_progress', claimedBy: 'ana' })
    expect(kit.warnings(execution)).toContainEqual(expect.stringContaining('claimed by ana in the tracker'))
  })
})

describe('a bead whose texts a person changes while it runs', () => {
  const complete = (execution: ExecutionId) => {
    kit.store.endExecution(execution, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: 'Done.' })
    kit.store.moveBead(demo, bead('a-1'), { type: 'completed' })
  }
  const flags = (execution: ExecutionId) => kit.store.execution(execution)?.flags

  test.each([
    ['title', { title: 'Another' }, 'its title was changed'],
    ['description', { description: 'More' }, 'its description was changed'],
    ['acceptance criteria', { acceptance_criteria: 'Fast' }, 'its acceptance criteria were changed'],
    ['design', { design: 'So', title: 'Another' }, 'its title and design were changed'],
  ])('is not closed by its success: %s', async (_, fields, says) => {
    await kit.now()
    const execution = running(kit.store, 'a-1')
    await kit.now()
    // Done here, with the knowledge of then; the tracker is only read while its closing is under way.
    complete(execution)
    kit.person('a-1', fields)
    await kit.now()
    await kit.now()
    expect(kit.inFile('a-1')).toMatchObject({
      status: 'in_progress',
      comments: [{ text: expect.stringContaining(`${says} in the tracker while it ran`) }],
      ...fields,
    })
    expect(kit.inFile('a-1')?.['closed_at']).toBeUndefined()
    expect(kit.known('a-1')).toMatchObject({ status: 'in_progress', trackerStatus: 'in_progress' })
    expect(kit.store.execution(execution)).toMatchObject({ state: 'COMPLETED' })
    expect(flags(execution)).toEqual([{ kind: 'outdated', text: expect.stringContaining('run it again, or close it') }])
  })

  test('is not closed either if the server is killed while it notes that', async () => {
    await kit.now()
    const execution = running(kit.store, 'a-1')
    await kit.now()
    complete(execution)
    kit.person('a-1', { title: 'Another' })
    let written = 0
    const untilKilled = <T>(write: () => T): T => {
      written += 1
      if (written > 1) throw new Error('killed')
      return write()
    }
    const { trackerHas, trackerOutdated } = kit.store
    vi.spyOn(kit.store, 'trackerHas').mockImplementation((...all) => untilKilled(() => trackerHas(...all)))
    vi.spyOn(kit.store, 'trackerOutdated').mockImplementation((...all) => untilKilled(() => trackerOutdated(...all)))
    await expect(kit.now()).rejects.toThrow('killed')
    vi.restoreAllMocks() // the next server
    await kit.now()
    await kit.now()
    expect(kit.inFile('a-1')).toMatchObject({ status: 'in_progress' })
    expect(kit.known('a-1')).toMatchObject({ status: 'in_progress', trackerStatus: 'in_progress' })
    expect(flags(execution)).toMatchObject([{ kind: 'outdated' }])
    expect(kit.store.trackerState(demo)).toMatchObject({ waiting: 0 })
  })

  test('is closed when a person closes it, and by its success if only something else has changed', async () => {
    await kit.now()
    const execution = running(kit.store, 'a-1')
    await kit.now()
    kit.person('a-1', { description: 'More' })
    await kit.now()
    complete(execution)
    await kit.now()
    expect(kit.known('a-1')).toMatchObject({ status: 'in_progress' })
    kit.store.moveBead(demo, bead('a-1'), { type: 'closed' })
    await kit.now()
    expect(kit.inFile('a-1')).toMatchObject({ status: 'closed' })

    const second = running(kit.store, 'a-2')
    kit.person('a-2', { notes: 'mine', priority: 0, title: ' Title of a-2\r\n' })
    kit.store.endExecution(second, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: '' })
    kit.store.moveBead(demo, bead('a-2'), { type: 'completed' })
    await kit.now()
    expect([kit.inFile('a-2')?.['status'], flags(second)]).toEqual(['closed', []])
  })

  test("is not changed in this sense by Beadloom's own additions to the description", async () => {
    await kit.now()
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
      const execution = running(kit.store, 'a-1')
      kit.store.endExecution(execution, { state: 'FAILED', reason: 'tests_failed', detail: '' })
      kit.store.moveBead(demo, bead('a-1'), { type: 'failed' })
      return kit.store.fileFollowUp(execution, followUp(section))?.bead ?? ''
    }
    const id = fail('One.')
    await kit.now()
    const execution = running(kit.store, id)
    fail('Two.')
    await kit.now()
    expect(kit.inFile(id)?.['description']).toContain('Two.')
    kit.store.endExecution(execution, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: '' })
    kit.store.moveBead(demo, bead(id), { type: 'completed' })
    await kit.now()
    expect([kit.inFile(id)?.['status'], flags(execution)]).toEqual(['closed', []])
  })
})
