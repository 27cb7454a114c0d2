// @suite unit-long
import { cp, readFile, rename, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from '@beadloom/core/execution/session-order.ts'
import { expect, test } from 'vitest'
import { branch, startKit, workBy, type Kit } from '../testing/session-kit.ts'

/** As in a container of an image: the same files, with inodes that git does not know. */
async function imageOf(kit: Kit): Promise<void> {
  await kit.run({ kind: 'setup', command: null, timeoutMs: 60_000 })
  await cp(kit.workspace, `${kit.workspace}-copy`, { recursive: true, preserveTimestamps: true })
  await rename(kit.workspace, `${kit.workspace}-before`)
  await rename(`${kit.workspace}-copy`, kit.workspace)
}

const steps = [{ type: 'test' as const, name: 'test', command: 'true', timeoutMs: 60_000 }]

test.each([
  ['a check', { kind: 'verify', steps }],
  ['an agent', workBy('true')],
] as [string, Work][])(
  "an unchanged file of a commit keeps its time for %s, so setup's builds of it are not repeated",
  async (_, work) => {
    const kit = await startKit()
    const at = (name: string) => join(kit.workspace, name)
    await imageOf(kit)
    const long = new Date('2020-01-01T00:00:00Z')
    await utimes(at('README.md'), long, long)
    await kit.run(work, { commit: await kit.hub.commit(branch, { 'other.txt': 'new\n' }) })
    expect((await stat(at('README.md'))).mtime).toEqual(long)
    expect(await readFile(at('other.txt'), 'utf8')).toBe('new\n')
  },
)
