import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { readySet } from '@beadloom/core/bead/ready.ts'
import { parseProjectId } from '@beadloom/core/records/ids.ts'
import { parseProjectConfig, resolveSettings } from '@beadloom/core/project/project-config.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { file, line, TrackerFolder } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import type { Fetched, Hub } from '@beadloom/server/src/ports/hub.ts'
import { TrackerError } from '@beadloom/server/src/ports/tracker.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { TrackerSync } from '@beadloom/server/src/app/tracker/tracker-sync.ts'
import { bead, demo, openTestStore, queued, seededRandom } from '@beadloom/server/src/store/testing.ts'

/* Beads that nobody here is to work on: some are no work, and some need something from another project. */

const nothingFound = {
  setup: null,
  test: 'true',
  checks: [],
  techStack: [],
  tools: [],
  devcontainer: null,
  tests: [{ label: '', command: 'true' }],
  nested: [],
  untested: null,
  absent: [],
  services: [],
}
const api = parseProjectId('api')
const needs = (id: string, target: string, type = 'blocks') =>
  line(id, { dependencies: [{ issue_id: id, depends_on_id: target, type }] })

let root: string
let store: Store
let clock: HandClock
let sync: TrackerSync
let here: TrackerFolder
let there: TrackerFolder
/** The tracker's file of a project without a working tree. */
let remote: string | null
beforeEach(() => {
  remote = null
  root = mkdtempSync(join(tmpdir(), 'no-work-'))
  clock = new HandClock()
  store = openTestStore(join(root, 'beadloom.db'), { clock, random: seededRandom() })
  here = new TrackerFolder(file(line('a-1')))
  there = new TrackerFolder(file(line('api-1', { labels: ['export:login'] })))
  store.addProject({ id: demo, source: here.path })
  sync = new TrackerSync({
    store,
    hub: { path: () => '/hub', readFile: async () => remote } as unknown as Hub,
    tracker: createTracker({ clock: new HandClock(10_000), env: { PATH: '/nowhere' }, own: tmpdir(), trusted: [] }),
    clock,
    log: createLogger('silent'),
    link: () => null,
    aside: { masked: async (text) => text },
  })
})
afterEach(() => {
  store.close()
  here.remove()
  there.remove()
  rmSync(root, { recursive: true, force: true })
})

const cancelled = (id: string, project = demo) =>
  store.endExecution(queued(store, id, project), { state: 'CANCELLED', detail: '' })
const now = (project = demo) => sync.sync(store.project(project)!, null)
const ready = () => readySet(store.beads(demo), clock.now()).map(({ id }) => id as string)

test('agents, roles, rigs, convoys and molecules of Gas Town are not on the board and never start, and that is said once', async () => {
  here.put(
    file(
      line('gt-1', { labels: ['gt:agent'] }),
      line('gt-2', { labels: ['gt:role'] }),
      line('gt-3', { labels: ['gt:rig'] }),
      line('hq-cv-4', { issue_type: 'convoy' }),
      line('gt-mol-5'),
      line('gt-6', { labels: ['gt:agent'], status: 'closed', closed_at: '2026-01-01T00:00:00Z' }),
      needs('a-7', 'gt-1'),
      line('a-8'),
    ),
  )
  expect(await now()).toEqual([])
  expect(ready()).toEqual(['a-8']) // the other one waits for a foreign agent, as bd says
  expect(sync.info(demo)?.text).toBe(
    '.beads/issues.jsonl, read and written directly; 5 beads are left out as not being work (1 by label:gt:agent, 1 by label:gt:role, 1 by label:gt:rig, 1 by type:convoy, …; "beads.ignore" in beadloom.json)',
  )
  expect(store.beads(demo).filter(({ ephemeral }) => ephemeral)).toHaveLength(6)
})

test('"beads.ignore" names other ones, and an empty list ignores nothing', async () => {
  here.put(file(line('a-1', { labels: ['gt:agent'] }), line('a-2', { labels: ['chat'] })))
  const settings = (ignore: string[]) => {
    store.updateProject(demo, {
      settings: JSON.stringify(
        resolveSettings(parseProjectConfig(JSON.stringify({ beads: { ignore } })), nothingFound, 'demo', 'main'),
      ),
    })
  }
  settings(['label:chat'])
  await now()
  expect(ready()).toEqual(['a-1'])
  settings([])
  await now()
  expect(ready()).toEqual(['a-1', 'a-2'])
})

test('a bead that needs a bead of another project starts when that is done there, and waits again when it is undone', async () => {
  here.put(file(needs('a-1', 'external:api:login'), line('a-2')))
  store.addProject({ id: api, source: there.path })
  await now(api)
  expect(await now()).toEqual([])
  expect(ready()).toEqual(['a-2'])

  const shipped = { labels: ['export:login', 'provides:login'] }
  there.put(file(line('api-1', { ...shipped, status: 'closed', closed_at: '2026-01-03T00:00:00Z' })))
  await now(api)
  expect(await sync.isDue(store.project(demo)!)).toBe(false) // it is not looked up all the time
  clock.advance(5_000)
  expect(await sync.isDue(store.project(demo)!)).toBe(true)
  await now()
  expect(ready()).toEqual(['a-1', 'a-2'])
  clock.advance(5_000)
  expect(await sync.isDue(store.project(demo)!)).toBe(false)

  there.put(file(line('api-1', shipped)))
  await now(api)
  await now()
  expect(ready()).toEqual(['a-2'])
})

test('a bead that left its tracker provides nothing more, though its executions keep it here', async () => {
  const shipped = line('api-1', { labels: ['provides:login'], status: 'closed', closed_at: '2026-01-03T00:00:00Z' })
  here.put(file(needs('a-1', 'external:api:login'), line('a-2')))
  store.addProject({ id: api, source: there.path })
  await now(api)
  cancelled('api-1', api)
  there.put(file(shipped))
  await now(api)
  await now()
  expect(ready()).toEqual(['a-1', 'a-2'])
  there.put(file(line('api-2')))
  await now(api)
  await now()
  expect(store.bead(api, bead('api-1'))).toMatchObject({ status: 'done', trackerStatus: 'tombstone' })
  expect(ready()).toEqual(['a-2'])
})

test('a bead waits for one that left the tracker unfinished, as the warning says, also if executions keep that here', async () => {
  here.put(file(needs('a-1', 'a-2'), line('a-2')))
  await now()
  cancelled('a-2')
  here.put(file(needs('a-1', 'a-2')))
  expect(await now()).toEqual([expect.stringContaining('which is not in the file, so it waits for that')])
  expect(store.bead(demo, bead('a-2'))).toMatchObject({ status: 'open', trackerStatus: 'tombstone' })
  expect(ready()).toEqual([])

  // With a tombstone its tracker says itself that nobody has to wait.
  here.put(file(needs('a-1', 'a-2'), line('a-2', { status: 'tombstone', deleted_at: '2026-01-03T00:00:00Z' })))
  expect(await now()).toEqual([])
  expect(ready()).toEqual(['a-1'])
})

test('a bead starts when its need is met, though its own file was full of conflict markers just then', async () => {
  const text = file(needs('a-1', 'external:api:login'), line('a-2'))
  here.put(text)
  store.addProject({ id: api, source: there.path })
  await now(api)
  await now()

  there.put(file(line('api-1', { labels: ['provides:login'], status: 'closed', closed_at: '2026-01-03T00:00:00Z' })))
  await now(api)
  here.put(`<<<<<<< HEAD\n${text}=======\n${text}>>>>>>> theirs\n`)
  expect(await now()).toEqual([expect.stringContaining('conflict')])
  here.put(text)
  await now()
  expect(ready()).toEqual(['a-1', 'a-2'])
})

test('a project that has no working tree here notices as well that its need is met', async () => {
  const web = parseProjectId('web')
  store.addProject({ id: web, source: 'https://host.example/web.git' })
  store.addProject({ id: api, source: there.path })
  remote = file(needs('w-1', 'external:api:login'))
  await now(api)
  const read = () => sync.sync(store.project(web)!, { commit: 'c0ffee', baseBranch: 'main' } as Fetched)
  await read()
  there.put(file(line('api-1', { labels: ['provides:login'], status: 'closed', closed_at: '2026-01-03T00:00:00Z' })))
  await now(api)
  clock.advance(5_000)
  expect(await sync.isDue(store.project(web)!)).toBe(true)
  await read()
  expect(readySet(store.beads(web), clock.now()).map(({ id }) => id)).toEqual(['w-1'])
})

test.each([
  [
    'external:stranger:login',
    'a-1 waits for external:stranger:login, and no project here is called "stranger": remove that dependency when it is there.',
  ],
  [
    'external:login',
    'a-1 waits for external:login, which names nothing of any project: remove that dependency when it is there.',
  ],
])('an unknown dependency is never met: %s holds its bead back, and the project says so', async (target, told) => {
  here.put(file(needs('a-1', target), line('a-2')))
  expect(await now()).toEqual([told])
  expect(ready()).toEqual(['a-2'])
  expect(store.bead(demo, bead('a-1'))?.dependencies).toEqual([{ dependsOn: target, type: 'blocks' }])
})

test("a project's beads are looked through once, however many are waited for", async () => {
  const ids = Array.from({ length: 300 }, (_, at) => `a-${at}`)
  here.put(file(...ids.map((id) => needs(id, `external:api:part-${id}`))))
  store.addProject({ id: api, source: there.path })
  await now(api)
  const beads = vi.spyOn(store, 'beads')
  const looks = () => beads.mock.calls.filter(([project]) => project === api).length
  await now()
  expect(looks()).toBe(1)
  clock.advance(5_000)
  await sync.isDue(store.project(demo)!)
  expect(looks()).toBe(2)
})

test('a dependency may be any text, and is recognised again', async () => {
  const target = `external:api:${'+'.repeat(1_000)}\n!`
  here.put(file(needs('a-1', target)))
  there.put(file(line('api-1', { labels: [`provides:${'+'.repeat(1_000)}\n!`], status: 'closed' })))
  store.addProject({ id: api, source: there.path })
  await now(api)
  await now()
  expect(ready()).toEqual(['a-1'])
  const taken = vi.spyOn(store, 'takeBeads')
  here.put(file(needs('a-1', target), line('a-2')))
  await now()
  expect(taken.mock.calls.flatMap(([, beads]) => beads.map(({ bead: { id } }) => id as string))).toEqual(['a-2'])
})

test('a tracker that was busy while it was read is read again, though nothing in it changes', async () => {
  const real = createTracker({ clock: new HandClock(10_000), env: { PATH: '/nowhere' }, own: tmpdir(), trusted: [] })
  let isBusy = true
  sync = new TrackerSync({
    store,
    hub: { path: () => '/hub', readFile: async () => null } as unknown as Hub,
    tracker: {
      ...real,
      find: async (folder) => {
        const found = await real.find(folder)
        const busy = () => Promise.reject(new TrackerError('busy', 'another program holds it'))
        return { ...found, read: (last) => (isBusy ? busy() : found.read(last)) }
      },
    },
    clock,
    log: createLogger('silent'),
    link: () => null,
    aside: { masked: async (text) => text },
  })
  const isDue = () => sync.isDue(store.project(demo)!)
  expect(await now()).toEqual([expect.stringContaining('another program holds it')])
  expect(await isDue()).toBe(false) // not all the time
  isBusy = false
  clock.advance(60_000)
  expect(await isDue()).toBe(true)
  expect(await now()).toEqual([])
  expect(ready()).toEqual(['a-1'])
  clock.advance(60_000)
  expect(await isDue()).toBe(false)
})
