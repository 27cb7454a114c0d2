import type { SignIn, SignInStore } from '../ports/store/people/sign-ins.ts'
import type { Writing } from './database/writer.ts'

const MOST_OF_ONE = 20
const MOST = 2_000

type Row = Omit<SignIn, 'groups'> & { groups: string }

export function signInStore({ db, clock, write }: Writing, most = { ofOne: MOST_OF_ONE, all: MOST }): SignInStore {
  const insert = db.prepare<[{ key: string; groups: string } & Omit<SignIn, 'groups'>]>(
    `INSERT OR REPLACE INTO sign_in (key, subject, name, groups, expires_at) VALUES (@key, @subject, @name, @groups, @expiresAt)`,
  )
  const expired = db.prepare<[number]>('DELETE FROM sign_in WHERE expires_at <= ?')
  const ofOne = db.prepare<[{ subject: string; most: number }]>(
    `DELETE FROM sign_in WHERE subject = @subject AND number NOT IN
       (SELECT number FROM sign_in WHERE subject = @subject ORDER BY number DESC LIMIT @most)`,
  )
  const ofAll = db.prepare<[number]>(
    'DELETE FROM sign_in WHERE number NOT IN (SELECT number FROM sign_in ORDER BY number DESC LIMIT ?)',
  )
  const select = db.prepare<[string, number], Row>(
    'SELECT subject, name, groups, expires_at AS expiresAt FROM sign_in WHERE key = ? AND expires_at > ?',
  )
  const remove = db.prepare<[string]>('DELETE FROM sign_in WHERE key = ?')

  return {
    addSignIn: (key, { groups, ...signIn }) =>
      write(() => {
        expired.run(clock.now())
        insert.run({ ...signIn, key, groups: JSON.stringify(groups) })
        ofOne.run({ subject: signIn.subject, most: most.ofOne })
        ofAll.run(most.all)
      }),
    signIn: (key) => {
      const row = select.get(key, clock.now())
      return row === undefined ? null : { ...row, groups: JSON.parse(row.groups) as string[] }
    },
    endSignIn: (key) => void write(() => remove.run(key)),
  }
}
