import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Another program, with its own SQLite. It holds the lock until its standard input ends. */
const program = `
  import { DatabaseSync } from 'node:sqlite'
  const db = new DatabaseSync(process.argv[1])
  db.exec('PRAGMA busy_timeout = 10000')
  db.exec('BEGIN ' + process.argv[2])
  process.stdout.write('held')
  process.stdin.resume().on('end', () => db.exec('ROLLBACK'))
`

/** Locks the database `file` from a process of its own. Resolves once it is locked, with a function that unlocks it. */
export async function lockDatabase(
  file: string,
  how: 'IMMEDIATE' | 'EXCLUSIVE' = 'IMMEDIATE',
): Promise<() => Promise<void>> {
  const args = ['--no-warnings', '--input-type=module', '-e', program, file, how]
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const gone = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), gone.then(() => Promise.reject(new Error('it got no lock')))])
  return async () => {
    child.stdin.end()
    await gone
  }
}
