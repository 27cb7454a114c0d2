import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '@beadloom/server/src/process/clock.ts'
import { openStore, type OpenStore } from '@beadloom/server/src/store/open-store.ts'
import { running, seededRandom, world } from '@beadloom/server/src/store/testing.ts'
import { lockDatabase } from '../support/lock-holder.ts'
import { figure, type Report, type Row } from './support/figure.ts'

const FOR_MS = 10_000
/** The pace at which three flooding agents write. */
const WRITES_EVERY_MS = 15
const EVENT = { text: 'x'.repeat(8 * 1024) }

/**
 * The longest block of the event loop while the store is written at the rate of a flood: undisturbed, with several
 * checkpoints of its write-ahead log, and while another program holds the lock. To play a slow disk, delay fdatasync:
 * `LD_PRELOAD`, or `strace -e inject=fdatasync:delay_enter=2000000`.
 */
export async function database(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'bl-bench-db-'))
  const file = join(folder, 'beadloom.db')
  const store = openStore(file, { clock: systemClock, random: seededRandom() })
  try {
    world(store, ['a-1'])
    const free = await stalls(store, async () => {})
    const locked = await stalls(store, () => lockDatabase(file))
    const row = (what: string, ms: number): Row => ({
      bench: 'database',
      what: `the event loop stands still, ${what}, longest`,
      ours: figure('ms', [ms]),
      baseline: null,
      aim: { of: 'ours', at: 'most', value: 250 },
    })
    return { rows: [row('writing', free), row('locked out by another program', locked)], parts: [] }
  } finally {
    store.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function stalls(store: OpenStore, trouble: () => Promise<void | (() => Promise<void>)>): Promise<number> {
  const [execution] = store.liveExecutions()
  const id = execution?.id ?? running(store, 'a-1')
  const over = await trouble()
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const written: (number | Promise<number>)[] = []
  const end = performance.now() + FOR_MS
  while (performance.now() < end) {
    written.push(store.patient.addEvent(id, null, 'message', EVENT))
    await sleep(WRITES_EVERY_MS)
  }
  await over?.()
  await Promise.all(written)
  delay.disable()
  return delay.max / 1e6
}
