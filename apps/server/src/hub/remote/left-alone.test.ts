import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from '../hub-kit.ts'
import { finishedWork } from './finished-work-kit.ts'

const branch = 'beads-bl-1-thing'
const ref = `refs/heads/${branch}`
let kit: Kit
let bare: string
let commit: string
beforeEach(async () => {
  kit = await startKit()
  const source = await kit.source('lib')
  bare = join(kit.root, 'remote.git')
  await kit.git(kit.root, 'clone', '-q', '--bare', source, bare)
  commit = await finishedWork(kit, bare, branch)
})
afterEach(() => kit.close())

test('a branch that moved on the remote is rejected and not overwritten, the other ref arrives', async () => {
  const clone = join(kit.root, 'person')
  await kit.git(kit.root, 'clone', '-q', bare, clone)
  await kit.git(clone, 'checkout', '-q', '-b', branch)
  const theirs = await kit.commit(clone, { 'other.txt': 'other' })
  await kit.git(clone, 'push', '-q', 'origin', branch)
  await kit.hub.ensureBranch(projectId, 'second', commit)
  const published = await kit.hub.publish(kit.project(bare), [ref, 'second'])
  expect(published.failed).toMatchObject([{ ref, kind: 'moved', why: expect.stringContaining('fetch') }])
  expect(await kit.git(bare, 'rev-parse', branch)).toBe(theirs)
  expect(await kit.git(bare, 'rev-parse', 'second')).toBe(commit)
})

test('a branch that is checked out in the person’s working tree is left alone, with a message', async () => {
  const tree = join(kit.root, 'lib')
  await kit.git(tree, 'config', 'receive.denyCurrentBranch', 'updateInstead')
  await kit.git(tree, 'checkout', '-q', '-b', branch)
  const before = await kit.git(tree, 'rev-parse', 'HEAD')
  const published = await kit.hub.publish(kit.project(tree), [ref])
  expect(published.failed).toMatchObject([{ ref, kind: 'refused', why: expect.stringContaining('is checked out in') }])
  expect(await kit.git(tree, 'rev-parse', 'HEAD')).toBe(before)
  expect(await kit.git(tree, 'status', '--porcelain')).toBe('')
  await kit.git(tree, 'checkout', '-q', 'main')
  expect((await kit.hub.publish(kit.project(tree), [ref])).ok).toBe(true)
})
