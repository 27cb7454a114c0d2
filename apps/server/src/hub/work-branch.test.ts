// @suite unit-long
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Kit, projectId, startKit } from './hub-kit.ts'

const work = 'beadloom/work'
let kit: Kit
let source: string
let base: string
beforeEach(async () => {
  kit = await startKit()
  source = await kit.source('lib', { 'a.txt': '1\n2\n3\n', 'b.txt': 'b\n' })
  base = (await kit.hub.fetch(kit.project(source))).commit
})
afterEach(() => kit.close())

const workTip = () => kit.hub.workTip(kit.project(source), work, 'main')

/** A commit on top of `from`, on a branch of its own in the source, fetched into the hub. */
async function branchCommit(name: string, files: Record<string, string>, from = base): Promise<string> {
  await kit.git(source, 'checkout', '-q', '-B', name, from)
  const commit = await kit.commit(source, files, `Work on ${name}`)
  await kit.git(source, 'checkout', '-q', 'main')
  await kit.hub.fetch(kit.project(source))
  return commit
}

test('the work branch starts at the base branch', async () => {
  expect(await workTip()).toEqual({ commit: base, published: base, behind: null })
  expect(await kit.hub.tip(projectId, work)).toBe(base)
})

test('the first bead is a fast-forward, the second a merge by Beadloom with the given message', async () => {
  await workTip()
  const one = await branchCommit('one', { 'one.txt': '1' })
  const two = await branchCommit('two', { 'two.txt': '2' })
  expect(await kit.hub.integrate(projectId, work, one, 'Merge one')).toEqual({ result: 'fast-forward', commit: one })
  const merged = await kit.hub.integrate(projectId, work, two, 'Merge two\n\nwith its reason')
  expect(merged.result).toBe('merged')
  if (merged.result !== 'merged') return
  expect(await kit.hub.rootFiles(projectId, merged.commit)).toEqual(['a.txt', 'b.txt', 'one.txt', 'two.txt'])
  const [newest] = await kit.hub.commits(projectId, two, merged.commit)
  expect(newest).toMatchObject({ commit: merged.commit, subject: 'Merge two', author: 'Beadloom' })
  expect(await kit.hub.integrate(projectId, work, two, 'again')).toEqual({
    result: 'already-there',
    commit: merged.commit,
  })
})

test('a conflict names its files and moves nothing', async () => {
  await workTip()
  const ours = await branchCommit('one', { 'a.txt': 'one\n', 'odd name\t"x".txt': 'one' })
  const theirs = await branchCommit('two', { 'a.txt': 'two\n', 'odd name\t"x".txt': 'two' })
  await kit.hub.integrate(projectId, work, ours, 'Merge one')
  expect(await kit.hub.integrate(projectId, work, theirs, 'Merge two')).toEqual({
    result: 'conflict',
    files: ['a.txt', 'odd name\t"x".txt'],
    ours,
    theirs,
  })
  expect(await kit.hub.tip(projectId, work)).toBe(ours)
})

test('beads that are integrated at the same time all arrive', async () => {
  await workTip()
  const commits: string[] = []
  for (const name of ['one', 'two', 'three']) commits.push(await branchCommit(name, { [`${name}.txt`]: name }))
  await Promise.all(commits.map((commit) => kit.hub.integrate(projectId, work, commit, 'Merge')))
  const { commit } = await workTip()
  expect(await kit.hub.rootFiles(projectId, commit)).toEqual(['a.txt', 'b.txt', 'one.txt', 'three.txt', 'two.txt'])
})

test('two servers on one hub do not lose each other’s integration', async () => {
  await workTip()
  const one = await branchCommit('one', { 'one.txt': '1' })
  const two = await branchCommit('two', { 'two.txt': '2' })
  const other = await kit.again()
  await Promise.all([
    kit.hub.integrate(projectId, work, one, 'Merge one'),
    other.integrate(projectId, work, two, 'Merge two'),
  ])
  const tip = await kit.hub.tip(projectId, work)
  expect(await kit.hub.rootFiles(projectId, tip ?? '')).toEqual(['a.txt', 'b.txt', 'one.txt', 'two.txt'])
})

test('the work branch takes up new commits of the base branch', async () => {
  await workTip()
  const one = await branchCommit('one', { 'one.txt': '1' })
  await kit.hub.integrate(projectId, work, one, 'Merge one')
  await kit.commit(source, { 'c.txt': 'c' })
  await kit.hub.fetch(kit.project(source))
  const tip = await workTip()
  expect(tip.behind).toBeNull()
  expect(await kit.hub.rootFiles(projectId, tip.commit)).toEqual(['a.txt', 'b.txt', 'c.txt', 'one.txt'])
})

test('a base branch that conflicts leaves the work branch where it is and says so', async () => {
  await workTip()
  const one = await branchCommit('one', { 'a.txt': 'one\n' })
  await kit.hub.integrate(projectId, work, one, 'Merge one')
  const main = await kit.commit(source, { 'a.txt': 'main\n' })
  await kit.hub.fetch(kit.project(source))
  expect(await workTip()).toEqual({
    commit: one,
    published: main,
    behind: 'main could not be merged into beadloom/work: conflicts in a.txt. Merge it by hand and push beadloom/work.',
  })
})

test('foreign pushes to the work branch are brought in, and commits that only the hub has stay', async () => {
  await workTip()
  const one = await branchCommit('one', { 'one.txt': '1' })
  await kit.hub.integrate(projectId, work, one, 'Merge one')
  const pushed = await branchCommit(work, { 'pushed.txt': 'p' })
  const tip = await workTip()
  expect(tip.behind).toBeNull()
  const all = (await kit.hub.commits(projectId, base, tip.commit)).map(({ commit }) => commit)
  expect(all).toEqual(expect.arrayContaining([one, pushed]))
})

test('a work branch that only the remote has is continued, not started again', async () => {
  const pushed = await branchCommit(work, { 'pushed.txt': 'p' })
  expect(await workTip()).toEqual({ commit: pushed, published: pushed, behind: null })
})

test('a base branch with a new history is reported, not merged and not lost', async () => {
  await workTip()
  await kit.git(source, 'checkout', '-q', '--orphan', 'fresh')
  await kit.commit(source, { 'new.txt': 'n' })
  await kit.git(source, 'branch', '-M', 'fresh', 'main')
  await kit.hub.fetch(kit.project(source))
  const tip = await workTip()
  expect(tip.commit).toBe(base)
  expect(tip.behind).toMatch(/shares no history with beadloom\/work/)
})

test('a missing base branch is named', async () => {
  await expect(kit.hub.workTip(kit.project(source), work, 'develop')).rejects.toMatchObject({
    kind: 'no-default-branch',
    message: expect.stringContaining('no branch develop'),
  })
})

test('a branch is made once and then left where it is', async () => {
  const later = await branchCommit('one', { 'one.txt': '1' })
  expect(await kit.hub.ensureBranch(projectId, 'beads-1', base)).toBe(base)
  expect(await kit.hub.ensureBranch(projectId, 'beads-1', later)).toBe(base)
})

test('a branch whose name collides with another is an error, not silence', async () => {
  await kit.hub.ensureBranch(projectId, 'beads', base)
  await expect(kit.hub.ensureBranch(projectId, 'beads/1', base)).rejects.toMatchObject({ kind: 'git-failed' })
})

test('merge drivers and attributes of the repository cannot run anything', async () => {
  const { program, path } = await kit.marker('merge')
  await kit.git(source, 'config', 'merge.evil.driver', program)
  await kit.commit(source, { '.gitattributes': '* merge=evil\n' })
  base = (await kit.hub.fetch(kit.project(source))).commit
  await workTip()
  const one = await branchCommit('one', { 'a.txt': '0\n1\n2\n3\n' })
  const two = await branchCommit('two', { 'a.txt': '1\n2\n3\n4\n' })
  await kit.hub.integrate(projectId, work, one, 'Merge one')
  await kit.hub.integrate(projectId, work, two, 'Merge two')
  expect(await exists(path)).toBe(false)
})

test.each(['-x', 'a..b', 'HEAD', 'a b', 'refs/heads/x', 'x.lock', '@{u}', '', 'a//b', '.x', 'x\ny'])(
  'the branch name %j is refused',
  async (name) => {
    await expect(kit.hub.ensureBranch(projectId, name, base)).rejects.toMatchObject({ kind: 'refused' })
    await expect(kit.hub.integrate(projectId, name, base, 'm')).rejects.toMatchObject({ kind: 'refused' })
  },
)

test.each(['main', 'HEAD', '--all', 'abc123', `${'a'.repeat(40)}^`])('%j is refused as a commit', async (commit) => {
  await expect(kit.hub.integrate(projectId, work, commit, 'm')).rejects.toMatchObject({ kind: 'refused' })
  await expect(kit.hub.readFile(projectId, commit, 'a.txt')).rejects.toMatchObject({ kind: 'refused' })
  await expect(kit.hub.diff(projectId, commit, base)).rejects.toMatchObject({ kind: 'refused' })
})

const exists = (path: string) => import('node:fs').then((fs) => fs.existsSync(path))

test('a merge of the base branch that nobody has built on is replaced by the next one', async () => {
  const source = await kit.source('lib')
  const project = kit.project(source)
  await kit.hub.fetch(project)
  const begin = (await kit.hub.workTip(project, 'work', 'main')).commit
  const own = await kit.hub.flatten(projectId, {
    onto: begin,
    commit: await otherTree(source),
    message: 'Work',
  })
  await kit.hub.advance(projectId, 'work', begin, own)
  const merges = async () => {
    await kit.hub.fetch(project)
    const { commit } = await kit.hub.workTip(project, 'work', 'main')
    const all = await kit.hub.commits(projectId, begin, commit)
    return { commit, merges: all.filter(({ subject }) => subject === 'Merge main into work').length }
  }
  for (const text of ['1', '2', '3']) await kit.commit(source, { [`main${text}`]: text })
  expect((await merges()).merges).toBe(1)
  await kit.commit(source, { 'main.txt': '4' })
  const second = await merges()
  expect(second.merges).toBe(1)
  expect(await kit.hub.readFile(projectId, second.commit, 'main.txt')).toBe('4')
  // Work has begun there.
  await kit.hub.ensureBranch(projectId, 'beads-x', second.commit)
  await kit.commit(source, { 'main.txt': '5' })
  const third = await merges()
  expect(third.merges).toBe(2)
  expect(await kit.hub.contains(projectId, third.commit, second.commit)).toBe(true)
})

/** A commit beside main, with a file of its own. */
async function otherTree(source: string): Promise<string> {
  await kit.git(source, 'checkout', '-q', '-b', 'other')
  const commit = await kit.commit(source, { 'work.txt': 'work' })
  await kit.git(source, 'checkout', '-q', 'main')
  await kit.hub.fetch(kit.project(source))
  return commit
}

test('commits of the hub have the author that they are made for', async () => {
  const source = await kit.source('lib')
  await kit.hub.fetch(kit.project(source))
  const [ada, bot] = [
    { name: 'Ada', email: 'ada@example.org' },
    { name: 'Bot', email: 'bot@example.org' },
  ]
  const onto = (await kit.hub.tip(projectId, 'refs/heads/main')) ?? ''
  const commit = await otherTree(source)
  const by = { author: ada, committer: bot }
  const flat = await kit.hub.flatten(projectId, { onto, commit, message: 'One', by })
  await kit.hub.keep(projectId, 'refs/beadloom/ex-aaaaaaaaaa/flat', flat)
  const seen = await kit.git(kit.hub.path(projectId), 'log', '-1', '--format=%an %ae %cn %ce %P', flat)
  expect(seen).toBe(`Ada ada@example.org Bot bot@example.org ${onto}`)
  expect(await kit.hub.flatten(projectId, { onto: flat, commit, message: 'Again', by })).toBe(flat)
})

const branches = { baseBranch: 'main', workBranch: work }

test('commits that a rewritten base branch dropped are counted as long as work has them, for each rewrite', async () => {
  const lost = () => kit.hub.lostByRewrite(projectId, branches)
  const secret = await kit.commit(source, { 'secret.txt': 's' }, 'Secret')
  await kit.hub.fetch(kit.project(source))
  await workTip()
  const one = await branchCommit('one', { 'one.txt': '1' }, secret)
  await kit.hub.integrate(projectId, work, one, 'Merge one')
  expect(await lost()).toEqual([])
  await kit.git(source, 'reset', '-q', '--hard', base)
  const second = await kit.commit(source, { 'clean.txt': 'c' }, 'Clean')
  await kit.hub.fetch(kit.project(source))
  const { commit, behind } = await workTip()
  expect(behind).toBeNull()
  expect(await kit.hub.rootFiles(projectId, commit)).toContain('one.txt')
  expect(await lost()).toEqual([{ before: secret, commits: 1 }])
  // The merge with the base branch is built on, so that work keeps the commits that the next rewrite drops.
  await kit.git(source, 'fetch', '-q', kit.hub.path(projectId), work)
  const two = await branchCommit('two', { 'two.txt': '2' }, commit)
  await kit.hub.integrate(projectId, work, two, 'Merge two')
  await kit.git(source, 'reset', '-q', '--hard', base)
  await kit.commit(source, { 'cleaner.txt': 'c' }, 'Cleaner')
  await kit.hub.fetch(kit.project(source))
  await workTip()
  const each = [
    { before: secret, commits: 1 },
    { before: second, commits: 1 },
  ]
  expect(new Set(await lost())).toEqual(new Set(each))
  // Somebody merges the work: the base branch has them again.
  await kit.git(source, 'fetch', '-q', kit.hub.path(projectId), work)
  await kit.git(source, 'merge', '-q', 'FETCH_HEAD')
  await kit.hub.fetch(kit.project(source))
  expect(await lost()).toEqual([])
})

describe('a work branch that is gone from the remote', () => {
  const lost = () => kit.hub.lostOnRemote(projectId, branches)
  const published = async () => {
    await workTip()
    const one = await branchCommit('one', { 'one.txt': '1' })
    await kit.hub.integrate(projectId, work, one, 'Merge one')
    await kit.hub.publish(kit.project(source), [work])
    expect(await lost()).toBe(0)
    return one
  }
  const fetched = () => kit.hub.fetch(kit.project(source))

  test("lacks the hub's commits there, until they are published again", async () => {
    await published()
    await kit.git(source, 'branch', '-q', '-D', work)
    await fetched()
    expect([await lost(), await lost()]).toEqual([1, 1])
    await kit.hub.publish(kit.project(source), [work])
    expect(await lost()).toBe(0)
    expect(await kit.git(source, 'show', `${work}:one.txt`)).toBe('1')
  })

  test('or was pushed by force lacks its former commits', async () => {
    await published()
    await kit.git(source, 'branch', '-q', '-f', work, base)
    await fetched()
    expect(await lost()).toBe(1)
  })

  test('because it was merged lacks nothing, even as one commit of the forge', async () => {
    const one = await published()
    await kit.git(source, 'branch', '-q', '-D', work)
    await kit.git(source, 'merge', '-q', '--squash', one)
    await kit.git(source, 'commit', '-q', '-m', 'Squashed (#1)')
    await fetched()
    expect(await lost()).toBe(0)
    await kit.commit(source, { 'one.txt': 'changed since' })
    await fetched()
    expect(await lost()).toBe(0)
  })
})
