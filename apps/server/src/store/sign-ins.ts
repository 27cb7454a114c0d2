import type { KeptSignIn, SignIn, SignInKeys, SignInStore } from '../ports/store/people/sign-ins.ts'
import type { Writing } from './database/writer.ts'

const MOST = { ofOne: 20, ofToken: 50, all: 2_000 }

type Row = Omit<KeptSignIn, 'groups'> & { groups: string }

const COLUMNS = `number AS id, page, via, subject, name, groups, browser,
  began_at AS beganAt, used_at AS usedAt, expires_at AS expiresAt`

const kept = ({ groups, ...row }: Row): KeptSignIn => ({ ...row, groups: JSON.parse(groups) as string[] })

export function signInStore({ db, clock, write }: Writing, most = MOST): SignInStore {
  type New = SignInKeys & Omit<SignIn, 'groups'> & { groups: string; server: string; now: number }
  const insert = db.prepare<[New]>(
    `INSERT INTO sign_in (key, page, server, via, subject, name, groups, browser, began_at, used_at, expires_at)
     VALUES (@key, @page, @server, @via, @subject, @name, @groups, @browser, @now, @now, @expiresAt)`,
  )
  const renew = db.prepare<[SignInKeys & Pick<SignIn, 'browser' | 'expiresAt'> & { id: number; now: number }]>(
    `UPDATE sign_in SET key = @key, page = @page, browser = @browser, used_at = @now, expires_at = @expiresAt
     WHERE number = @id`,
  )
  const expired = db.prepare<[number]>('DELETE FROM sign_in WHERE expires_at <= ?')
  const ofOne = db.prepare<[{ via: string; subject: string; most: number }]>(
    `DELETE FROM sign_in WHERE via = @via AND subject = @subject AND number NOT IN
       (SELECT number FROM sign_in WHERE via = @via AND subject = @subject ORDER BY number DESC LIMIT @most)`,
  )
  const ofAll = db.prepare<[number]>(
    'DELETE FROM sign_in WHERE number NOT IN (SELECT number FROM sign_in ORDER BY number DESC LIMIT ?)',
  )
  const byKey = db.prepare<[string, number], Row>(`SELECT ${COLUMNS} FROM sign_in WHERE key = ? AND expires_at > ?`)
  const byId = db.prepare<[number, number], unknown>('SELECT 1 FROM sign_in WHERE number = ? AND expires_at > ?')
  const list = db.prepare<[number], Row>(`SELECT ${COLUMNS} FROM sign_in WHERE expires_at > ? ORDER BY number DESC`)
  const use = db.prepare<[number, number]>('UPDATE sign_in SET used_at = ? WHERE number = ?')
  const remove = db.prepare<[number]>('DELETE FROM sign_in WHERE number = ?')
  const others = db.prepare<[string]>('DELETE FROM sign_in WHERE server <> ?')

  return {
    addSignIn: (keys, server, { groups, ...signIn }) =>
      write(() => {
        const { via, subject } = signIn
        expired.run(clock.now())
        insert.run({ ...signIn, ...keys, server, groups: JSON.stringify(groups), now: clock.now() })
        ofOne.run({ via, subject, most: via === 'token' ? most.ofToken : most.ofOne })
        ofAll.run(most.all)
      }),
    renewSignIn: (id, keys, { browser, expiresAt }) =>
      void write(() => renew.run({ id, ...keys, browser, expiresAt, now: clock.now() })),
    signIn: (key) => {
      const row = byKey.get(key, clock.now())
      return row === undefined ? null : kept(row)
    },
    isSignedIn: (id) => byId.get(id, clock.now()) !== undefined,
    signIns: () => list.all(clock.now()).map(kept),
    // A power cut may lose the time of the last use.
    useSignIn: (id) => void write(() => use.run(clock.now(), id), false),
    endSignIn: (id) => write(() => remove.run(id)).changes > 0,
    keepSignIns: (server) => void write(() => others.run(server)),
  }
}
