import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ExecutionId } from '@beadloom/core/ids.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { file, line, TrackerFolder } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { ClaimGate } from '@beadloom/server/src/service/tracker/claim-gate.ts'
import { TrackerSync } from '@beadloom/server/src/service/tracker/tracker-sync.ts'
import { openStore } from '@beadloom/server/src/store/open-store.ts'
import { bead, demo, queued, seededRandom } from '@beadloom/server/src/store/testing.ts'

/* Claims of executions that never start are given back: a real store, a real `.beads/issues.jsonl`, time by hand. */

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
describe('a claim goes when its execution does, also', () => {
  const cancelled = (execution: ExecutionId) => store.endExecution(execution, { state: 'CANCELLED', detail: '' })
  const free = () => {
    expect(inFile('a-1')).toMatchObject({ status: 'open' })
    expect(inFile('a-1')?.['assignee']).toBeUndefined()
    expect(known('a-1')).toMatchObject({ status: 'open' })
    expect(store.openClaims()).toEqual([])
    expect(store.trackerState(demo)).toMatchObject({ waiting: 0 })
  }
  /** A gate whose tracker has written the claim, and does not say so until it is told to. */
  function slowGate(): { gate: ClaimGate; written: Promise<void>; tell: () => void } {
    const said = Promise.withResolvers<void>()
    const written = Promise.withResolvers<void>()
    const projects: ConstructorParameters<typeof ClaimGate>[0]['projects'] = {
      claimsIn: (row) => sync.claimsIn(row),
      claim: async (_, id) => {
        person(id, { status: 'in_progress', assignee: 'beadloom' })
        written.resolve()
        await said.promise
        store.trackerClaimed(demo, id, 'in_progress')
        return { claim: 'ours' }
      },
    }
    const slow = new ClaimGate({
      store,
      projects,
      clock,
      log: createLogger('silent'),
      answered: () => answers.splice(0).forEach((tell) => tell()),
    })
    return { gate: slow, written: written.promise, tell: said.resolve }
  }

  test('when it is cancelled while the tracker is being asked, and the tracker is read in between', async () => {
    await now()
    const execution = queued(store, 'a-1')
    const slow = slowGate()
    slow.gate.mayStart(execution)
    await slow.written
    cancelled(execution)
    await now() // its own claim, which nobody has noted yet
    await slow.gate.release() // too early: nobody knows yet
    const told = answer()
    slow.tell()
    await told
    await slow.gate.release()
    await now()
    free()
    expect(warnings(execution)).toEqual([])
  })

  test('when the tracker answers after its time, and the execution has been cancelled meanwhile', async () => {
    await now()
    const execution = queued(store, 'a-1')
    const slow = slowGate()
    slow.gate.mayStart(execution)
    await slow.written
    const late = answer()
    clock.advance(30_000)
    await late
    cancelled(execution)
    await slow.gate.release()
    const told = answer()
    slow.tell()
    await told
    await slow.gate.release()
    await now()
    free()
  })

  test.each(['before', 'after'])('when the server died %s the tracker was read', async (when) => {
    await now()
    const execution = queued(store, 'a-1')
    const slow = slowGate()
    slow.gate.mayStart(execution)
    await slow.written
    if (when === 'after') await now()
    cancelled(execution) // by the next server
    await gate.release()
    expect(store.openClaims()).toHaveLength(1) // a command of the server before may still be at it
    clock.advance(70_000)
    await gate.release()
    await now()
    free()
  })

  test('when the tracker cannot be written at that moment: it is tried until it can', async () => {
    await now()
    const execution = queued(store, 'a-1')
    gate.mayStart(execution)
    await answer()
    const good = at.text
    at.put(`<<<<<<< HEAD\n${good}`)
    cancelled(execution)
    await gate.release()
    await now()
    expect(store.trackerState(demo)).toMatchObject({ waiting: 1 })
    at.put(good)
    await now()
    free()
  })

  test('when the database is locked: the tracker is asked once the claim is noted', async () => {
    await now()
    const execution = queued(store, 'a-1')
    const free = Promise.withResolvers<void>()
    const asked: string[] = []
    const waiting = new ClaimGate({
      store: { ...store, claimBegins: (id) => free.promise.then(() => store.claimBegins(id)) },
      projects: {
        claimsIn: (row) => sync.claimsIn(row),
        claim: async (_, id) => {
          asked.push(id)
          expect(store.openClaims()).toHaveLength(1)
          return { claim: 'ours' }
        },
      },
      clock,
      log: createLogger('silent'),
      answered: () => answers.splice(0).forEach((tell) => tell()),
    })
    expect(waiting.mayStart(execution)).toBe(false)
    await now()
    expect(asked).toEqual([])
    const told = answer()
    free.resolve()
    await told
    expect(asked).toEqual(['a-1'])
    expect(waiting.mayStart(execution)).toBe(true)
  })

  test('and another server’s claim is left alone', async () => {
    await now()
    person('a-1', { status: 'in_progress', assignee: 'beadloom' })
    await now()
    await gate.release()
    clock.advance(70_000)
    await gate.release()
    await now()
    expect(inFile('a-1')).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
  })
})
