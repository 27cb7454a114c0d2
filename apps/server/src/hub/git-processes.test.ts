// @suite unit-long
import { existsSync } from 'node:fs'
import { chmod, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Hub } from '../ports/hub.ts'
import { systemClock } from '../process/clock.ts'
import { execution, type Kit, projectId, startKit } from './hub-kit.ts'

let kit: Kit
let hub: Hub
let source: string
let binary: string
beforeEach(async () => {
  kit = await startKit()
  binary = join(kit.root, 'noted-git')
  await writeFile(binary, `#!/bin/sh\nprintf '%s\\n' "$*" >> '${join(kit.root, 'started')}'\nexec git "$@"\n`)
  await chmod(binary, 0o755)
  hub = await kit.again(binary)
  source = await kit.source('lib')
})
afterEach(() => kit.close())

/** The git calls of the hub since the last look, each as its first words after the settings. */
async function started(): Promise<string[]> {
  const file = join(kit.root, 'started')
  const text = await readFile(file, 'utf8').catch(() => '')
  await rm(file, { force: true })
  return text
    .split('\n')
    .filter((line) => line.startsWith('--literal-pathspecs'))
    .map((line) => line.replace(/^--literal-pathspecs (?:-c \S+ )*(?:--git-dir=\S+ )?/, ''))
    .filter((line) => !line.startsWith('gc ')) // started beside a fetch, a moment later or not yet
}

test('a fetch that brings nothing costs one process, and one more if the default branch is looked up', async () => {
  await hub.fetch(kit.project(source))
  await started()
  await hub.fetch(kit.project(source))
  expect((await started()).map((line) => line.split(' ')[0]).toSorted()).toEqual(['fetch', 'ls-remote'])
  await hub.fetch(kit.project(source, 'main'))
  expect((await started()).map((line) => line.split(' ')[0])).toEqual(['fetch'])
})

/** The hub for a source whose files have not changed for a while. */
const settled = () => kit.again(binary, { ...systemClock, now: () => Date.now() + 60_000 })

test('an unchanged source on this machine costs no process, and any change of it costs one', async () => {
  hub = await settled()
  const fetched = async () => (await hub.fetch(kit.project(source, 'main'))).commit
  const first = await fetched()
  await started()
  expect(await fetched()).toBe(first)
  expect(await started()).toEqual([])

  const second = await kit.commit(source, { 'next.md': 'more' })
  expect(await fetched()).toBe(second)
  await kit.git(source, 'pack-refs', '--all')
  expect(await fetched()).toBe(second)
  const third = await kit.commit(source, { 'next.md': 'even more' })
  expect(await fetched()).toBe(third)
  await kit.git(source, 'update-ref', 'refs/heads/main', second)
  expect(await fetched()).toBe(second)
  await writeFile(join(source, '.git', 'refs', 'heads', 'main'), `${third}\n`) // by hand, in place
  expect(await fetched()).toBe(third)
  await kit.git(source, 'branch', 'topic/new')
  await fetched()
  expect(await hub.tip(projectId, 'refs/remotes/origin/topic/new')).toBe(third)
  expect((await started()).filter((line) => line.startsWith('fetch'))).toHaveLength(6)
})

test('a source that has just changed is asked again, since it may change again in the same moment', async () => {
  await hub.fetch(kit.project(source, 'main'))
  await started()
  await hub.fetch(kit.project(source, 'main'))
  expect((await started()).map((line) => line.split(' ')[0])).toEqual(['fetch'])
})

test('a source whose default branch changes is asked again', async () => {
  hub = await settled()
  await kit.git(source, 'branch', 'other')
  expect((await hub.fetch(kit.project(source))).baseBranch).toBe('main')
  await kit.git(source, 'symbolic-ref', 'HEAD', 'refs/heads/other')
  expect((await hub.fetch(kit.project(source))).baseBranch).toBe('other')
})

test('a branch that was fetched a moment ago is not fetched again', async () => {
  const { commit } = await hub.fetch(kit.project(source))
  await kit.commit(source, { 'next.md': 'more' })
  await started()
  expect(await hub.fetch(kit.project(source), undefined, 60_000)).toMatchObject({ commit })
  expect(await started()).toEqual([])
  expect((await hub.fetch(kit.project(source, 'main'), undefined, 60_000)).commit).not.toBe(commit)
  expect((await hub.fetch(kit.project(source))).commit).not.toBe(commit)
})

test('the leftovers of a git that was killed long ago are removed at the next start', async () => {
  await hub.fetch(kit.project(source))
  const folder = join(kit.root, 'data', 'hub', 'sample.git', 'objects', 'pack')
  const [old, young] = [join(folder, 'tmp_pack_old'), join(folder, 'tmp_pack_young')]
  for (const file of [old, young]) await writeFile(file, 'half of it')
  await utimes(old, 0, 0)
  await (await kit.again()).fetch(kit.project(source))
  expect([existsSync(old), existsSync(young)]).toEqual([false, true])
})

test('a default branch that changes is found by the next fetch that looks for it', async () => {
  await hub.fetch(kit.project(source))
  await kit.git(source, 'checkout', '-q', '-b', 'trunk')
  expect((await hub.fetch(kit.project(source))).baseBranch).toBe('trunk')
  expect(await hub.current(kit.project(source))).toMatchObject({ baseBranch: 'trunk' })
  const hubFolder = join(kit.root, 'data', 'hub', 'sample.git')
  expect(await kit.git(kit.root, '--git-dir', hubFolder, 'symbolic-ref', 'HEAD')).toBe('refs/heads/trunk')
})

test("the size of git's packs is checked at the first fetch and then at every 25th", async () => {
  let commits = 0
  // A repository of this machine in which nothing has changed is not fetched again.
  const fetch = async () => {
    await kit.commit(source, { 'counter.txt': `${(commits += 1)}\n` })
    await hub.fetch(kit.project(source, 'main'))
  }
  const packed = async () => (await readFile(join(kit.root, 'started'), 'utf8')).match(/ gc --auto /g)?.length
  for (let fetches = 0; fetches < 25; fetches += 1) await fetch()
  // It is not awaited, so it may start a moment later.
  await expect.poll(packed).toBe(1)
  // If the first still runs, it is one of the next.
  await expect.poll(() => fetch().then(packed)).toBe(2)
})

test('files, folders, refs and near history cost no process of their own', async () => {
  const { commit } = await hub.fetch(kit.project(source))
  const next = await kit.commit(source, { 'beadloom.json': '{}' })
  await hub.fetch(kit.project(source))
  await started()
  expect(await hub.readFile(projectId, next, 'beadloom.json')).toBe('{}')
  expect(await hub.rootFiles(projectId, next)).toEqual(['beadloom.json', 'readme.md'])
  expect(await hub.hashFiles(projectId, next, ['readme.md'])).toBe(
    await hub.hashFiles(projectId, commit, ['readme.md']),
  )
  expect(await hub.tip(projectId, 'main')).toBe(next)
  expect(await hub.contains(projectId, next, commit)).toBe(true)
  expect(await hub.mergeBase(projectId, next, commit)).toBe(commit)
  expect(await started()).toEqual([])
  await hub.remove(projectId)
  await expect(hub.readFile(projectId, next, 'beadloom.json')).rejects.toMatchObject({ kind: 'missing' })
})

test("git's abilities are asked once, and every fetch of a container sees the refs of that moment", async () => {
  const { commit } = await hub.fetch(kit.project(source))
  const server = createServer(hub.serve({ project: projectId, execution, pushable: null }).answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/git/hub.git`
  try {
    const copy = join(kit.root, 'copy')
    await kit.git(kit.root, 'clone', '-q', url, copy)
    await hub.ensureBranch(projectId, 'later', commit)
    await kit.git(copy, 'fetch', '-q', 'origin')
    expect(await kit.git(copy, 'rev-parse', 'origin/later')).toBe(commit)
    await kit.git(copy, '-c', 'protocol.version=0', 'fetch', '-q', 'origin')
    const asked = (await started()).filter((line) => /^upload-pack .*--advertise-refs/.test(line))
    expect(asked).toHaveLength(2) // version 0 has its refs in there
  } finally {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})
