import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ReviewVerdict } from '@beadloom/core/review/review.ts'
import { newExecutionId } from '@beadloom/core/records/ids.ts'
import type { Store } from '@beadloom/server/src/ports/store.ts'
import { LiveIndex } from '@beadloom/server/src/app/scheduling/live-index.ts'
import {
  bead,
  demo,
  openTestStore,
  running,
  seededRandom,
  stepClock,
  world,
} from '@beadloom/server/src/store/testing.ts'

/* Frequent questions of boards, over a real store: kept in memory while executions run, read again at a start. */

let folder: string
let store: Store
const random = seededRandom(3)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'live-index-'))
  store = openTestStore(join(folder, 'beadloom.db'), { clock: stepClock(), random })
  world(store, ['a-1'])
})
afterEach(() => {
  store.close()
  rmSync(folder, { recursive: true, force: true })
})

const a1 = bead('a-1')
const commit = (letter: string) => letter.repeat(40)

function worked(to: string): void {
  const done = store.endExecution(running(store, 'a-1'), { state: 'COMPLETED', commit: commit(to), detail: 'Done.' })
  if ('refused' in done) throw new Error(done.refused)
}

function reviewed(to: string, verdict: ReviewVerdict | null): string {
  const id = newExecutionId(random)
  store.queueReview({
    id,
    project: demo,
    bead: a1,
    branch: 'b',
    from: commit('0'),
    to: commit(to),
    context: '',
    maxAttempts: 2,
  })
  store.startExecution(id, 9_999_999)
  if (verdict !== null) store.judgeReview(id, { verdict, reasons: [], summary: '', issues: [] })
  store.endExecution(
    id,
    verdict === null
      ? { state: 'FAILED', reason: 'agent_failed', detail: 'It failed.' }
      : { state: 'COMPLETED', commit: commit(to), detail: 'Judged.' },
  )
  return id
}

test('the verdict of a bead is that of its newest review, as long as no work came after it', () => {
  const index = new LiveIndex(store)
  const seen = () => {
    index.refresh()
    const now = index.verdict(demo, a1)
    expect(new LiveIndex(store).verdict(demo, a1)).toEqual(now) // as after a restart
    return now
  }
  worked('a')
  expect(seen()).toBeNull()
  const first = reviewed('a', 'not_ready')
  expect(seen()).toEqual({ id: first, verdict: 'not_ready' })
  const second = reviewed('a', 'ready')
  expect(seen()).toEqual({ id: second, verdict: 'ready' })
  reviewed('a', null)
  expect(seen()).toEqual({ id: second, verdict: 'ready' })

  store.moveBead(demo, a1, { type: 'reopened' })
  worked('b')
  expect(seen()).toBeNull()
  const third = reviewed('b', 'unparseable')
  expect(seen()).toEqual({ id: third, verdict: 'unparseable' })
})
