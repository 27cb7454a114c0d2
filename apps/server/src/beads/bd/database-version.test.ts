import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../process/clock.ts'
import { fileText } from '../testing/file-text.ts'
import { statusOf } from '../testing/tracker-folder.ts'
import { createTracker } from '../find-tracker.ts'
import { compareBd } from './database-version.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-database-'))
  mkdirSync(join(folder, '.beads', 'embeddeddolt'), { recursive: true })
  mkdirSync(join(folder, 'bin'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Installs a `bd` that reports this version, and notes all other calls. */
const install = (version: string) =>
  writeFileSync(
    join(folder, 'bin', 'bd'),
    `#!/bin/sh\nif [ "$1" = version ]; then echo '{"version":"${version}"}'; else echo "$@" >> ${folder}/ran; fi\n`,
    { mode: 0o755 },
  )
const lastUsed = (version: string) => writeFileSync(join(folder, '.beads', '.local_version'), `${version}\n`)
const newTracker = () =>
  createTracker({
    clock: systemClock,
    env: { PATH: [join(folder, 'bin'), '/usr/bin', '/bin'].join(delimiter) },
    own: folder,
    trusted: [],
  })

describe('bd is not run on a database', () => {
  test.each([
    ['1.3.0', '1.1.0', 'bd 1.3.0 (schema 66) would change this database, which bd 1.1.0 (schema 53) has last used'],
    ['1.1.0', '1.0.5', 'bd 1.1.0 (schema 53) would change this database'],
    ['1.3.1', '1.3.0', 'bd 1.3.1 may change this database, which bd 1.3.0 (schema 66) has last used'],
    ['1.0.5', '1.3.0', 'bd 1.0.5 (schema 49) cannot open this database, which bd 1.3.0 (schema 66) has last used'],
    ['1.3.0', 'banana', 'which bd has last used this database is not known'],
  ])('by version %s if %s used it last', async (program, last, says) => {
    install(program)
    lastUsed(last)
    const adapter = await newTracker().find(folder)
    expect(adapter.info).toMatchObject({ kind: 'read-only', writable: false, fix: expect.any(String) })
    expect(adapter.info.text).toContain(says)
    expect(adapter.info.text.endsWith(adapter.info.fix ?? '?')).toBe(true)
    writeFileSync(join(folder, '.beads', 'issues.jsonl'), '')
    expect(await fileText(await adapter.read())).toBe('')
    expect(await adapter.write([statusOf('t-1', 'done')])).toMatchObject([{ result: 'later' }])
    expect(() => rmSync(join(folder, 'ran'))).toThrow(/ENOENT/)
  })

  test('by a server that still believes in the old version, in the very second in which a new one was installed', async () => {
    install('1.1.0')
    lastUsed('1.1.0')
    const tracker = newTracker()
    expect((await tracker.find(folder)).info.kind).toBe('bd')
    rmSync(join(folder, 'bin', 'bd'))
    install('1.3.0')
    expect((await tracker.find(folder)).info).toMatchObject({ kind: 'read-only', version: '1.3.0' })
    lastUsed('1.3.0') // a person has run it
    expect((await tracker.find(folder)).info).toMatchObject({ kind: 'bd', version: '1.3.0' })
  })
})

test.each([
  ['1.2.2', '1.1.0', 'same'],
  ['1.2.1', '1.2.2', 'newer'],
  ['1.3.0', '1.2.1', 'newer'],
  ['1.4.0-rc1', '1.4.0-rc1', 'same'],
  ['1.10.0', '1.9.0', 'newer'],
  ['1.9.0', '1.10.0', 'older'],
])('bd %s is run on a database that %s has used: %s', (program, last, is) => {
  expect(compareBd(program, last)).toBe(is)
})
