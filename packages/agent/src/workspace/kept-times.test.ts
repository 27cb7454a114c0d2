import { cp, readFile, rename, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { branch, startKit } from '../testing/session-kit.ts'

test('a file that is as its commit has it keeps its time, so that what setup built of it is not built again', async () => {
  const kit = await startKit()
  const at = (name: string) => join(kit.workspace, name)
  await kit.run({ kind: 'setup', command: null, timeoutMs: 60_000 })
  // As in a container of an image: the same file, and another inode than git knows.
  await cp(kit.workspace, `${kit.workspace}-copy`, { recursive: true, preserveTimestamps: true })
  await rename(kit.workspace, `${kit.workspace}-before`)
  await rename(`${kit.workspace}-copy`, kit.workspace)
  const long = new Date('2020-01-01T00:00:00Z')
  await utimes(at('README.md'), long, long)
  const steps = [{ type: 'test' as const, name: 'test', command: 'true', timeoutMs: 60_000 }]
  await kit.run({ kind: 'verify', steps }, { commit: await kit.hub.commit(branch, { 'other.txt': 'new\n' }) })
  expect((await stat(at('README.md'))).mtime).toEqual(long)
  expect(await readFile(at('other.txt'), 'utf8')).toBe('new\n')
})
