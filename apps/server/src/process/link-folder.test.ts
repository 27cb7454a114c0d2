import { chown, lstat, mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { linkFolderIn } from './link-folder.ts'

let shared: string
beforeEach(async () => {
  shared = await mkdtemp(join(tmpdir(), 'bl-shared-'))
  vi.stubEnv('TMPDIR', shared)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(shared, { recursive: true, force: true })
})

/** A path that is too long for a socket below it. */
const data = join('/data', 'x'.repeat(100))
const there = () => join(shared, 'beadloom-in-1')

test('if the data folder’s path is too long, the sockets are in a private folder below the temporary one', async () => {
  expect(await linkFolderIn(data, 'in-1')).toBe(there())
  expect((await lstat(there())).mode & 0o777).toBe(0o700)
  expect(await linkFolderIn(data, 'in-1')).toBe(there()) // the next start finds its containers there
})

test('a symbolic link that somebody put there first is not followed', async () => {
  const elsewhere = join(shared, 'elsewhere')
  await mkdir(elsewhere, { mode: 0o755 })
  await symlink(elsewhere, there())
  await expect(linkFolderIn(data, 'in-1')).rejects.toThrow(/belongs to somebody else.*shorter path/)
  expect((await lstat(elsewhere)).mode & 0o777).toBe(0o755)
  expect(await readdir(elsewhere)).toEqual([])
})

test.skipIf(process.getuid?.() !== 0)(
  'a folder that belongs to somebody else is not used, not even by root',
  async () => {
    await mkdir(there())
    await chown(there(), 10_001, 10_001)
    await expect(linkFolderIn(data, 'in-1')).rejects.toThrow(/belongs to somebody else/)
  },
)
