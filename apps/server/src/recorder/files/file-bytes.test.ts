import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writePatiently } from './file-bytes.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-bytes-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a write that a full disk cut short is completed once there is room', async () => {
  const full = await open('/dev/full', 'r+')
  const path = join(folder, 'log')
  const roomy = await open(path, 'w')
  let room = false
  const handle = {
    write: (...args: Parameters<FileHandle['write']>) => (room ? roomy : full).write(...args),
  } as unknown as FileHandle
  const told: unknown[] = []
  const whenFull = async (error: unknown) => {
    told.push(error)
    room = told.length === 3
  }
  await writePatiently(handle, Buffer.from('a whole line\n'), 0, whenFull)
  expect(told).toHaveLength(3)
  expect(told[0]).toMatchObject({ code: 'ENOSPC' })
  expect(readFileSync(path, 'utf8')).toBe('a whole line\n')
  await full.close()
  await roomy.close()
})

test('any other error is thrown at once', async () => {
  const closed = await open(join(folder, 'log'), 'w')
  await closed.close()
  await expect(writePatiently(closed, Buffer.from('x'), 0, async () => {})).rejects.toMatchObject({ code: 'EBADF' })
})
