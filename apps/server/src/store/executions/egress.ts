import { MOST_ENTRIES, type EgressEntry } from '@beadloom/core/egress/ledger.ts'
import type { EgressStore } from '../../ports/store/egress.ts'
import type { Writing } from '../database/writer.ts'

export function egressStore({ db, clock, write, changed }: Writing): EgressStore {
  const known = db.prepare<[string, string, number, string], { host: string }>(
    'SELECT host FROM egress WHERE owner = ? AND host = ? AND port = ? AND outcome = ?',
  )
  const count = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM egress WHERE owner = ?')
  const add = db.prepare(
    `INSERT INTO egress (owner, project, host, port, outcome, count, sent, received, first_at, last_at)
     VALUES (@owner, @project, @host, @port, @outcome, @count, @sent, @received, @at, @at)
     ON CONFLICT DO UPDATE SET count = count + excluded.count, sent = sent + excluded.sent,
       received = received + excluded.received, last_at = excluded.last_at`,
  )
  const forgetOld = db.prepare<[{ project: string; owner: string }]>(
    `DELETE FROM egress WHERE project = @project AND owner <> @owner
       AND owner NOT IN (SELECT id FROM execution WHERE project = @project)
       AND owner NOT IN (SELECT id FROM proof WHERE project = @project)`,
  )
  const isExecution = db.prepare<[string], { id: string }>('SELECT id FROM execution WHERE id = ?')
  const ofOwner = db.prepare<[string], EgressEntry>(
    `SELECT host, port, outcome, count, sent, received, first_at AS firstAt, last_at AS lastAt
     FROM egress WHERE owner = ? ORDER BY host = '', count DESC, host, port, outcome`,
  )
  const ofProject = db.prepare<[string, number], EgressEntry>(
    `SELECT host, port, outcome, sum(count) AS count, sum(sent) AS sent, sum(received) AS received,
       min(first_at) AS firstAt, max(last_at) AS lastAt
     FROM egress WHERE project = ? GROUP BY host, port, outcome ORDER BY host = '', 4 DESC, host, port, outcome LIMIT ?`,
  )

  return {
    noteEgress: (project, owner, notes) =>
      write(() => {
        let { n } = count.get(owner) ?? { n: 0 }
        if (n === 0) forgetOld.run({ project, owner })
        for (const { host, port, outcome, ...rest } of notes) {
          const isKnown = known.get(owner, host, port, outcome) !== undefined
          const named = isKnown || n < MOST_ENTRIES ? { host, port } : { host: '', port: 0 }
          if (!isKnown && named.host !== '') n += 1
          add.run({ ...rest, ...named, owner, project, outcome, at: clock.now() })
        }
        if (isExecution.get(owner)) changed('execution', project, owner)
        else changed('project', project, project)
      }),
    egressOf: (owner) => ofOwner.all(owner),
    egressOfProject: (project) => ofProject.all(project, MOST_ENTRIES),
  }
}
