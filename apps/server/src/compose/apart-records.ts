import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import { createRecorder } from '../recorder/create-recorder.ts'
import { logEnd } from '../recorder/log-end.ts'
import { UnstoredRecords } from '../recorder/unstored-records.ts'
import type { Recorder } from '../ports/recorder.ts'
import type { Place } from './place.ts'

/** The output of sessions that belong to no execution: those of proofs. */
export type ApartRecords = {
  recorder: Recorder
  /** The last bytes of a log, as text; null if there is none. */
  end: (session: SessionId) => Promise<string | null>
  remove: (id: ExecutionId) => Promise<void>
  /** Removes the logs of all other ids. */
  keepOnly: (ids: readonly ExecutionId[]) => Promise<void>
}

const MOST_OF_A_LOG = 256 * 1024

export function apartRecords({ settings, clock, log }: Place): ApartRecords {
  const folder = join(settings.data, 'proofs')
  const records = new UnstoredRecords()
  const report = (error: unknown) => log.error({ error }, 'the recorder of proofs failed')
  const { recorder, removeLogs } = createRecorder({ folder, store: records, clock, report })
  return {
    recorder,
    end: (session) => logEnd(folder, session, MOST_OF_A_LOG),
    remove: async (id) => {
      records.forget(id)
      await removeLogs(id)
    },
    keepOnly: async (ids) => {
      const kept = new Set<string>(ids)
      const there = await readdir(folder).catch((): string[] => [])
      for (const name of there) if (!kept.has(name)) await rm(join(folder, name), { recursive: true, force: true })
    },
  }
}
