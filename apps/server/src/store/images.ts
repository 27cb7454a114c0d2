import type { ImageStore, ImageUse } from '../ports/store/images.ts'
import type { Writing } from './database/writer.ts'

export function imageStore({ db, clock, write }: Writing): ImageStore {
  const put = db.prepare<[string, string | null, string | null, number]>(
    `INSERT INTO image (name, project, checked_out, used_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET project = coalesce(excluded.project, project),
       checked_out = coalesce(excluded.checked_out, checked_out), used_at = excluded.used_at`,
  )
  const forget = db.prepare<[string]>('DELETE FROM image WHERE name = ?')
  const select = db.prepare<[], ImageUse>('SELECT name, project, used_at AS usedAt FROM image ORDER BY name')
  const commitIn = db.prepare<[string], string | null>('SELECT checked_out FROM image WHERE name = ?').pluck()
  return {
    noteImages: (images) =>
      write(() => {
        for (const { name, project, checkedOut = null } of images) put.run(name, project, checkedOut, clock.now())
      }),
    forgetImages: (names) =>
      write(() => {
        for (const name of names) forget.run(name)
      }),
    images: () => select.all(),
    checkedOutIn: (name) => commitIn.get(name) ?? null,
  }
}
