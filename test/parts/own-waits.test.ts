import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { Stopper } from '@beadloom/server/src/execution/stop.ts'
import { Watchdog } from '@beadloom/server/src/execution/watchdog.ts'
import { HandClock } from '@beadloom/server/src/ports/testing/hand-clock.ts'
import type { OutputFrame } from '@beadloom/server/src/ports/sandbox.ts'
import { createRecorder } from '@beadloom/server/src/recorder/create-recorder.ts'
import { lines, MemoryStore, out, session } from '@beadloom/server/src/recorder/testing.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'

const MINUTE = 60_000
/** The number of rows that are written before more is read. */
const MANY = 500

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-own-waits-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** A store that takes nothing until it is told that there is room. */
class FullStore extends MemoryStore {
  readonly #room = Promise.withResolvers<void>()
  readonly asked = Promise.withResolvers<void>()

  readonly makeRoom = () => this.#room.resolve()

  override async commitRecord(...commit: Parameters<MemoryStore['commitRecord']>): Promise<void> {
    this.asked.resolve()
    await this.#room.promise
    super.commitRecord(...commit)
  }
}

/** A session that counts as silent after ten minutes, and whose record has to wait. */
function waitingFor(frames: () => AsyncIterable<OutputFrame>) {
  const clock = new HandClock()
  const store = new FullStore()
  const { recorder } = createRecorder({ folder, store, clock })
  const stopper = new Stopper()
  const done = new AbortController()
  const watchdog = new Watchdog(clock, { wallClockMs: 1000 * MINUTE, silenceMs: 10 * MINUTE })
  const watching = watchdog.watch(stopper, done.signal)
  const record = recorder.record(session, frames(), {
    onEvent: () => {},
    onActivity: watchdog.activity,
    whileOurs: (wait) => watchdog.whileOursToWait(wait),
  })
  const pass = async (minutes: number) => {
    for (let passed = 0; passed < minutes; passed++) {
      clock.advance(MINUTE)
      await turn()
      await turn()
    }
  }
  const end = async () => {
    done.abort()
    await watching
  }
  return { store, stopper, record, pass, end }
}

const message = { type: 'message', text: 'still at work' } as const
const many = out(lines(1, ...Array.from({ length: MANY }, () => message)))

test('a record that waits for room does not count as silence of the agent', async () => {
  const more = Promise.withResolvers<void>()
  const { store, stopper, record, pass, end } = waitingFor(async function* () {
    yield many
    await more.promise
  })
  await store.asked.promise
  await pass(60)
  expect(stopper.reason).toBeNull()

  store.makeRoom()
  await turn()
  await pass(9)
  expect(stopper.reason).toBeNull() // its silence counts from the end of our wait
  await pass(3)
  expect(stopper.reason).toEqual({ stop: 'timeout', reason: 'silence' })
  more.resolve()
  await record
  await end()
})

test('waiting for room at the end of a session does not count either', async () => {
  const { store, stopper, record, pass, end } = waitingFor(async function* () {
    yield out(lines(1, message))
  })
  await store.asked.promise
  await pass(60)
  expect(stopper.reason).toBeNull()
  store.makeRoom()
  await record
  await end()
})
