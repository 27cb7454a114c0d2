// @suite unit-long
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from '../hub-kit.ts'

/* Incomplete clones, as people, CI and tools make them. */

let kit: Kit
let full: string
beforeEach(async () => {
  kit = await startKit()
  full = await kit.source('full', { old: '1\n' })
  await kit.commit(full, { old: '2\n', now: 'x\n' })
  await kit.git(full, 'rm', '-q', 'old')
  await kit.commit(full, { now: 'y\n' })
})
afterEach(() => kit.close())

const clone = async (name: string, ...flags: string[]) => {
  const folder = join(kit.root, name)
  await kit.git(kit.root, '-c', 'protocol.file.allow=always', 'clone', '-q', ...flags, folder)
  return folder
}
const failing = (source: string, base: string | null = null) =>
  kit.hub.fetch(kit.project(source, base)).then(
    () => Promise.reject(new Error('it was fetched')),
    (error: { kind: string; message: string }) => error,
  )
/** Runs a sentence's command, from `git -C` on. */
const follow = async (sentence: string) => {
  for (const [, command = ''] of sentence.matchAll(/git -C (\S+ .*?)(?:;|$)/g))
    await kit.git(kit.root, '-C', ...command.trim().split(' '))
}

describe('a shallow clone', () => {
  test('is reported, with the command that makes it whole, and is read after that', async () => {
    const shallow = await clone('shallow', '--depth=1', `file://${full}`)
    for (const source of [shallow, `file://${shallow}`]) {
      const { kind, message } = await failing(source)
      expect(kind).toBe('incomplete')
      expect(message).toMatch(/is a shallow clone.*fetch --unshallow$/)
    }
    await follow((await failing(shallow)).message)
    expect((await kit.hub.fetch(kit.project(shallow))).commit).toBe(await kit.git(full, 'rev-parse', 'main'))
  })

  test('that has just become one is no longer read as before', async () => {
    const folder = await clone('later', full)
    await kit.hub.fetch(kit.project(folder))
    await kit.commit(full, { now: 'z\n' })
    await kit.git(folder, 'fetch', '-q', '--depth=1', `file://${full}`, 'main')
    await kit.git(folder, 'reset', '-q', '--hard', 'FETCH_HEAD')
    expect((await failing(folder)).kind).toBe('incomplete')
  })

  test('is read if only another branch of it is shallow', async () => {
    await kit.git(full, 'checkout', '-q', '-b', 'other')
    await kit.commit(full, { now: 'z\n' })
    await kit.git(full, 'checkout', '-q', 'main')
    const folder = await clone('part', '--single-branch', full)
    await kit.git(folder, 'fetch', '-q', '--depth=1', `file://${full}`, 'other:other')
    expect(await kit.git(folder, 'rev-parse', '--is-shallow-repository')).toBe('true')
    expect((await kit.hub.fetch(kit.project(folder))).baseBranch).toBe('main')
  })
})

test('a partial clone is reported, with the command that makes it whole, and is read after that', async () => {
  const up = await clone('up.git', '--bare', full)
  await kit.git(up, 'config', 'uploadpack.allowFilter', 'true')
  await kit.git(up, 'config', 'uploadpack.allowAnySHA1InWant', 'true')
  const partial = await clone('partial', '--filter=blob:none', `file://${up}`)
  const { kind, message } = await failing(partial)
  expect(kind).toBe('incomplete')
  expect(message).toMatch(/is a partial clone.*fetch --refetch origin$/)
  await follow(message)
  expect((await kit.hub.fetch(kit.project(partial))).baseBranch).toBe('main')
})

test('a partial clone that lacks nothing is read', async () => {
  const source = await kit.source('young')
  await kit.git(source, 'config', 'uploadpack.allowFilter', 'true')
  const partial = await clone('partial', '--filter=blob:none', `file://${source}`)
  expect((await kit.hub.fetch(kit.project(partial))).baseBranch).toBe('main')
})

test('a sparse checkout is whole', async () => {
  const sparse = await clone('sparse', '--sparse', full)
  expect((await kit.hub.fetch(kit.project(sparse))).baseBranch).toBe('main')
})

test('a clone whose borrowed objects are gone names the folder, and is read when it is back', async () => {
  const shared = await clone('shared', '--shared', full)
  await rename(full, `${full}-away`)
  const { kind, message } = await failing(shared)
  expect(kind).toBe('incomplete')
  expect(message).toContain(`borrows objects from ${full}/.git/objects, which is not there any more`)
  await rename(`${full}-away`, full)
  await follow(message.replace(/, then /, '; ').replace(/ makes it whole.*/, ''))
  await rm(join(shared, '.git/objects/info/alternates'))
  await rm(full, { recursive: true })
  expect((await kit.hub.fetch(kit.project(shared))).baseBranch).toBe('main')
})

test('a repository with SHA-256 ids is reported as one', async () => {
  const folder = join(kit.root, 'sha256')
  await kit.git(kit.root, 'init', '-q', '-b', 'main', '--object-format=sha256', folder)
  await kit.commit(folder, { a: 'a\n' })
  const { kind, message } = await failing(folder)
  expect(kind).toBe('incomplete')
  expect(message).toMatch(/keeps its objects by SHA-256.*fast-export/)
})

describe('a detached HEAD', () => {
  test('has the branch at its commit offered, and that branch can be chosen', async () => {
    await kit.git(full, 'branch', '-m', 'trunk')
    await kit.git(full, 'checkout', '-q', '-b', 'develop')
    await kit.commit(full, { now: 'z\n' })
    await kit.git(full, 'checkout', '-q', '--detach', 'trunk')
    const { kind, message } = await failing(full)
    expect(kind).toBe('no-default-branch')
    expect(message).toMatch(/detached HEAD.*It has develop, trunk; at that commit is trunk\..*--base trunk$/)
    expect(message).not.toMatch(/symbolic-ref|checkout|switch/)
    expect((await kit.hub.fetch(kit.project(full, 'trunk'))).baseBranch).toBe('trunk')
    expect((await failing(full, 'nope')).message).toMatch(/has no branch nope \(it has develop, trunk\)/)
  })

  test('without a branch, as CI checks out, is not said to have no commits', async () => {
    const folder = join(kit.root, 'ci')
    await kit.git(kit.root, 'init', '-q', folder)
    await kit.git(folder, 'fetch', '-q', full, 'main')
    await kit.git(folder, 'checkout', '-q', '--detach', 'FETCH_HEAD')
    const { kind, message } = await failing(folder)
    expect(kind).toBe('no-default-branch')
    expect(message).toMatch(/has commits and no branch.*git branch main/)
    expect((await failing(folder, 'main')).message).toMatch(/has commits and no branch/)
  })
})

test('a branch that blocks the name of the work branch is named, and no other', async () => {
  const taken = async (...branches: string[]) => {
    for (const branch of branches) await kit.git(full, 'branch', branch)
    await kit.hub.fetch(kit.project(full))
    const found = await kit.hub.inTheWayOf(projectId, 'beadloom/work')
    for (const branch of branches) await kit.git(full, 'branch', '-D', branch)
    return found
  }
  expect(await taken('beadloom')).toBe('beadloom')
  expect(await taken('beadloom/work/old')).toBe('beadloom/work/old')
  expect(await taken('beadloom/work', 'beadloom/other', 'beadlooms')).toBeNull()
})
