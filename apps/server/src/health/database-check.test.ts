import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkDatabase, databaseCheck } from './database-check.ts'

test.each(['beadloom.db', 'beadloom.db-wal'])(
  'a pipe in the place of %s is reported, and blocks nothing',
  async (name) => {
    const data = mkdtempSync(join(tmpdir(), 'bl-database-'))
    onTestFinished(() => rmSync(data, { recursive: true, force: true }))
    execFileSync('mkfifo', [join(data, name)])
    expect(await checkDatabase(data)).toEqual({
      name: 'database',
      ok: false,
      text: expect.stringContaining(`${join(data, name)} is a pipe (FIFO)`),
    })
  },
)

test('files that the server has mended are a note, not a failure', () => {
  const databaseNote = { at: Date.UTC(2026, 10, 2, 14, 5), text: 'beadloom.db-wal was removed. Nothing was lost' }
  expect(databaseCheck([], { database: null, databaseNote })).toEqual({
    name: 'database',
    ok: true,
    text: 'can be written. Note of 2026-11-02 14:05:00 UTC: beadloom.db-wal was removed. Nothing was lost',
  })
})
