import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { HandClock } from '../../ports/testing/hand-clock.ts'
import { CatFile } from './cat-file.ts'
import { Git } from './git.ts'
import type { GitProcess } from './git-process.ts'
import { Objects } from './objects.ts'

let gitDir: string
let clock: HandClock
let git: Git
let objects: Objects
let started: GitProcess[]
/** Programs that start in a reader's place, one after the other, before real ones do. */
let instead: string[]
beforeEach(async () => {
  gitDir = await mkdtemp(join(tmpdir(), 'beadloom-objects-'))
  clock = new HandClock()
  git = new Git({ binary: 'git', home: gitDir, searchPath: '/usr/local/bin:/usr/bin:/bin', cwd: gitDir, clock })
  plain(['init', '-q', '--bare', '-b', 'main', gitDir])
  ;[started, instead] = [[], []]
  objects = new Objects(start, clock)
})
afterEach(async () => {
  await objects.close()
  await rm(gitDir, { recursive: true, force: true })
})

function start(): GitProcess {
  const alias = instead.shift()
  const args = alias === undefined ? [...CatFile.args] : ['-c', `alias.odd=${alias}`, 'odd']
  const made = git.start({ gitDir, args, timeoutMs: 3_600_000 })
  started.push(made)
  return made
}

const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a' }
function plain(args: string[], input = ''): string {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: gitDir, GIT_DIR: gitDir, ...who }
  return execFileSync('git', args, { env, input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] }).trim()
}
const blob = (text: string) => plain(['hash-object', '-w', '--stdin'], text)
const tree = (...lines: string[]) => plain(['mktree', '-z'], lines.map((line) => `${line}\0`).join(''))
const commit = (of: string, ...parents: string[]) =>
  plain(['commit-tree', of, '-m', 'A change', ...parents.flatMap((parent) => ['-p', parent])])
const point = (ref: string, to: string) => plain(['update-ref', ref, to])

describe('one process', () => {
  test('answers for refs, folders, files and parents', async () => {
    const [file, link] = [blob('text\n'), blob('/etc/passwd')]
    const folder = tree(`100755 blob ${file}\tü "odd"\n.sh`)
    const root = tree(`100644 blob ${file}\ta`, `120000 blob ${link}\tlink`, `040000 tree ${folder}\tz`)
    const first = commit(root)
    const second = commit(folder, first)
    point('refs/heads/main', second)
    plain(['tag', '-m', 'A tag', 'v1', first])

    expect(await objects.commit('refs/heads/main')).toBe(second)
    expect(await objects.commit('refs/tags/v1')).toBe(first)
    expect(await objects.commit(first)).toBe(first)
    expect(await objects.parents(second)).toEqual([first])
    expect(await objects.treeOf(first)).toBe(root)
    expect(await objects.info(file)).toMatchObject({ object: file, type: 'blob', size: 5 })
    expect((await objects.blob(file, 5))?.toString()).toBe('text\n')
    const listed = (await objects.tree(first)).map((one) => `${one.mode} ${one.type} ${one.object}\t${one.name}`)
    expect(listed.join('\n')).toBe(plain(['ls-tree', first]))
    const name = Buffer.from('ü "odd"\n.sh').toString('latin1')
    expect(await objects.entry(first, ['z', name])).toEqual({ name, mode: '100755', type: 'blob', object: file })
    for (const path of [['a', 'b'], ['link', 'x'], ['z', 'a'], ['zz']])
      expect(await objects.entry(first, path)).toBeNull()
    expect(started).toHaveLength(1)
  })

  test('reports a missing object, or one of another kind', async () => {
    const file = blob('text\n')
    point('refs/tags/file', file)
    const nothing = '1'.repeat(40)
    expect(await objects.commit('refs/heads/none')).toBeNull()
    expect(await objects.commit('refs/tags/file')).toBeNull()
    expect(await objects.commit(nothing)).toBeNull()
    expect(await objects.parents(file)).toBeNull()
    expect(await objects.blob(nothing, 10)).toBeNull()
    await expect(objects.tree(nothing)).rejects.toThrow('The hub has no commit 1111')
    await expect(objects.treeOf(nothing)).rejects.toThrow('The hub has no commit 1111')
    expect(started).toHaveLength(1)
  })

  test('sees refs and objects that were written after it started, loose, packed and packed again', async () => {
    const first = commit(tree(`100644 blob ${blob('one')}\ta`))
    point('refs/heads/main', first)
    expect(await objects.commit('refs/heads/main')).toBe(first)
    expect(await objects.commit('refs/heads/later')).toBeNull()
    plain(['gc', '--quiet', '--prune=now'])
    expect(await objects.commit('refs/heads/main')).toBe(first)

    const later = blob('two')
    const second = commit(tree(`100644 blob ${later}\ta`), first)
    point('refs/heads/later', second)
    expect(await objects.commit('refs/heads/later')).toBe(second)
    plain(['pack-refs', '--all'])
    plain(['repack', '-adq'])
    plain(['prune-packed', '-q'])
    expect(await objects.commit('refs/heads/later')).toBe(second)
    expect((await objects.blob(later, 3))?.toString()).toBe('two')
    point('refs/heads/main', second)
    plain(['update-ref', '-d', 'refs/heads/later'])
    plain(['gc', '--quiet', '--prune=now'])
    expect(await objects.commit('refs/heads/main')).toBe(second)
    expect(await objects.commit('refs/heads/later')).toBeNull()
    expect(await objects.parents(second)).toEqual([first])
    expect(started).toHaveLength(1)
  })

  test('gives answers of any size, however many callers ask at once', async () => {
    const texts = Array.from({ length: 60 }, (_, i) => `${i}\n`.repeat(i * 997))
    const ids = texts.map(blob)
    const read = await Promise.all(ids.map((one) => objects.blob(one, 1024 ** 2)))
    expect(read.map((bytes) => bytes?.toString())).toEqual(texts)
    expect(started).toHaveLength(1)
  })

  test('never reads an object above the limit', async () => {
    const large = blob('x'.repeat(100_000))
    await expect(objects.blob(large, 99_999)).rejects.toThrow(/has 100000 bytes; at most 99999 are read/)
    expect((await objects.blob(large, 100_000))?.length).toBe(100_000)
    expect(started).toHaveLength(1)
  })
})

test('only a full ref or an id is ever asked for, whatever a name contains', async () => {
  const names = ['refs/heads/a\ninfo refs/heads/b', 'refs/heads/a\0info b', 'refs/heads/a^{tree}', 'refs/heads/a:b']
  const more = [
    '-x',
    'HEAD',
    '',
    '@',
    'refs/heads/@{-1}',
    'refs/heads/a b',
    'main',
    'refs/../x',
    'abc',
    ':/fix',
    'refs/heads/a~1',
  ]
  for (const name of [...names, ...more]) await expect(objects.commit(name), name).rejects.toThrow('not a')
  await expect(objects.tree('refs/heads/main')).rejects.toThrow('not a full commit id')
  await expect(objects.blob('1234', 1)).rejects.toThrow('not a full commit id')
  expect(started).toHaveLength(0)

  const reader = new CatFile(start(), clock)
  for (const name of ['a\ninfo b', 'a\0info b', 'a b'])
    await expect(reader.info(name)).rejects.toThrow('git is not asked')
  reader.kill()
  await reader.ended
})

describe('a process that', () => {
  const DIES = '!exit 3'
  const CHATS = '!echo good morning; cat > /dev/null'
  const HANGS = '!cat > /dev/null'
  let one: string
  beforeEach(() => {
    one = commit(tree())
    point('refs/heads/main', one)
  })

  test('dies is replaced, and the question asked again', async () => {
    instead = [DIES]
    expect(await objects.commit('refs/heads/main')).toBe(one)
    expect(started).toHaveLength(2)
  })

  test('is killed between two questions is replaced', async () => {
    expect(await objects.commit('refs/heads/main')).toBe(one)
    started[0]?.kill()
    expect(await objects.commit('refs/heads/main')).toBe(one)
    await started[0]?.ended
    expect(await objects.commit('refs/heads/main')).toBe(one)
    expect(started).toHaveLength(2)
  })

  test('dies twice over one question fails that one, and no other that waits behind it', async () => {
    instead = [DIES, DIES]
    const answers = await Promise.allSettled([1, 2, 3].map(() => objects.commit('refs/heads/main')))
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(answers[0]).toMatchObject({ reason: { name: 'HubError', kind: 'git-failed' } })
    expect((answers[0] as PromiseRejectedResult).reason.message).toMatch(/ended too early \(exit 3\)/)
  })

  test('says something unreadable is replaced', async () => {
    instead = [CHATS]
    expect(await objects.commit('refs/heads/main')).toBe(one)
    expect(started).toHaveLength(2)
  })

  test('does not answer in time is killed and replaced, once', async () => {
    instead = [HANGS]
    const asked = objects.commit('refs/heads/main')
    clock.advance(59_999)
    expect(started).toHaveLength(1)
    clock.advance(1)
    expect(await asked).toBe(one)
    expect(started).toHaveLength(2)
    expect(await started[0]?.ended).toMatchObject({ why: 'aborted' })
  })

  test('has nothing to do ends after ten seconds, and the next question starts another', async () => {
    expect(await objects.commit('refs/heads/main')).toBe(one)
    clock.advance(9_999)
    expect(await objects.commit('refs/heads/main')).toBe(one)
    clock.advance(10_000)
    expect(await started[0]?.ended).toMatchObject({ code: 0, why: 'exited' })
    expect(await objects.commit('refs/heads/main')).toBe(one)
    expect(started).toHaveLength(2)
  })

  test('is closed is gone when that is done', async () => {
    expect(await objects.commit('refs/heads/main')).toBe(one)
    await objects.close()
    expect(await started[0]?.ended).toMatchObject({ why: 'aborted' })
    await objects.close()
  })

  test("finds no repository fails in git's words", async () => {
    await rm(gitDir, { recursive: true })
    await expect(objects.commit('refs/heads/main')).rejects.toMatchObject({ kind: 'git-failed' })
  })
})
