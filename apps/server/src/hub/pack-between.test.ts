// @suite unit-long
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { projectId, startKit, type Kit } from './hub-kit.ts'

let kit: Kit
let start: string
let end: string
let clone: string
beforeEach(async () => {
  kit = await startKit()
  const source = await kit.source('sample')
  start = await kit.git(source, 'rev-parse', 'HEAD')
  clone = join(kit.root, 'clone')
  await kit.git(kit.root, 'clone', '-q', '--no-local', source, clone)
  await kit.commit(source, { 'a.txt': 'a\n' })
  end = await kit.commit(source, { 'b.txt': 'b\n' })
  await kit.hub.fetch(kit.project(source))
})
afterEach(() => kit.close())

const MOST = 100_000
const unpack = (input: Buffer | null) =>
  execFileSync('git', ['-C', clone, 'unpack-objects', '-q', '--strict'], { input: input! })

test('the objects that a clone lacks of a commit make that clone whole', async () => {
  unpack(await kit.hub.pack(projectId, end, start, MOST))
  await kit.git(clone, 'update-ref', 'refs/heads/main', end)
  await kit.git(clone, 'fsck', '--strict')
  expect(await kit.git(clone, 'log', '--format=%H', 'main')).toContain(start)
})

test('a complete clone lacks nothing', async () => {
  unpack(await kit.hub.pack(projectId, start, end, MOST))
  expect(await kit.git(clone, 'count-objects')).toContain('0 objects')
})

test('a result above the limit, or for a commit that the hub does not have, is nothing', async () => {
  expect(await kit.hub.pack(projectId, end, start, 40)).toBeNull()
  const unknown = 'f'.repeat(40)
  expect(await kit.hub.pack(projectId, end, unknown, MOST)).toBeNull()
  expect(await kit.hub.pack(projectId, unknown, start, MOST)).toBeNull()
  await expect(kit.hub.pack(projectId, '--all', start, MOST)).rejects.toThrow()
})
