// @suite unit-long
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { branch, saveRef, startKit, workBy, type Kit } from '../testing/session-kit.ts'
import { git } from '../testing/test-hub.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const log = (ref: string) => git(kit.hub.bare, 'log', '-1', '--format=%an|%s', ref)
const show = (ref: string, path: string) => git(kit.hub.bare, 'show', `${ref}:${path}`)

test("a good agent's uncommitted work is committed with the message of the order and pushed", async () => {
  const result = await kit.run(workBy('echo new > new.txt; rm README.md'))
  expect(result).toMatchObject({ outcome: 'success', dirty: false, savedRef: null, exitCode: 0 })
  expect(await kit.hub.tip(branch)).toBe(result.commit)
  expect(await kit.hub.files(branch)).toEqual(['.gitignore', 'new.txt'])
  expect(await log(branch)).toBe('Beadloom Agent|Bead bl-1: Add a thing')
  expect(kit.record.of('section').map(({ title }) => title)).toEqual(['checkout', 'agent', 'commit', 'push'])
})

test.each(['Bead bl-1: Add a thing', 'feat(bl-1): add a thing', 'Merge it\n\nBead bl-1'])(
  'an agent that committed "%s" and pushed by itself needs nothing more',
  async (message) => {
    const result = await kit.run(workBy(`echo 1 > a; git add a; git commit -qm '${message}'; git push -q`))
    expect(result).toMatchObject({ outcome: 'success', commit: await kit.hub.tip(branch) })
    expect(await log(branch)).toBe(`Beadloom Agent|${message.split('\n')[0]}`)
    expect(kit.record.of('warning')).toEqual([])
  },
)

const messages = async () => (await git(kit.hub.bare, 'log', '--format=%an|%B', `${kit.base}..${branch}`)).trim()

test("a commit that does not name its bead gets the bead's message, and keeps its own below", async () => {
  const result = await kit.run(workBy('echo 1 > a; git add a; git commit -qm "mine, for bl-12" -m "Because."'))
  expect(result).toMatchObject({ outcome: 'success', commit: await kit.hub.tip(branch) })
  expect(await messages()).toBe('Beadloom Agent|Bead bl-1: Add a thing\n\nmine, for bl-12\n\nBecause.')
  expect(kit.record.text('warning')).toContain('did not name its bead')
})

test.each(['git push -q', 'git push -q "$(git remote get-url origin)" HEAD'])(
  'a commit that is in the hub already (%s) stays as it is, and no empty commit follows it',
  async (push) => {
    const result = await kit.run(workBy(`echo 1 > a; git add a; git commit -qm mine; ${push}`))
    expect(result).toMatchObject({ outcome: 'success', commit: await kit.hub.tip(branch) })
    expect(await messages()).toBe('Beadloom Agent|mine')
    expect(kit.record.text('warning')).toContain('was pushed already')
    expect(await show(branch, 'a')).toBe('1')
  },
)

test('the agent is named beside the author in its own commits and in ours, once, even without verification', async () => {
  const coAuthor = { name: 'Codex', email: 'codex@example.org' }
  const committer = { name: 'Bot', email: 'bot@example.org' }
  const trailer = 'Co-authored-by: Codex <codex@example.org>'
  const commits = `echo 1 > a; git add a; git commit -qm "Bead bl-1: one"
    echo 2 > a; git commit -qam "Bead bl-1: two" -m "${trailer}" --no-verify; git push -q; echo 3 > a`
  await kit.run(workBy(commits), { author: { name: 'Ada', email: 'ada@example.org' }, committer, coAuthor })
  const all = await git(kit.hub.bare, 'log', '--format=%an %ae %cn|%B', `${kit.base}..${branch}`)
  expect(all.split('\n').filter((line) => line.startsWith('Ada ada@example.org Bot|'))).toHaveLength(3)
  expect(all.split('\n').filter((line) => line === trailer)).toHaveLength(3)
})

test('the commits of others are not given the name of a bead', async () => {
  const { bare } = kit.hub
  const author = ['-c', 'user.name=x', '-c', 'user.email=x@x']
  const other = await git(bare, ...author, 'commit-tree', `${kit.base}^{tree}`, '-p', kit.base, '-m', 'not ours')
  await git(bare, 'update-ref', 'refs/heads/others', other)
  await kit.run(workBy('git fetch -q; git merge -q origin/others'))
  expect(await kit.hub.tip(branch)).toBe(other)
})

test('an agent that changed nothing leaves the branch where it was', async () => {
  expect(await kit.run(workBy('true'))).toMatchObject({ outcome: 'success', commit: kit.base })
  expect(await kit.hub.tip(branch)).toBe(kit.base)
})

test("the prompt is the standard input, and the output is the agent's words", async () => {
  await kit.run(workBy('cat; echo noise >&2'))
  expect(kit.record.text('message')).toBe('the prompt, with an ü\n')
  expect(
    kit.record
      .of('output')
      .filter(({ stream }) => stream === 'stderr')
      .map(({ text }) => text)
      .join(''),
  ).toContain('noise\n')
})

test('file names with newlines, quotes and bad bytes are committed', async () => {
  const result = await kit.run(workBy(`touch "$(printf 'a\\nb')" '"q"' "$(printf '\\377')" -- '--all' ':(top)x'`))
  expect(result).toMatchObject({ outcome: 'success', dirty: false })
  expect(await kit.hub.files(branch)).toHaveLength(7)
})

test('ignored files stay behind', async () => {
  expect(await kit.run(workBy('mkdir node_modules; touch node_modules/x'))).toMatchObject({
    outcome: 'success',
    commit: kit.base,
  })
})

test('the lock files of bd are neither work nor a change, in any folder and without a rule of the project', async () => {
  const locks = '.beads.gate.lock .beads/embeddeddolt.gate.lock lib/.beads.gate.lock lib/.beads/dolt.gate.lock'
  const left = `mkdir -p .beads lib/.beads && touch ${locks}`
  expect(await kit.run(workBy(`${left} && test -z "$(git status --porcelain)"`))).toMatchObject({
    outcome: 'success',
    commit: kit.base,
    dirty: false,
  })
  await kit.run(workBy(`${left} && touch .beads/issues.jsonl gate.lock`))
  expect(await kit.hub.files(branch)).toEqual(expect.arrayContaining(['.beads/issues.jsonl', 'gate.lock']))
  expect((await kit.hub.files(branch)).filter((name) => name.includes('.gate.lock'))).toEqual([])
})

test('a message that begins like a comment is kept', async () => {
  const work = { ...workBy('touch a'), commitMessage: '# 1\n\nBead' }
  await kit.run(work)
  expect(await log(branch)).toBe('Beadloom Agent|# 1')
})

test('an agent that did not end well keeps its leftovers on a ref of its own', async () => {
  const result = await kit.run(
    workBy('echo 1 > done.txt; git add .; git commit -qm part; echo 2 > half.txt; git add half.txt; exit 3'),
  )
  expect(result).toMatchObject({ outcome: 'failed', exitCode: 3, dirty: true, savedRef: saveRef })
  expect(await kit.hub.tip(branch)).toBe(kit.base)
  expect(await kit.hub.files(saveRef)).toEqual(['.gitignore', 'README.md', 'done.txt', 'half.txt'])
  expect(await kit.git('log', '-1', '--format=%s')).toBe('part') // HEAD, index and files are as they were
  expect(await kit.git('status', '--porcelain')).toBe('A  half.txt')
})

test('commits that were not pushed are saved, too', async () => {
  const result = await kit.run(workBy('echo 1 > a; git add a; git commit -qm part; exit 3'))
  expect(result).toMatchObject({ dirty: false, savedRef: saveRef })
  expect(await kit.hub.tip(saveRef)).toBe(result.commit)
})

test('nothing is saved if nothing was left', async () => {
  expect(await kit.run(workBy('exit 3'))).toMatchObject({ outcome: 'failed', dirty: false, savedRef: null })
})

test('an agent that says BLOCKED is not published', async () => {
  const result = await kit.run(workBy('echo half > half.txt; echo "BLOCKED: which database?"'))
  expect(result).toMatchObject({ outcome: 'failed', text: 'the agent is blocked: which database?', savedRef: saveRef })
  expect(await kit.hub.tip(branch)).toBe(kit.base)
})

test('a push that the hub refuses is not repeated', async () => {
  const hook = join(kit.hub.bare, 'hooks', 'update')
  await writeFile(hook, `#!/bin/sh\ncase $1 in refs/heads/*) echo "not today" >&2; exit 1;; esac\n`, { mode: 0o755 })
  const result = await kit.run(workBy('touch a'))
  expect(result).toMatchObject({
    outcome: 'failed',
    text: expect.stringMatching(/the hub refused the push.*not today/s),
    savedRef: saveRef,
  })
})

test('work on a branch of the agent’s own is moved to the right branch', async () => {
  const result = await kit.run(
    workBy('git checkout -q -b mine; echo 1 > a; git add a; git commit -qm mine; echo 2 > b'),
  )
  expect(result).toMatchObject({ outcome: 'success' })
  expect(await kit.hub.files(branch)).toEqual(['.gitignore', 'README.md', 'a', 'b'])
  expect(kit.record.text('warning')).toContain('on the branch mine')
})

test('an agent that pushed and then went back to an older commit has lost nothing', async () => {
  const result = await kit.run(
    workBy('echo 1 > a; git add a; git commit -qm mine; git push -q; git checkout -q HEAD~1'),
  )
  expect(result).toMatchObject({ outcome: 'success', commit: await kit.hub.tip(branch) })
  expect(await kit.hub.files(branch)).toContain('a')
})

test('work that does not continue the branch is saved and not published', async () => {
  const result = await kit.run(
    workBy(
      'echo 1 > a; git add a; git commit -qm mine; git checkout -q -b other HEAD~1; echo 2 > b; git add b; git commit -qm other',
    ),
  )
  expect(result).toMatchObject({
    outcome: 'failed',
    text: expect.stringContaining('does not continue the branch'),
    savedRef: saveRef,
  })
  expect(result.reason, 'its agent did not fail').toBeUndefined()
})

test('an agent that removed .git gets a clear failure, and its files are saved', async () => {
  const result = await kit.run(workBy('echo new > new.txt; rm -rf .git'))
  expect(result).toMatchObject({ outcome: 'failed', reason: 'repository_damaged', dirty: true, savedRef: saveRef })
  expect(result.text).toContain('removed or damaged the repository')
  expect(await kit.hub.files(saveRef)).toEqual(['.gitignore', 'README.md', 'new.txt'])
})

test.each([
  ['objects', 'rm -rf .git/objects'],
  ['index', 'echo garbage > .git/index'],
  ['HEAD', 'echo garbage > .git/HEAD'],
  ['configuration', 'echo "[" > .git/config'],
  ['everything, replaced by a file', 'rm -rf .git; echo "gitdir: /nowhere" > .git'],
])('so does a repository with damaged %s', async (_what, damage) => {
  const result = await kit.run(workBy(`echo new > new.txt; ${damage}`))
  expect(result).toMatchObject({ outcome: 'failed', savedRef: saveRef })
  expect(await kit.hub.files(saveRef)).toContain('new.txt')
  const again = await kit.run(workBy('cat new.txt', false))
  expect(again).toMatchObject({ outcome: 'success' })
  expect(await kit.hub.files(branch)).toContain('new.txt')
})

test('a lock that a killed git left blocks nothing', async () => {
  expect(await kit.run(workBy('touch a .git/index.lock .git/HEAD.lock'))).toMatchObject({ outcome: 'success' })
  expect(await kit.hub.files(branch)).toContain('a')
})

test('an embedded repository without a commit does not keep the rest from being published', async () => {
  const result = await kit.run(workBy(`git init -q "in ner"; touch 'in ner/x' a`))
  expect(result).toMatchObject({ outcome: 'success' })
  expect(await kit.hub.files(branch)).toContain('a')
})

test('FIFOs and sockets in the workspace block nothing', async () => {
  expect(await kit.run(workBy('mkfifo pipe; touch a'))).toMatchObject({ outcome: 'success' })
  expect(
    await kit.run({ kind: 'verify', steps: [{ type: 'test', name: 'test', command: 'true', timeoutMs: 10_000 }] }),
  ).toMatchObject({ outcome: 'success' })
})

test('saving puts leftovers on the ref and touches nothing else', async () => {
  await kit.run(workBy('true'))
  await writeFile(join(kit.workspace, 'left.txt'), 'left')
  await writeFile(join(kit.workspace, '.git/index.lock'), '')
  const ref = 'refs/beadloom/ex-0123456789/left'
  expect(await kit.run({ kind: 'save', ref })).toMatchObject({ outcome: 'success', dirty: true, savedRef: ref })
  expect(await kit.hub.files(ref)).toContain('left.txt')
  expect(await kit.git('status', '--porcelain')).toBe('?? left.txt')
  expect(await kit.hub.tip(branch)).toBe(kit.base)
})

test('a stash and the files of a repository in the workspace are saved, too (more in save-leftover.test.ts)', async () => {
  const more = 'echo stashed > README.md; git stash -q; git init -q in; echo inner > in/x'
  expect(await kit.run(workBy(more))).toMatchObject({ outcome: 'success', dirty: true })
  await kit.run({ kind: 'save', ref: saveRef })
  expect(await show(saveRef, 'in/x')).toBe('inner')
  expect(await show(`${saveRef}^2`, 'README.md')).toBe('stashed')
})

test('saving a clean workspace saves nothing', async () => {
  await kit.run(workBy('true'))
  expect(await kit.run({ kind: 'save', ref: 'refs/beadloom/ex-0123456789/left' })).toMatchObject({
    outcome: 'success',
    savedRef: null,
    dirty: false,
  })
})

test('a hub that is away for a moment loses no work', async () => {
  await kit.run(workBy('true'))
  kit.hub.failNext = 1
  expect(await kit.run(workBy('touch a', false))).toMatchObject({ outcome: 'success' })
  expect(await kit.hub.files(branch)).toContain('a')
})

test('an agent that is stopped from outside ends its commands and saves nothing', async () => {
  const stopper = new AbortController()
  const running = kit.run(workBy('touch left; echo working; sleep 1000'), { stop: stopper.signal })
  await kit.record.waitFor('"type":"message"')
  stopper.abort()
  expect(await running).toMatchObject({
    outcome: 'failed',
    reason: 'stopped',
    commit: kit.base,
    dirty: true,
    savedRef: null,
  })
  expect(await kit.hub.tip(saveRef)).toBe(null)
})

test('an agent that prints without end is stopped, and its work is saved', async () => {
  const bounds = { recordBytes: 200_000, tailBytes: 20_000, stopBytes: 1_000_000 }
  const result = await kit.run(workBy('echo left > left; echo begin; yes; true'), { bounds })
  expect(result).toMatchObject({
    outcome: 'failed',
    reason: 'output_limit',
    savedRef: saveRef,
    text: expect.stringContaining('more than a record may hold'),
  })
  expect(kit.record.bytes.length).toBeLessThan(300_000)
  expect(kit.record.events.at(-1)?.type).toBe('result')
})
