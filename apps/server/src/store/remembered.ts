import type { RememberedStore } from '../ports/store/remembered.ts'
import type { Writing } from './database/writer.ts'

/** For one project: a person who changes its image back and forth has all of them. */
const MOST_ENVIRONMENTS = 8

export function rememberedStore({ db, clock, write }: Writing): RememberedStore {
  const put = db.prepare<[string, string, string, number]>(
    'REPLACE INTO environment (project, depends_on, environment, at) VALUES (?, ?, ?, ?)',
  )
  const dropOld = db.prepare<[string, string, number]>(
    `DELETE FROM environment WHERE project = ? AND depends_on NOT IN
       (SELECT depends_on FROM environment WHERE project = ? ORDER BY at DESC LIMIT ?)`,
  )
  const drop = db.prepare<[string]>('DELETE FROM environment WHERE environment = ?')
  const select = db.prepare<[string, string], { environment: string }>(
    'SELECT environment FROM environment WHERE project = ? AND depends_on = ?',
  )
  const putEngine = db.prepare<[string]>(`REPLACE INTO meta (key, value) VALUES ('engine', ?)`)
  const selectEngine = db.prepare<[], { value: string }>(`SELECT value FROM meta WHERE key = 'engine'`)
  return {
    rememberEnvironment: (project, from, environment) =>
      write(() => {
        put.run(project, from, environment, clock.now())
        dropOld.run(project, project, MOST_ENVIRONMENTS)
      }),
    forgetEnvironment: (environment) => write(() => void drop.run(environment)),
    environment: (project, from) => select.get(project, from)?.environment ?? null,
    rememberEngine: (place) => write(() => void putEngine.run(place)),
    engine: () => selectEngine.get()?.value ?? null,
  }
}
