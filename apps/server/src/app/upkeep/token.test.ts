import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ensureToken } from './token.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-token-'))
  file = join(folder, 'token')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a token is made once, for its owner alone; an empty file gets one too', async () => {
  writeFileSync(file, '', { mode: 0o644 })
  const token = await ensureToken(file, randomBytes)
  expect(await ensureToken(file, randomBytes)).toBe(token)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test('a file with other contents is left as it is, even behind a link', async () => {
  const other = join(folder, 'notes')
  writeFileSync(other, 'not a token\n')
  symlinkSync(other, file)
  await expect(ensureToken(file, randomBytes)).rejects.toThrow(/no access token.*Remove it/)
  expect(readFileSync(other, 'utf8')).toBe('not a token\n')
})

test('nothing is written through a link', async () => {
  const other = join(folder, 'elsewhere')
  symlinkSync(other, file)
  await expect(ensureToken(file, randomBytes)).rejects.toThrow(/is a link to something that is not there. Remove it/)
  expect(() => statSync(other)).toThrow()
})
