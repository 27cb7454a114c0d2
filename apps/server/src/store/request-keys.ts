import type { KeptAnswer, KeyedRequest, RequestKeys } from '../ports/store/request-keys.ts'
import type { Writing } from './database/writer.ts'

const KEPT_MS = 24 * 3_600_000
/** Enough for a day of a busy team's clicks and scripts; more keys come from a runaway program. */
const MOST_KEPT = 10_000
const MOST_BYTES = 32 * 1024 ** 2
/** A longer answer is generated again from the result of the request. */
const LONGEST_ANSWER = 256 * 1024
/** The approximate size of a row without its texts. */
const ROW_BYTES = 200
/** The number of keys between two checks of the sums. */
const PRUNE_EVERY = 32

type Row = {
  digest: string
  at: number
  made: string | null
  status: number | null
  seq: number | null
  body: string | null
}
type Bounds = { most: number; bytes: number }

export function requestKeys(
  { db, clock, write }: Writing,
  { most, bytes: mostBytes }: Bounds = { most: MOST_KEPT, bytes: MOST_BYTES },
): RequestKeys {
  const select = db.prepare<[string, string], Row>(
    'SELECT digest, at, made, status, seq, body FROM request_key WHERE scope = ? AND key = ?',
  )
  const put = db.prepare<[KeyedRequest & { at: number; bytes: number; made: string }]>(
    `INSERT OR REPLACE INTO request_key (scope, key, digest, at, bytes, made)
     VALUES (@scope, @key, @digest, @at, @bytes, @made)`,
  )
  const answer = db.prepare<[KeyedRequest & KeptAnswer & { at: number; bytes: number }]>(
    `INSERT INTO request_key (scope, key, digest, at, bytes, status, seq, body)
     VALUES (@scope, @key, @digest, @at, @bytes, @status, @seq, @body)
     ON CONFLICT (scope, key) DO UPDATE SET digest = @digest, at = @at, bytes = @bytes, status = @status, seq = @seq,
       body = @body`,
  )
  const old = db.prepare<[number]>('DELETE FROM request_key WHERE at <= ?')
  const sums = db.prepare<[], { rows: number; bytes: number }>(
    'SELECT count(*) AS rows, coalesce(sum(bytes), 0) AS bytes FROM request_key',
  )
  const byAge = db.prepare<[], { id: number; bytes: number }>('SELECT id, bytes FROM request_key ORDER BY at, id')
  const remove = db.prepare<[number]>('DELETE FROM request_key WHERE id = ?')
  let sinceLook = PRUNE_EVERY - 1

  const sizeOf = ({ scope, key, digest }: KeyedRequest, body = ''): number =>
    ROW_BYTES + scope.length + key.length + digest.length + Buffer.byteLength(body)

  /** Call it in the transaction that added a row. */
  const prune = (now: number): void => {
    sinceLook++
    if (sinceLook < Math.min(PRUNE_EVERY, most)) return
    sinceLook = 0
    old.run(now - KEPT_MS)
    const { rows, bytes } = sums.get() ?? { rows: 0, bytes: 0 }
    let [overRows, overBytes] = [rows - most, bytes - mostBytes]
    if (overRows <= 0 && overBytes <= 0) return
    for (const row of byAge.all()) {
      if (overRows <= 0 && overBytes <= 0) return
      remove.run(row.id)
      overRows--
      overBytes -= row.bytes
    }
  }

  return {
    knownRequest: ({ scope, key, digest }) => {
      const row = select.get(scope, key)
      if (!row || row.at <= clock.now() - KEPT_MS) return { is: 'open', made: null }
      if (row.digest !== digest) return { is: 'other body' }
      if (row.status === null) return { is: 'open', made: row.made }
      return { is: 'answered', answer: { status: row.status, body: row.body ?? '', seq: row.seq ?? 0 } }
    },

    makeOnce: (request, work, made) =>
      write(() => {
        const result = work()
        const id = made(result)
        const at = clock.now()
        if (id !== null) put.run({ ...request, at, bytes: sizeOf(request), made: id })
        return result
      }),

    answerRequest: (request, { status, body, seq }) => {
      if (body.length > LONGEST_ANSWER) return
      // The result is on the disk already: an answer lost in a power cut is generated again from it.
      write(() => {
        const at = clock.now()
        answer.run({ ...request, status, body, seq, at, bytes: sizeOf(request, body) })
        prune(at)
      }, false)
    },
  }
}
