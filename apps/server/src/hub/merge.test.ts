// @suite unit-long
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Candidate } from '../ports/hub/merges.ts'
import { execution, type Kit, otherExecution, projectId, startKit } from './hub-kit.ts'

const branch = 'beadloom/work'
let kit: Kit
let source: string
let base: string
let one: string
let two: string
beforeEach(async () => {
  kit = await startKit()
  source = await kit.source('lib', { 'a.txt': 'a\n' })
  base = (await kit.hub.fetch(kit.project(source))).commit
  await kit.hub.ensureBranch(projectId, branch, base)
  one = await branchCommit('one', { 'one.txt': '1' })
  two = await branchCommit('two', { 'two.txt': '2' })
})
afterEach(() => kit.close())

async function branchCommit(name: string, files: Record<string, string>): Promise<string> {
  await kit.git(source, 'checkout', '-q', '-B', name, base)
  const commit = await kit.commit(source, files, `Work on ${name}`)
  await kit.git(source, 'checkout', '-q', 'main')
  await kit.hub.fetch(kit.project(source))
  return commit
}

const merge = (commit: string, by = execution) => ({ project: projectId, execution: by, branch, commit, message: 'M' })
const commitOf = (made: Candidate) => (made.result === 'conflict' ? '' : made.commit)

test('a candidate moves no branch, and the branch moves to it only from its recorded place', async () => {
  await kit.hub.integrate(projectId, branch, one, 'Merge one')
  const made = await kit.hub.candidate(merge(two))
  expect(made).toMatchObject({ result: 'merged', onto: one })
  expect(await kit.hub.tip(projectId, branch)).toBe(one)
  expect(await kit.hub.rootFiles(projectId, commitOf(made))).toEqual(['a.txt', 'one.txt', 'two.txt'])
  expect(await kit.hub.advance(projectId, branch, base, commitOf(made))).toBe(false)
  expect(await kit.hub.tip(projectId, branch)).toBe(one)
  expect(await kit.hub.advance(projectId, branch, one, commitOf(made))).toBe(true)
  expect(await kit.hub.tip(projectId, branch)).toBe(commitOf(made))
})

test('a restarted server finds the same candidate again, until the branch moves', async () => {
  await kit.hub.integrate(projectId, branch, one, 'Merge one')
  const made = await kit.hub.candidate(merge(two))
  const other = await kit.again()
  expect(await other.candidate({ ...merge(two), message: 'other words' })).toEqual(made)
  const three = await branchCommit('three', { 'three.txt': '3' })
  await other.integrate(projectId, branch, three, 'Merge three')
  expect(commitOf(await other.candidate(merge(two)))).not.toBe(commitOf(made))
})

test('an execution that is over leaves no candidate behind, and takes nobody else’s', async () => {
  await kit.hub.integrate(projectId, branch, one, 'Merge one')
  await kit.hub.candidate(merge(two))
  await kit.hub.candidate({ ...merge(two, otherExecution), message: 'Other' })
  const isOver = (id: string) => id === execution
  await kit.hub.forgetCandidates(projectId, isOver)
  await kit.hub.forgetCandidates(projectId, isOver) // an interrupted pipeline runs its step again
  const gitDir = join(kit.root, 'data', 'hub', `${projectId}.git`)
  const left = await kit.git(gitDir, 'for-each-ref', '--format=%(refname)', 'refs/hub/candidate')
  expect(left.trim()).toBe(`refs/hub/candidate/${otherExecution}/${branch}`)
})

test('a fast-forward is the commit itself, and contained work needs nothing', async () => {
  expect(await kit.hub.candidate(merge(one))).toEqual({ result: 'fast-forward', commit: one, onto: base })
  await kit.hub.advance(projectId, branch, base, one)
  expect(await kit.hub.candidate(merge(one))).toEqual({ result: 'already-there', commit: one, onto: one })
})

test("an execution's contribution is known once the branch holds it, and not before", async () => {
  await kit.hub.integrate(projectId, branch, one, 'Merge one')
  const made = await kit.hub.candidate(merge(two))
  expect(await kit.hub.brought(merge(two))).toBeNull()
  await kit.hub.advance(projectId, branch, one, commitOf(made))
  expect(await kit.hub.brought(merge(two))).toBe(commitOf(made))
  expect(await kit.hub.brought(merge(two, otherExecution))).toBeNull()
  const three = await branchCommit('three', { 'three.txt': '3' })
  await kit.hub.integrate(projectId, branch, three, 'Merge three')
  expect(await kit.hub.brought(merge(two))).toBe(commitOf(made))
  expect(await kit.hub.brought(merge(three))).toBeNull()
})

test('a candidate without a branch can be fetched by the container that verifies it, but not replaced by it', async () => {
  await kit.hub.integrate(projectId, branch, one, 'Merge one')
  const made = commitOf(await kit.hub.candidate(merge(two)))
  const url = await kit.serve({ project: projectId, execution, pushable: { branch: 'beads-1' } })
  await kit.git(kit.root, 'init', '-q', 'verify')
  const folder = `${kit.root}/verify`
  await kit.git(folder, 'fetch', '-q', url, made)
  await kit.git(folder, 'checkout', '-q', made)
  expect(await kit.git(folder, 'ls-files')).toBe('a.txt\none.txt\ntwo.txt')
  const keep = `refs/hub/candidate/${execution}/${branch}`
  expect(await kit.hub.tip(projectId, keep)).toBe(made)
  await expect(kit.git(folder, 'push', '-q', url, `HEAD:${keep}`)).rejects.toThrow()
  expect(await kit.git(folder, 'ls-remote', url, 'refs/hub/*')).toBe('')
})
