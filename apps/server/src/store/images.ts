import type { ImageStore, ImageUse } from '../ports/store/images.ts'
import type { Writing } from './database/writer.ts'

export function imageStore({ db, clock, write }: Writing): ImageStore {
  const put = db.prepare<[string, string | null, number]>(
    `INSERT INTO image (name, project, used_at) VALUES (?, ?, ?)
     ON CONFLICT DO UPDATE SET project = coalesce(excluded.project, project), used_at = excluded.used_at`,
  )
  const forget = db.prepare<[string]>('DELETE FROM image WHERE name = ?')
  const select = db.prepare<[], ImageUse>('SELECT name, project, used_at AS usedAt FROM image ORDER BY name')
  return {
    noteImages: (images) =>
      write(() => {
        for (const { name, project } of images) put.run(name, project, clock.now())
      }),
    forgetImages: (names) =>
      write(() => {
        for (const name of names) forget.run(name)
      }),
    images: () => select.all(),
  }
}
