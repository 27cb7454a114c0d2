import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { bead, demo, executionId, openTestStore, seededRandom, world } from '@beadloom/server/src/store/testing.ts'
import { Activities } from '@beadloom/server/src/app/views/activity.ts'

const id = executionId('a')
let folder: string
let store: Store
let clock: HandClock
let activities: Activities

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'activity-'))
  clock = new HandClock(5_000)
  store = openTestStore(join(folder, 'beadloom.db'), { clock, random: seededRandom() })
  world(store, ['bl-1'])
  activities = new Activities(store, clock, new AbortController().signal, (error) => {
    throw error
  })
  const of = { id, project: demo, bead: bead('bl-1'), kind: 'work', branch: 'b', context: '', maxAttempts: 1 } as const
  store.queueExecution(of)
  store.startExecution(id, 1)
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const says = (text: string) => store.addEvent(id, null, 'warning', { text })

test('the latest event is shown', async () => {
  says('first')
  says('second')
  await expect.poll(() => activities.of(id)).toBe('second')
})

test("an agent's call is shown in the words of the conversation, and a command by itself", async () => {
  const call = (tool: string, args: object) =>
    store.addEvent(id, null, 'tool_call', { tool, arguments: JSON.stringify(args) })
  call('bash', { command: 'npm test -- "a b"' })
  await expect.poll(() => activities.of(id)).toBe('npm test -- "a b"')
  call('edit_file', { path: 'src/date.ts', old_text: 'a', new_text: 'b' })
  clock.advance(1_000)
  await expect.poll(() => activities.of(id)).toBe('editing src/date.ts')
  call('finish', { why: 'done' })
  clock.advance(1_000)
  await expect.poll(() => activities.of(id)).toBe('using finish')
})

test('after a burst of thousands the last words are shown, not the first', async () => {
  for (let n = 0; n < 1000; n++) says(`word ${n}`)
  await expect.poll(() => activities.of(id)).toBe('word 999')
})

test('a burst is read only for its newest words', async () => {
  let reads = 0
  const counted = {
    ...store,
    newestEvent(...given: Parameters<Store['newestEvent']>) {
      reads += 1
      return store.newestEvent(...given)
    },
  }
  const others = new Activities(counted, clock, new AbortController().signal, (error) => {
    throw error
  })
  for (let n = 0; n < 200; n++)
    store.addEvent(id, null, 'tool_call', { tool: 'edit', arguments: JSON.stringify({ path: `${n}.ts` }) })
  store.addEvent(id, null, 'usage', { input: 1 })
  await expect.poll(() => others.of(id)).toBe('editing 199.ts')
  expect(reads).toBe(1)
})

test('a finished execution is forgotten, and events of its pipeline do not bring it back', async () => {
  says('working')
  await expect.poll(() => activities.of(id)).toBe('working')
  store.endExecution(id, { state: 'CANCELLED', detail: 'x' })
  await expect.poll(() => activities.of(id)).toBeNull()
  store.pipelineDone(id, 'status')
  says('cleaned up')
  await new Promise((resolve) => setImmediate(resolve))
  expect(activities.of(id)).toBeNull()
})
