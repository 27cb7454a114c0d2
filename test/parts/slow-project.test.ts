import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { parseProjectId, type ProjectId } from '@beadloom/core/records/ids.ts'
import { Projects, type ProjectsDeps } from '@beadloom/server/src/app/projects/projects.ts'
import { createTracker } from '@beadloom/server/src/beads/find-tracker.ts'
import { file, line, TrackerFolder } from '@beadloom/server/src/beads/testing/tracker-folder.ts'
import { HubError } from '@beadloom/server/src/ports/hub.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import { createLogger } from '@beadloom/server/src/process/logger.ts'
import { openTestStore, seededRandom } from '@beadloom/server/src/store/testing.ts'
import type { OpenStore } from '@beadloom/server/src/store/open-store.ts'

/* A real store and real trackers; those of some projects do not answer. */

const quick = parseProjectId('quick')
let root: string
let clock: HandClock
let store: OpenStore
let at: TrackerFolder
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'slow-project-'))
  clock = new HandClock()
  store = openTestStore(join(root, 'beadloom.db'), { clock, random: seededRandom() })
  at = new TrackerFolder(file(line('a-1')))
})
afterEach(() => {
  store.close()
  at.remove()
  rmSync(root, { recursive: true, force: true })
})

/** `find`: looks for a tracker in the folder of a project that is not the quick one. */
function projectsWith(find: (folder: string) => Promise<never>): Projects {
  const tracker = createTracker({ clock: new HandClock(10_000), env: { PATH: '/nowhere' }, own: tmpdir(), trusted: [] })
  const away = () => Promise.reject(new HubError('missing', 'no such host'))
  return new Projects({
    store: store.patient,
    hub: { path: () => '/hub', fetch: away, current: async () => null, readFile: async () => null },
    tracker: { ...tracker, find: (folder: string) => (folder === at.path ? tracker.find(folder) : find(folder)) },
    aside: { masked: async (text: string[]) => text },
    base: { obstacle: () => null, look: async () => {}, forget: () => {} },
    clock,
    log: createLogger('silent'),
    link: () => null,
  } as unknown as ProjectsDeps)
}

function add(name: string): ProjectId {
  const id = parseProjectId(name)
  store.addProject({ id, source: mkdtempSync(join(root, `${name}-`)) })
  return id
}

/** Waits for a condition while time passes. */
const eventually = (isSo: () => boolean) =>
  expect
    .poll(() => {
      clock.advance(1_000)
      return isSo()
    })
    .toBe(true)

test('projects whose trackers do not answer keep no other from being read, and each is asked once', async () => {
  const asked: string[] = []
  const slow = ['a', 'b', 'c', 'd', 'e', 'f'].map(add) // more than are looked at side by side
  store.addProject({ id: quick, source: at.path })
  const projects = projectsWith((folder) => {
    asked.push(folder)
    return new Promise(() => {})
  })
  const stop = new AbortController()
  const followed = projects.follow(stop.signal)
  await eventually(() => store.beads(quick).length === 1)
  at.put(file(line('a-1'), line('a-2')))
  await eventually(() => store.beads(quick).length === 2)
  expect(asked).toHaveLength(slow.length)
  stop.abort()
  await followed
})

test('a bug while one project is looked at ends the following of all', async () => {
  add('a')
  store.addProject({ id: quick, source: at.path })
  const projects = projectsWith(() => new Promise(() => {}))
  projects.obstacle = () => {
    throw new Error('a bug')
  }
  let error: unknown = null
  void projects.follow(new AbortController().signal).catch((thrown: unknown) => (error = thrown))
  await eventually(() => error !== null)
  expect(error).toMatchObject({ message: 'a bug' })
})
