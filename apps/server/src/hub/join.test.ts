import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { execution, type Kit, projectId, startKit } from './hub-kit.ts'

let kit: Kit
let source: string
let base: string
beforeEach(async () => {
  kit = await startKit()
  source = await kit.source('lib', { 'a.txt': 'a\n' })
  base = (await kit.hub.fetch(kit.project(source))).commit
})
afterEach(() => kit.close())

const ref = `refs/beadloom/${execution}/phase-1/attempt-1/round-1`

async function result(name: string, files: Record<string, string>, from = base): Promise<string> {
  const hub = join(kit.root, 'data', 'hub', `${projectId}.git`)
  await kit.git(source, 'fetch', '-q', hub, from).catch(() => '')
  await kit.git(source, 'checkout', '-q', '-B', name, from)
  const commit = await kit.commit(source, files, `Result ${name}`)
  await kit.git(source, 'checkout', '-q', 'main')
  await kit.hub.fetch(kit.project(source))
  return commit
}

const joined = (commits: { commit: string; from: string }[], message = 'Phase 1: One, Two') =>
  kit.hub.join(projectId, { onto: base, commits, message, ref })

test('the results of several become one commit on top of their start, kept under a ref, and found again', async () => {
  const one = await result('one', { 'one.txt': '1' })
  const two = await result('two', { 'two.txt': '2' })
  const commits = [one, two].map((commit) => ({ commit, from: base }))
  const made = await joined(commits)
  expect(made?.result).toBe('joined')
  const commit = made?.result === 'joined' ? made.commit : ''
  expect(await kit.hub.rootFiles(projectId, commit)).toEqual(['a.txt', 'one.txt', 'two.txt'])
  expect(await kit.hub.commits(projectId, base, commit)).toMatchObject([{ commit, subject: 'Phase 1: One, Two' }])
  expect(await kit.hub.tip(projectId, ref)).toBe(commit)
  expect(await joined(commits)).toEqual(made)
})

test("a subtask that began with another's result takes that along, and adds to the same file", async () => {
  const one = await result('one', { 'one.txt': '1\n' })
  const first = await joined([{ commit: one, from: base }])
  const from = first?.result === 'joined' ? first.commit : ''
  const two = await result('two', { 'one.txt': '1\n2\n' }, from)
  const made = await joined([
    { commit: one, from: base },
    { commit: two, from },
  ])
  const commit = made?.result === 'joined' ? made.commit : ''
  expect(await kit.hub.readFile(projectId, commit, 'one.txt')).toBe('1\n2\n')
})

test('a conflict names the files and the part that does not fit', async () => {
  const one = await result('one', { 'a.txt': '1\n' })
  const two = await result('two', { 'a.txt': '2\n' })
  expect(await joined([one, two].map((commit) => ({ commit, from: base })))).toEqual({
    result: 'conflict',
    files: ['a.txt'],
    at: 1,
  })
})

test('nothing is joined if nothing was changed', async () => {
  expect(await joined([{ commit: base, from: base }])).toBeNull()
})

test('a container that leaves a result may push to that ref alone', async () => {
  const only = `refs/beadloom/${execution}/session-2`
  const url = await kit.serve({ project: projectId, execution, pushable: { only } })
  const folder = join(kit.root, 'work')
  await kit.git(kit.root, 'clone', '-q', url, folder)
  const push = (to: string) => kit.git(folder, 'push', '-q', 'origin', `HEAD:${to}`)
  for (const other of ['refs/heads/main', 'refs/heads/x', `refs/beadloom/${execution}/session-3`, `${only}/x`])
    await expect(push(other)).rejects.toThrow(/Nothing is pushed here|hidden ref|rejected/)
  await push(only)
  expect(await kit.hub.tip(projectId, only)).toBe(base)
})
