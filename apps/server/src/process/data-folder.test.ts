import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { makeFolder, nearestFolder, refuseOthers } from './data-folder.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bl-data-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a folder is made with all its parents, for its owner alone', async () => {
  await makeFolder(join(folder, 'a', 'b'))
  expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
  await makeFolder(join(folder, 'a', 'b'))
})

test('a file in the way is named', async () => {
  writeFileSync(join(folder, 'file'), '')
  await expect(makeFolder(join(folder, 'file'))).rejects.toThrow(`${join(folder, 'file')} is not a folder`)
  await expect(makeFolder(join(folder, 'file', 'below'))).rejects.toThrow('ENOTDIR')
})

test('an impossible folder ends with an error where Node itself would try for ever', async () => {
  await expect(makeFolder('/proc/beadloom/data')).rejects.toThrow(/ENOENT|EACCES|EPERM/)
})

test('looking creates nothing', async () => {
  expect(await nearestFolder(join(folder, 'a', 'b', 'c'))).toBe(folder)
})

test("anything in the place of a server's file is named, with what to do about it", async () => {
  await refuseOthers(folder)
  for (const [name, is] of [
    ['hub', 'a pipe (FIFO), but must be a folder'],
    ['logs', 'a file, but must be a folder'],
    ['backups', `a link to ${join(folder, 'nowhere')}, which is not there: mount the disk`],
    ['server.json', 'a folder, but must be a file'],
  ] as const) {
    const path = join(folder, name)
    if (name === 'hub') execFileSync('mkfifo', [path])
    if (name === 'logs') writeFileSync(path, '')
    if (name === 'backups') symlinkSync('nowhere', path)
    if (name === 'server.json') mkdirSync(path)
    await expect(refuseOthers(folder)).rejects.toThrow(`${path} is ${is}`)
    rmSync(path, { recursive: true })
  }
  mkdirSync(join(folder, 'elsewhere'))
  symlinkSync('elsewhere', join(folder, 'hub'))
  await refuseOthers(folder)
})
