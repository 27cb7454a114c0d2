import { MOST_DISMISSED } from '@beadloom/core/api/projects/inbox-api.ts'
import type { DismissalStore } from '../../ports/store/people/dismissals.ts'
import type { Writing } from '../database/writer.ts'

export function dismissalStore({ db, write, changed }: Writing): DismissalStore {
  const all = db.prepare<[string], { notice: string }>(
    'SELECT notice FROM inbox_dismissal WHERE project = ? AND restored = 0 ORDER BY number',
  )
  const highest = db.prepare<[string], { number: number | null }>(
    'SELECT max(number) AS number FROM inbox_dismissal WHERE project = ?',
  )
  // A row is made anew for each change, so that its number is the highest.
  const put = db.prepare<[string, string, number]>(
    'INSERT OR REPLACE INTO inbox_dismissal (project, notice, restored) VALUES (?, ?, ?)',
  )
  const state = db.prepare<[string, string], { restored: number }>(
    'SELECT restored FROM inbox_dismissal WHERE project = ? AND notice = ?',
  )
  const forget = db.prepare<[{ project: string; most: number }]>(
    `DELETE FROM inbox_dismissal WHERE project = @project AND number NOT IN
       (SELECT number FROM inbox_dismissal WHERE project = @project ORDER BY number DESC LIMIT @most)`,
  )
  return {
    dismissed: (project) => all.all(project).map(({ notice }) => notice),
    dismissals: (project) => highest.get(project)?.number ?? 0,
    changeDismissed: (project, { dismiss, restore }) =>
      write(() => {
        let news = 0
        for (const notice of new Set(dismiss))
          if (state.get(project, notice)?.restored !== 0) news += put.run(project, notice, 0).changes
        for (const notice of new Set(restore))
          if (state.get(project, notice)?.restored === 0) news += put.run(project, notice, 1).changes
        if (news === 0) return // somebody else did the same
        forget.run({ project, most: MOST_DISMISSED })
        changed('project', project, project)
      }),
  }
}
