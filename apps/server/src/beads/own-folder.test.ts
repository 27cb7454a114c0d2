import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../process/clock.ts'
import { createTracker } from './find-tracker.ts'
import { fileText } from './testing/file-text.ts'
import { file, line, statusOf, TrackerFolder } from './testing/tracker-folder.ts'

/* A stranger's repository, and another tracker of the same person, which it tries to reach. */

let theirs: TrackerFolder
let root: string
let clone: string
beforeEach(() => {
  theirs = new TrackerFolder(file(line('a-1')))
  root = realpathSync(mkdtempSync(join(tmpdir(), 'own-folder-')))
  clone = join(root, 'clone')
  mkdirSync(clone)
  git(clone, 'init', '-q')
})
afterEach(() => {
  theirs.remove()
  rmSync(root, { recursive: true, force: true })
})

const git = (cwd: string, ...args: string[]) => {
  const by = ['-c', 'user.name=Ana', '-c', 'user.email=ana@example.org', '-c', 'protocol.file.allow=always']
  const { status, stderr } = spawnSync('git', [...by, ...args], { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
/** A bd that notes each of its runs. */
const path = () => {
  const programs = join(root, 'bin')
  mkdirSync(programs, { recursive: true })
  const program = `#!/bin/sh\ncase $1 in version) echo '{"version":"1.0.5"}' ;; *) echo "$@" >> ${root}/runs ;; esac\n`
  writeFileSync(join(programs, 'bd'), program, { mode: 0o755 })
  return `${programs}:/usr/bin:/bin`
}
const find = (folder = clone, env = { PATH: '/nowhere' }) =>
  createTracker({ clock: systemClock, env, own: root, trusted: [] }).find(folder)
const put = (name: string, text: string) => {
  mkdirSync(join(clone, name, '..'), { recursive: true })
  writeFileSync(join(clone, name), text)
}
const change = [statusOf('a-1', 'done')]

async function refused(why: string, folder = clone) {
  const found = await find(folder)
  expect(found.info).toMatchObject({ kind: 'read-only', writable: false, text: expect.stringContaining(why) })
  expect((await fileText(await found.read())) ?? '').not.toContain('a-1')
  expect(await found.write(change)).toMatchObject([{ result: 'later' }])
  expect(theirs.text).toBe(file(line('a-1')))
  return found
}

describe('a .beads that is not a folder of the working tree itself is neither read nor written:', () => {
  test('a link, also a relative one, and says what to do', async () => {
    symlinkSync(relative(clone, join(theirs.path, '.beads')), join(clone, '.beads'))
    const { info, read, stamp } = await refused('.beads is a symbolic link')
    expect([await read(), await stamp()]).toEqual([null, null])
    expect(info.text).toContain(info.fix ?? '?')
  })

  test('a link to a folder of the repository with a redirect', async () => {
    put('b/redirect', join(theirs.path, '.beads'))
    symlinkSync('b', join(clone, '.beads'))
    await refused('.beads is a symbolic link')
  })

  test.each(['as it is checked out', 'without its own .git'])('a submodule with a redirect, %s', async (how) => {
    const part = join(root, 'part')
    mkdirSync(part)
    writeFileSync(join(part, 'redirect'), join(theirs.path, '.beads'))
    git(part, 'init', '-q')
    git(part, 'add', '.')
    git(part, 'commit', '-qm', 'Redirect')
    git(clone, 'submodule', '--quiet', 'add', part, '.beads')
    if (how !== 'as it is checked out') rmSync(join(clone, '.beads', '.git'))
    await refused(how === 'as it is checked out' ? 'a submodule, or another repository' : 'other than a folder')
  })

  test.each([
    ['itself', '.beads'],
    ['behind a link in a repository', join('sub', '.beads')],
  ])('the target of a redirect that is a link %s', async (_, name) => {
    const worktree = join(root, 'worktree')
    mkdirSync(join(worktree, '.beads'), { recursive: true })
    writeFileSync(join(worktree, '.beads', 'redirect'), `../clone/${name}`)
    if (name === '.beads') symlinkSync(join(theirs.path, '.beads'), join(clone, name))
    else symlinkSync(theirs.path, join(clone, 'sub'))
    await refused('is a symbolic link in a repository', worktree)
  })

  test('a link that takes the place of the folder between a look and the reading or writing', async () => {
    put('.beads/issues.jsonl', file(line('a-1', { title: 'Ours' })))
    const found = await find()
    expect(found.info.writable).toBe(true)
    renameSync(join(clone, '.beads'), join(clone, 'moved'))
    symlinkSync(join(theirs.path, '.beads'), join(clone, '.beads'))
    expect(await found.stamp()).toBeNull()
    await expect(found.read()).rejects.toThrow('.beads is a symbolic link')
    expect(await found.write(change)).toMatchObject([{ result: 'later' }])
    rmSync(join(clone, '.beads'))
    renameSync(join(theirs.path, '.beads'), join(clone, '.beads'))
    await expect(found.read()).rejects.toThrow('.beads was replaced')
    expect(await found.write(change)).toMatchObject([{ result: 'later' }])
    expect(readFileSync(join(clone, '.beads', 'issues.jsonl'), 'utf8')).toBe(file(line('a-1')))
  })
})

test('A project whose own folder is reached through a link is read and written', async () => {
  put('.beads/issues.jsonl', file(line('a-1')))
  symlinkSync(clone, join(root, 'link'))
  const found = await find(join(root, 'link'))
  expect(found.info).toMatchObject({ kind: 'jsonl', writable: true })
  expect(await found.write(change)).toMatchObject([{ result: 'written' }])
  expect(readFileSync(join(clone, '.beads', 'issues.jsonl'), 'utf8')).toContain('"closed"')
})

test('Links in .beads with the names of files of ours are not followed', async () => {
  put('.beads/issues.jsonl', file(line('a-1')))
  const other = join(root, 'other')
  writeFileSync(other, 'mine')
  for (let turn = 1; turn < 6; turn += 1)
    symlinkSync(other, join(clone, '.beads', `.beadloom.lock.${process.pid}.${turn}.part`))
  symlinkSync(other, join(clone, '.beads', `.issues.jsonl.${process.pid}.part`))
  expect(await (await find()).write(change)).toMatchObject([{ result: 'written' }])
  expect(readFileSync(other, 'utf8')).toBe('mine')
})

describe('bd is not run', () => {
  const database = (at: string) => {
    mkdirSync(join(at, '.beads', 'embeddeddolt', 'b', '.dolt', 'noms'), { recursive: true })
    writeFileSync(join(at, '.beads', '.local_version'), '1.0.5\n')
  }
  const notRun = async (why: string, folder = clone) => {
    const found = await find(folder, { PATH: path() })
    expect(found.info).toMatchObject({ kind: 'read-only', writable: false, text: expect.stringContaining(why) })
    expect(() => readFileSync(join(root, 'runs'))).toThrow('ENOENT')
  }

  test('in a .beads that is a link', async () => {
    database(theirs.path)
    symlinkSync(join(theirs.path, '.beads'), join(clone, '.beads'))
    await notRun('.beads is a symbolic link')
  })

  test.each(['embeddeddolt', 'embeddeddolt/b/.dolt/noms'])('where %s is a link out of .beads', async (name) => {
    database(theirs.path)
    database(clone)
    rmSync(join(clone, '.beads', name), { recursive: true })
    symlinkSync(join(theirs.path, '.beads', name), join(clone, '.beads', name))
    await notRun(`.beads/${name} is a symbolic link that leads out of .beads`)
  })

  test('where a redirect has led, if it would follow another one from there', async () => {
    database(clone)
    put('.beads/redirect', join(theirs.path, '.beads'))
    const worktree = join(root, 'worktree')
    mkdirSync(join(worktree, '.beads'), { recursive: true })
    writeFileSync(join(worktree, '.beads', 'redirect'), '../clone/.beads')
    await notRun('.beads/redirect names the folder', worktree)
  })

  test('once a link has taken the place of its folder', async () => {
    database(clone)
    database(theirs.path)
    const found = await find(clone, { PATH: path() })
    expect(found.info.kind).toBe('bd')
    await found.read()
    expect(readFileSync(join(root, 'runs'), 'utf8')).toMatch(/^export .*\n$/)
    renameSync(join(clone, '.beads'), join(clone, 'moved'))
    await expect(found.read()).rejects.toThrow('.beads was removed meanwhile')
    symlinkSync(join(theirs.path, '.beads'), join(clone, '.beads'))
    await expect(found.read()).rejects.toThrow('.beads is a symbolic link')
    expect(await found.write(change)).toMatchObject([{ result: 'later' }])
    expect(readFileSync(join(root, 'runs'), 'utf8')).toMatch(/^export .*\n$/)
  })
})
