import { parentPort, workerData } from 'node:worker_threads'
import Database from 'better-sqlite3'

/** Does not wait for others that read or write at this moment: the next checkpoint comes soon. */
const BUSY_TIMEOUT_MS = 100

const db = new Database(workerData as string, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true })
db.pragma('synchronous = FULL')
db.pragma('wal_autocheckpoint = 0')

parentPort?.once('message', () => {
  try {
    const [done] = db.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[]
    if (done?.busy === 0)
      db.prepare(`INSERT OR REPLACE INTO meta (key, value) VALUES ('checkpoint', datetime('now'))`).run()
  } finally {
    db.close()
  }
})
parentPort?.postMessage('ready')
