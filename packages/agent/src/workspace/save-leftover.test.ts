// @suite unit-long
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { branch, saveRef, startKit, workBy, type Kit } from '../testing/session-kit.ts'
import { git } from '../testing/test-hub.ts'

/* Work that `git status` does not show, and that neither HEAD nor a branch of the hub has. */
let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const ref = 'refs/beadloom/ex-0123456789/left'
const save = () => kit.run({ kind: 'save', ref })
const inHub = (path: string) => git(kit.hub.bare, 'show', `${ref}:${path}`)
/** Finds the file in any commit that the ref holds. */
const anywhere = async (path: string) => {
  const commits = (await git(kit.hub.bare, 'rev-list', ref, '--not', branch)).split('\n')
  const found = await Promise.all(
    commits.map((commit) => git(kit.hub.bare, 'show', `${commit}:${path}`).catch(() => '')),
  )
  return found.filter(Boolean)
}

test.each([
  ['a stash', 'echo stashed > README.md; git stash -q', 'README.md', 'stashed'],
  ['an older stash', 'echo older > README.md; git stash -q; echo 2 > README.md; git stash -q', 'README.md', 'older'],
  ['new files in a stash', 'echo stashed > new; git stash -q --include-untracked', 'new', 'stashed'],
  ['another branch', 'git checkout -qb side; echo 1 > a; git add a; git commit -qm side; git checkout -q -', 'a', '1'],
  [
    'a branch whose rebase was broken off',
    'git checkout -qb side; echo b > README.md; git commit -qam b; git checkout -q -; echo a > README.md; git commit -qam a; echo 3 > kept; git add kept; git commit -qm 3; git rebase -q side; true',
    'kept',
    '3',
  ],
])('%s is saved, though HEAD does not have it', async (_what, command, path, text) => {
  const result = await kit.run(workBy(`${command}; exit 1`))
  expect(result).toMatchObject({ outcome: 'failed', savedRef: saveRef })
  expect(await save()).toMatchObject({ outcome: 'success', savedRef: ref })
  expect(await anywhere(path)).toContain(text)
})

test.each([
  ['with commits', 'git -C inner commit -qm inner'],
  ['without one', 'true'],
  ['with more than its commits', 'git -C inner commit -qm inner; echo hi > inner/x'],
])('the files of a repository in the workspace, %s, are saved as files', async (_what, more) => {
  const inner = `git init -q inner; echo ${more.includes('hi') ? 'old' : 'hi'} > inner/x; git -C inner add x; git -C inner config user.email a@b; git -C inner config user.name a; ${more}`
  expect(await kit.run(workBy(`${inner}; exit 1`))).toMatchObject({ outcome: 'failed', savedRef: saveRef })
  expect(await save()).toMatchObject({ outcome: 'success', savedRef: ref })
  expect(await inHub('inner/x')).toBe('hi')
  expect(await kit.git('status', '--porcelain')).toBe('?? inner/')
})

test('so are those of a second working tree, and of a repository in a repository', async () => {
  const two = 'git worktree add -q tree; echo 1 > tree/a; git init -q o; git init -q o/i; echo 2 > o/i/b'
  await kit.run(workBy(`${two}; exit 1`))
  expect(await save()).toMatchObject({ outcome: 'success', savedRef: ref })
  expect([await inHub('tree/a'), await inHub('o/i/b')]).toEqual(['1', '2'])
})

test('a clone without work of its own stays as it is', async () => {
  await git(kit.tmp, 'clone', '-q', kit.hub.bare, join(kit.tmp, 'elsewhere'))
  await kit.run(workBy(`git clone -q '${join(kit.tmp, 'elsewhere')}' vendor; exit 1`))
  expect(await save()).toMatchObject({ outcome: 'success', savedRef: ref })
  expect(await kit.hub.files(ref)).toEqual(['.gitignore', 'README.md', 'vendor'])
})

test.each(['--assume-unchanged', '--skip-worktree'])(
  'a file that git was told to ignore changes in (%s) is saved',
  async (flag) => {
    await kit.run(workBy(`git update-index ${flag} README.md; echo changed > README.md; exit 1`))
    expect(await save()).toMatchObject({ outcome: 'success', savedRef: ref })
    expect(await inHub('README.md')).toBe('changed')
  },
)

/** Ways to make git overlook a change, or commit something other than the file's content. */
const HIDING: [what: string, command: string, path: string, is: string][] = [
  ['one file for two names', 'git config core.ignoreCase true; echo lower > readme.md', 'readme.md', 'lower'],
  ['a list of new files', 'git config core.untrackedCache true; git status; echo new > new.txt', 'new.txt', 'new'],
  [
    'a filter that says that nothing changed',
    'echo "README.md filter=f" > .gitattributes; git add .; git commit -qm a; git config filter.f.clean "echo hello"; echo changed > README.md',
    'README.md',
    'changed',
  ],
  [
    'a filter that commits something else',
    'echo "a filter=f" > .gitattributes; git config filter.f.clean "echo nothing"; echo work > a; git add .; git commit -qm a',
    'a',
    'work',
  ],
  [
    'a filter of its own attributes',
    'mkdir -p .git/info; echo "a filter=f" > .git/info/attributes; git config filter.f.clean "echo nothing"; echo work > a; git add .; git commit -qm a',
    'a',
    'work',
  ],
  [
    'another encoding',
    'echo "a working-tree-encoding=UTF-16LE-BOM" > .gitattributes; printf "\\377\\376w\\000" > a; git add .; git commit -qm a; echo work > a',
    'a',
    'work',
  ],
]

test.each(HIDING)('a change that git does not see because of %s is saved', async (_what, command, path, is) => {
  await kit.run(workBy(`(${command}) >/dev/null; exit 1`))
  await save()
  const saved = (await kit.hub.tip(ref)) ?? (await kit.hub.tip(saveRef))
  expect(await git(kit.hub.bare, 'show', `${saved}:${path}`)).toBe(is)
})

test.each(HIDING)('an agent that ended well with %s has its files in the hub', async (_what, command, path, is) => {
  const { dirty } = await kit.run(workBy(`(${command}) >/dev/null`))
  if (dirty) await save()
  expect(await git(kit.hub.bare, 'show', `${dirty ? ref : branch}:${path}`)).toBe(is)
})

test('a file that became executable is a change, whatever the settings say', async () => {
  const result = await kit.run(workBy('git config core.fileMode false; chmod +x README.md'))
  expect(result).toMatchObject({ outcome: 'success', dirty: false })
  expect(await git(kit.hub.bare, 'ls-tree', branch, 'README.md')).toMatch(/^100755/)
})

test('line endings that the project itself asks for are no leftovers', async () => {
  kit = await startKit({ 'a.txt': 'one\n', '.gitattributes': '*.txt text eol=crlf\n' })
  const result = await kit.run(workBy('printf "two\\r\\n" >> a.txt'))
  expect(result).toMatchObject({ outcome: 'success', dirty: false })
})

test.each([
  'git sparse-checkout set --no-cone /README.md; mkdir far; echo 1 > far/a; exit 1',
  'mkdir -p .git/info; echo /a > .git/info/sparse-checkout; git config core.sparseCheckout true; git config sparse.expectFilesOutsideOfPatterns true; git update-index --skip-worktree README.md; echo changed > README.md; exit 1',
])('a session that cannot see all files does not claim to have saved them', async (command) => {
  await kit.run(workBy(command))
  expect(await save()).toMatchObject({ outcome: 'failed', savedRef: null, dirty: true })
})

test.each([
  ['a new file that the settings hide', 'git config status.showUntrackedFiles no; touch a'],
  ['a stash', 'echo stashed > README.md; git stash -q'],
  ['a file that git overlooks', 'git update-index --assume-unchanged README.md; echo changed > README.md'],
  ['another branch', 'git checkout -qb side; git commit -q --allow-empty -m side; git checkout -q -'],
  ['a repository in the workspace', 'git init -q inner; touch inner/x'],
])('a session that is stopped with %s does not claim that nothing is left', async (_what, command) => {
  const stopper = new AbortController()
  const running = kit.run(workBy(`${command}; echo ready; sleep 1000`), { stop: stopper.signal })
  await kit.record.waitFor('"type":"message"')
  stopper.abort()
  expect(await running).toMatchObject({ reason: 'stopped', dirty: true })
})

test.each([
  ['a stash', 'echo 1 > a; git add a; git commit -qm one; echo stashed > README.md; git stash -q'],
  [
    'the files of a repository of its own',
    'git init -q inner; cd inner; touch x; git add x; git -c user.name=a -c user.email=a@b commit -qm inner',
  ],
  ['a file that git overlooks', 'touch a; git update-index --assume-unchanged README.md; echo changed > README.md'],
])('an agent that ended well and leaves %s is published, with a note that there is more', async (_what, command) => {
  const result = await kit.run(workBy(command))
  expect(result).toMatchObject({ outcome: 'success', commit: await kit.hub.tip(branch), dirty: true })
  expect(await save()).toMatchObject({ outcome: 'success', savedRef: ref })
})

test("commits on a branch of the agent's own are not left over when they are published in other words", async () => {
  const result = await kit.run(workBy('git checkout -qb own; echo 1 > a; git add a; git commit -qm "no bead"'))
  expect(result).toMatchObject({ outcome: 'success', commit: await kit.hub.tip(branch), dirty: false })
  expect(await kit.git('rev-parse', 'own')).not.toBe(result.commit)
})

test('a ref that another git is writing at the same moment is waited for', async () => {
  const hook = join(kit.hub.bare, 'hooks', 'update')
  const once =
    'lock="$1.lock"; if [ -e tried ]; then rm -f "$lock"; else touch tried; mkdir -p "${lock%/*}"; touch "$lock"; fi'
  await writeFile(hook, `#!/bin/sh\ncd "$GIT_DIR"; ${once}\n`)
  await chmod(hook, 0o755)
  expect(await kit.run(workBy('echo left > new; exit 1'))).toMatchObject({ outcome: 'failed', savedRef: saveRef })
  expect(await git(kit.hub.bare, 'show', `${saveRef}:new`)).toBe('left')
})
