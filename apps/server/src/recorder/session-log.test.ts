import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseExecutionId, sessionIdOf } from '@beadloom/core/records/ids.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { HandClock } from '../ports/testing/hand-clock.ts'
import { LogFile } from './files/log-file.ts'
import { logPaths } from './files/log-paths.ts'
import { defaultBounds } from './bounds.ts'
import { SessionLog } from './session-log.ts'

const session = sessionIdOf(parseExecutionId('ex-aaaaaaaaaa'), 1)
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beadloom-session-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('a commit that waits for the disk undoes nothing of a later one that did not', async () => {
  const start = { n: 0, stdout: 0, stderr: 0, logBytes: 0, logLines: 0, tail: 0, complete: false }
  const fail = (error: unknown) => expect.unreachable(String(error))
  const file = await LogFile.open(logPaths(folder, session), defaultBounds, start, fail)
  const disk = Promise.withResolvers<void>()
  const store = {
    commitRecord: (_: unknown, __: unknown, rows: unknown[]) => (rows.length > 0 ? disk.promise : Promise.resolve()),
  }
  const deps = { store, clock: new HandClock(), bounds: defaultBounds, grown: () => {}, report: fail }
  const log = new SessionLog(session, file, start, deps)

  log.text('a line\n')
  log.event(1, { type: 'warning', at: 0, line: 0, data: { text: 'a line' } })
  const first = log.commit()
  log.text('a note\n')
  await log.commit()
  expect(log.committed).toEqual({ logBytes: 14, logLines: 2 })
  disk.resolve()
  await first
  expect(log.committed).toEqual({ logBytes: 14, logLines: 2 })
  await log.close()
})

test('long rows are committed before they are many, so no transaction is large', async () => {
  const start = { n: 0, stdout: 0, stderr: 0, logBytes: 0, logLines: 0, tail: 0, complete: false }
  const fail = (error: unknown) => expect.unreachable(String(error))
  const file = await LogFile.open(logPaths(folder, session), defaultBounds, start, fail)
  const batches: number[] = []
  const store = { commitRecord: (_: unknown, __: unknown, rows: unknown[]) => void batches.push(rows.length) }
  const deps = { store, clock: new HandClock(), bounds: defaultBounds, grown: () => {}, report: fail }
  const log = new SessionLog(session, file, start, deps)

  const text = 'x'.repeat(64 * 1024)
  for (let n = 1; n <= 400; n++) {
    log.event(n, { type: 'message', at: 0, line: 0, data: { text } })
    await log.makeRoom()
  }
  await log.close()
  expect(batches.reduce((sum, rows) => sum + rows, 0)).toBe(400)
  expect(Math.max(...batches)).toBeLessThanOrEqual(65)
})
