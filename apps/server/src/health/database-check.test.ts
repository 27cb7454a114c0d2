import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { checkDatabase } from './database-check.ts'

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
