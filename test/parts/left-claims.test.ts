// @suite unit-long
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { ClaimGate } from '@beadloom/server/src/app/scheduling/claim-gate.ts'
import { demo, queued } from '@beadloom/server/src/store/testing.ts'
import { ClaimsKit } from './claims-kit.ts'

/* Claims of executions that never start are given back: a real store, a real `.beads/issues.jsonl`, time by hand. */

let kit: ClaimsKit
beforeEach(() => {
  kit = new ClaimsKit()
})
afterEach(() => kit.remove())

describe('a claim goes when its execution does', () => {
  const cancelled = (execution: ExecutionId) => kit.store.endExecution(execution, { state: 'CANCELLED', detail: '' })
  const free = () => {
    expect(kit.inFile('a-1')).toMatchObject({ status: 'open' })
    expect(kit.inFile('a-1')?.['assignee']).toBeUndefined()
    expect(kit.known('a-1')).toMatchObject({ status: 'open' })
    expect(kit.store.openClaims()).toEqual([])
    expect(kit.store.trackerState(demo)).toMatchObject({ waiting: 0 })
  }
  /** A gate whose tracker has written the claim, but reports it only when told to. */
  function slowGate(): { gate: ClaimGate; written: Promise<void>; tell: () => void } {
    const said = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const projects: Parameters<typeof kit.gateTo>[0] = {
      claimsIn: (row) => kit.sync.claimsIn(row),
      claim: async (_, id) => {
        kit.person(id, { status: 'in_progress', assignee: 'beadloom' })
        written.resolve()
        await said.promise
        kit.store.trackerClaimed(demo, id, 'in_progress')
        return { claim: 'ours' }
      },
    }
    const slow = kit.gateTo(projects)
    return { gate: slow, written: written.promise, tell: said.resolve }
  }

  test('even if it is cancelled while the tracker is being asked, and the tracker is read in between', async () => {
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    const slow = slowGate()
    slow.gate.mayStart(execution)
    await slow.written
    cancelled(execution)
    await kit.now() // its own claim, not noted yet
    await slow.gate.release() // too early: the claim is not known yet
    const told = kit.answer()
    slow.tell()
    await told
    await slow.gate.release()
    await kit.now()
    free()
    expect(kit.warnings(execution)).toEqual([])
  })

  test('even if the tracker answers too late, and the execution has been cancelled meanwhile', async () => {
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    const slow = slowGate()
    slow.gate.mayStart(execution)
    await slow.written
    const late = kit.answer()
    kit.clock.advance(30_000)
    await late
    cancelled(execution)
    await slow.gate.release()
    const told = kit.answer()
    slow.tell()
    await told
    await slow.gate.release()
    await kit.now()
    free()
  })

  test.each(['before', 'after'])('even if the server died %s the tracker was read', async (when) => {
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    const slow = slowGate()
    slow.gate.mayStart(execution)
    await slow.written
    if (when === 'after') await kit.now()
    cancelled(execution) // by the next server
    await kit.gate.release()
    expect(kit.store.openClaims()).toHaveLength(1) // a command of the server before may still be running
    kit.clock.advance(70_000)
    await kit.gate.release()
    await kit.now()
    free()
  })

  test('even if the tracker cannot be written at that moment: it is tried until it can', async () => {
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    kit.gate.mayStart(execution)
    await kit.answer()
    const good = kit.at.text
    kit.at.put(`<<<<<<< HEAD\n${good}`)
    cancelled(execution)
    await kit.gate.release()
    await kit.now()
    expect(kit.store.trackerState(demo)).toMatchObject({ waiting: 1 })
    kit.at.put(good)
    await kit.now()
    free()
  })

  test('even if the database is locked: the tracker is asked once the claim is noted', async () => {
    await kit.now()
    const execution = queued(kit.store, 'a-1')
    const free = Promise.withResolvers<void>()
    const asked: string[] = []
    const projects: Parameters<typeof kit.gateTo>[0] = {
      claimsIn: (row) => kit.sync.claimsIn(row),
      claim: async (_, id) => {
        asked.push(id)
        expect(kit.store.openClaims()).toHaveLength(1)
        return { claim: 'ours' }
      },
    }
    const waiting = kit.gateTo(projects, {
      ...kit.store,
      claimBegins: (id) => free.promise.then(() => kit.store.claimBegins(id)),
    })
    expect(waiting.mayStart(execution)).toBe(false)
    await kit.now()
    expect(asked).toEqual([])
    const told = kit.answer()
    free.resolve()
    await told
    expect(asked).toEqual(['a-1'])
    expect(waiting.mayStart(execution)).toBe(true)
  })

  test('but another server’s claim is left alone', async () => {
    await kit.now()
    kit.person('a-1', { status: 'in_progress', assignee: 'beadloom' })
    await kit.now()
    await kit.gate.release()
    kit.clock.advance(70_000)
    await kit.gate.release()
    await kit.now()
    expect(kit.inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
  })
})
