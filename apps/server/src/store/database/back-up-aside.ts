import { Worker } from 'node:worker_threads'
import { StoreError } from '../../ports/store/errors.ts'
import { workerFile } from '../../process/own-files.ts'
import type { BackUp } from './back-up.ts'

/** The thread's report: an error loses its class on the way. */
export type BackUpTold = { made: BackUp } | { kind: StoreError['kind'] | null; message: string }

/**
 * `backUpDatabase` on a thread of its own: copying a large database takes seconds, and the server has to answer
 * meanwhile. Throws the same errors.
 */
export async function backUpAside(file: string, target: string): Promise<BackUp> {
  const worker = new Worker(workerFile('store/database/back-up-worker.ts'), { workerData: { file, target } })
  const told = await new Promise<BackUpTold>((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the thread that copies the database ended with ${code}`)))
  })
  if ('made' in told) return told.made
  throw told.kind === null ? new Error(told.message) : new StoreError(told.kind, told.message)
}
