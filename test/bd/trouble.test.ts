import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { parseBeadId } from '@beadloom/core/records/ids.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import { createAside } from '@beadloom/server/src/aside/create-aside.ts'
import { runBd } from '@beadloom/server/src/beads/bd/run-bd.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import type { Hub } from '@beadloom/server/src/ports/hub.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { TrackerSync } from '@beadloom/server/src/app/tracker/tracker-sync.ts'
import { demo, openTestStore, queued, running, seededRandom } from '@beadloom/server/src/store/testing.ts'
import { bdEnvironment, bdIn, hasBd, initBd, needsBd } from '../support/bd.ts'
import { git } from '../support/repository.ts'

/* A database of the real bd that others use or lock, a store, and the sync between the two. */
const test = needsBd()
let root: string
let env: Record<string, string>
let folder: string
let bd: ReturnType<typeof bdIn>
let store: Store
let sync: TrackerSync

beforeAll(() => {
  if (!hasBd()) return
  root = mkdtempSync(join(tmpdir(), 'tracker-trouble-'))
  env = bdEnvironment(join(root, 'home'))
})
afterAll(() => {
  if (hasBd()) rmSync(root, { recursive: true, force: true })
})

let made = 0
beforeEach(() => {
  if (!hasBd()) return
  made += 1
  folder = join(root, `repository-${made}`)
  mkdirSync(folder)
  git(folder, 'init', '--quiet')
  bd = bdIn(folder, env)
  initBd(bd, 't')
  store = openTestStore(join(root, `store-${made}`, 'beadloom.db'), { clock: systemClock, random: seededRandom() })
  store.addProject({ id: demo, source: folder })
  sync = new TrackerSync({
    store,
    hub: { path: () => '/hub', readFile: async () => null } as unknown as Hub,
    tracker: createTracker({ clock: systemClock, env, own: tmpdir(), trusted: [] }),
    clock: systemClock,
    log: createLogger('silent'),
    aside: createAside({ clock: systemClock }),
    link: () => null,
  })
})
afterEach(() => {
  if (hasBd()) store.close()
})

const now = () => sync.sync(store.project(demo)!, null)
const one = (text: string) => {
  const value: unknown = JSON.parse(text)
  return (Array.isArray(value) ? value[0] : value) as Record<string, unknown>
}
const make = (title: string, ...args: string[]) => one(bd('create', title, ...args, '--json'))['id'] as string
const shown = (id: string) => one(bd('show', id, '--json'))
const comments = (id: string) =>
  (JSON.parse(bd('comments', id, '--json')) as { text: string }[]).map(({ text }) => text)
const known = (id: string) => store.bead(demo, parseBeadId(id))
const warnings = (id: ExecutionId) =>
  store.events(id, 0, 1000).flatMap(({ type, data }) => (type === 'warning' ? [(data as { text: string }).text] : []))
const complete = (execution: ExecutionId, id: string) => {
  store.endExecution(execution, { state: 'COMPLETED', commit: 'c'.repeat(40), detail: 'Done.' })
  store.moveBead(demo, parseBeadId(id), { type: 'completed' })
}
/** Runs bd as another person in another terminal. Resolves to its exit code. */
const person = async (...args: string[]): Promise<number | null> => {
  const child = spawn('bd', args, { cwd: folder, env, stdio: 'ignore' })
  const [code] = (await once(child, 'close')) as [number | null]
  return code
}
/** Takes the lock of the database's own writers, in a process that is not bd. Resolves to its release. */
async function lockedDatabase(): Promise<() => Promise<void>> {
  const lock = join(folder, '.beads/embeddeddolt/t/.dolt/noms/LOCK')
  const holder = spawn('flock', [lock, 'sh', '-c', 'echo held; cat'], { stdio: ['pipe', 'pipe', 'inherit'] })
  await once(holder.stdout, 'data')
  return async () => {
    holder.stdin.end()
    await once(holder, 'close')
  }
}

test('Beadloom waits for a database that another program holds for 20 seconds: a claim, a status and a comment arrive', async () => {
  const [first, second] = [make('First'), make('Second')]
  await now()
  const execution = running(store, first)
  queued(store, second)
  complete(execution, first)
  const release = await lockedDatabase()
  const written = now()
  const claimed = sync.claim(store.project(demo)!, parseBeadId(second))
  await systemClock.sleep(20_000) // the time under test: bd waits longer before it gives up
  expect(store.trackerState(demo)).toMatchObject({ waiting: 2 })
  await release()
  expect(await claimed).toEqual({ claim: 'ours' })
  expect(await written).toEqual([])
  expect(shown(first)).toMatchObject({ status: 'closed', close_reason: `done in Beadloom (${execution})` })
  expect(comments(first)).toEqual([expect.stringContaining(`COMPLETED: execution ${execution}`)])
  expect(shown(second)).toMatchObject({ status: 'in_progress', assignee: 'beadloom' })
  expect(known(second)).toMatchObject({ status: 'open' })
})

test('a broken database loses nothing: pending changes are reported, and written when the database is whole again', async () => {
  const id = make('Kept')
  await now()
  const execution = running(store, id)
  complete(execution, id)
  const manifest = join(folder, '.beads/embeddeddolt/t/.dolt/noms/manifest')
  const whole = readFileSync(manifest)
  writeFileSync(manifest, 'garbage')
  expect(await now()).toEqual([expect.stringContaining('continuing with what was read before')])
  expect(store.trackerState(demo)).toMatchObject({ waiting: 2 })
  await expect(sync.claim(store.project(demo)!, parseBeadId(id))).resolves.toMatchObject({ claim: 'later' })
  expect(known(id)).toMatchObject({ status: 'done' })
  writeFileSync(manifest, whole)
  expect(await now()).toEqual([])
  expect(shown(id)).toMatchObject({ status: 'closed' })
  expect(comments(id)).toHaveLength(1)
})

test('eight people write at once while Beadloom reads and writes: every bead and every comment is there', async () => {
  const shared = Array.from({ length: 3 }, (_, at) => make(`Shared ${at}`))
  await now()
  const executions = shared.map((id) => [id, running(store, id)] as const)
  const people = Array.from({ length: 8 }, async (_, who) => {
    const codes: (number | null)[] = []
    for (const [at, id] of shared.entries()) {
      codes.push(await person('create', `Of ${who}, ${at}`))
      codes.push(await person('comment', id, `note of ${who}`))
    }
    return codes
  })
  let writing = true
  const done = Promise.all(people).finally(() => (writing = false))
  for (const [id, execution] of executions) {
    await now()
    complete(execution, id)
  }
  while (writing) await now()
  expect((await done).flat().filter((code) => code !== 0)).toEqual([])
  while (store.trackerState(demo).waiting > 0) await now()
  await now()
  const titles = store.beads(demo).map(({ title }) => title)
  for (let who = 0; who < 8; who++) for (let at = 0; at < 3; at++) expect(titles).toContain(`Of ${who}, ${at}`)
  for (const [id, execution] of executions) {
    expect(shown(id)).toMatchObject({ status: 'closed', assignee: 'beadloom' })
    expect(comments(id).toSorted()).toEqual([
      expect.stringContaining(execution),
      ...Array.from({ length: 8 }, (_, who) => `note of ${who}`),
    ])
  }
})

test('two people and Beadloom edit one bead at once: no note is lost, the person’s status wins, the history tells', async () => {
  const id = make('Busy')
  await now()
  const execution = running(store, id)
  await now()
  complete(execution, id)
  expect(await person('update', id, '--status', 'deferred', '--actor', 'ana')).toBe(0)
  const [codes] = await Promise.all([
    Promise.all([
      person('comment', id, 'of ana', '--actor', 'ana'),
      person('update', id, '--append-notes', 'of bob', '--priority', '0', '--actor', 'bob'),
      person('comment', id, 'of bob', '--actor', 'bob'),
    ]),
    now(),
  ])
  expect(codes).toEqual([0, 0, 0])
  while (store.trackerState(demo).waiting > 0) await now()
  await now()
  const last = shown(id)
  expect(last).toMatchObject({ notes: 'of bob', priority: 0, title: 'Busy' })
  expect(comments(id).toSorted()).toEqual([expect.stringContaining(execution), 'of ana', 'of bob'])
  expect(last['status']).toBe('deferred')
  expect(known(id)).toMatchObject({ status: 'blocked', trackerStatus: 'deferred', priority: 0 })
  expect(warnings(execution)).toEqual([expect.stringContaining('"deferred" in the tracker')])
})

test('only one of two simultaneous claims wins', async () => {
  const outcomes: string[] = []
  for (let round = 0; round < 5; round++) {
    const id = make(`Wanted ${round}`)
    await now()
    const [claim, code] = await Promise.all([
      sync.claim(store.project(demo)!, parseBeadId(id)),
      person('update', id, '--claim', '--actor', 'ana'),
    ])
    const { assignee, status } = shown(id)
    expect(status).toBe('in_progress')
    expect([claim.claim, code, assignee]).toEqual(
      claim.claim === 'ours' ? ['ours', 1, 'beadloom'] : ['theirs', 0, 'ana'],
    )
    outcomes.push(claim.claim)
    if (claim.claim === 'theirs') expect(known(id)).toMatchObject({ claimedBy: 'ana' })
  }
  expect(outcomes).toHaveLength(5)
})

test.each([
  ['title', ['--title', 'Another'], 'its title was changed'],
  ['description', ['--description', 'More'], 'its description was changed'],
  ['acceptance criteria', ['--acceptance', 'Fast'], 'its acceptance criteria were changed'],
  ['design', ['--design', 'So'], 'its design was changed'],
])('a successful run does not close a bead whose %s somebody changed with bd meanwhile', async (_, args, says) => {
  const id = make('Asked', '--description', 'First', '--acceptance', 'Right', '--design', 'Like this')
  await now()
  const execution = running(store, id)
  await now()
  bd('update', id, ...args)
  complete(execution, id)
  await now()
  expect(shown(id)).toMatchObject({ status: 'in_progress' })
  expect(comments(id)).toEqual([expect.stringContaining(says)])
  expect(known(id)).toMatchObject({ status: 'in_progress' })
  expect(store.execution(execution)?.flags).toMatchObject([{ kind: 'outdated' }])
})

test('a hook that comes with a clone is not run for us, and runs where a person trusts the folder', async () => {
  const id = make('With a hook')
  const ran = join(root, `hook-ran-${made}`)
  mkdirSync(join(folder, '.beads', 'hooks'), { recursive: true })
  writeFileSync(join(folder, '.beads', 'hooks', 'on_update'), `#!/bin/sh\necho "$1" >> '${ran}'\n`, { mode: 0o755 })
  const settings = { program: 'bd', folder, clock: systemClock, env }
  const update = (trusted: boolean, title: string) =>
    runBd(
      { ...settings, trusted },
      { args: ['update', id, '--title', title, '--sandbox', '--json'], limitBytes: 2 ** 20 },
    )
  for (let turn = 0; turn < 10; turn++) expect((await update(false, `Untrusted ${turn}`)).code).toBe(0)
  expect(shown(id)['title']).toBe('Untrusted 9')
  expect(existsSync(ran)).toBe(false)
  // bd does not wait for a hook that it has begun.
  for (let turn = 0; turn < 50 && !existsSync(ran); turn++) await update(true, `Trusted ${turn}`)
  expect(readFileSync(ran, 'utf8')).toContain(id)
})
