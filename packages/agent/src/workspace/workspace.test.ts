// @suite unit-long
import { existsSync } from 'node:fs'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Work } from '@beadloom/core/execution/session-order.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { branch, startKit, workBy, type Kit } from '../testing/session-kit.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const setup = (command: string | null) => kit.run({ kind: 'setup', command, timeoutMs: 60_000 })
const verify = (command: string, commit = kit.base) =>
  kit.run({ kind: 'verify', steps: [{ type: 'test', name: 'test', command, timeoutMs: 60_000 }] }, { commit })
const at = (name: string) => join(kit.workspace, name)
const read = (name: string) => readFile(at(name), 'utf8')

test('setup checks the commit out into an empty folder and runs the command in it', async () => {
  const result = await setup('cat README.md; mkdir node_modules; echo dep > node_modules/dep')
  expect(result).toMatchObject({ outcome: 'success', exitCode: 0, commit: kit.base, dirty: false })
  expect(kit.record.text('output')).toContain('hello\n')
  expect(kit.record.of('section').map(({ title }) => title)).toEqual(['checkout', 'setup'])
  expect(kit.record.of('section_end').map(({ exitCode }) => exitCode)).toEqual([0, 0])
})

test('a project with nothing to set up is only checked out', async () => {
  expect(await setup(null)).toMatchObject({ outcome: 'success', exitCode: null })
  expect(await read('README.md')).toBe('hello\n')
})

test('a setup command that fails shows its output and its exit code', async () => {
  const result = await setup('echo "no registry" >&2; exit 7')
  expect(result).toMatchObject({ outcome: 'failed', exitCode: 7, text: 'the setup command ended with exit code 7' })
  expect(kit.record.text('output')).toContain('no registry')
})

test('a command that does not end is stopped at its limit', async () => {
  const result = await kit.run({
    kind: 'verify',
    steps: [{ type: 'test', name: 'test', command: 'sleep 1000', timeoutMs: 200 }],
  })
  expect(result).toMatchObject({ outcome: 'failed', text: expect.stringContaining('did not end within') })
})

test('a test command that does not exist says so', async () => {
  expect(await verify('no-such-runner --all')).toMatchObject({
    outcome: 'failed',
    exitCode: 127,
    text: expect.stringContaining('does not exist in the container'),
  })
})

test("verification sees exactly the commit and setup's installations", async () => {
  await setup('mkdir node_modules; echo dep > node_modules/dep; echo changed > README.md; echo new > unlisted')
  await writeFile(at('left.txt'), 'left')
  await mkdir(at('embedded/.git'), { recursive: true })
  await writeFile(at('.git/index.lock'), '')
  const next = await kit.hub.commit(branch, { 'test.sh': 'cat README.md node_modules/dep; ls' })
  const result = await verify('sh test.sh', next)
  expect(result).toMatchObject({ outcome: 'success', commit: next })
  expect(kit.record.text('output')).toContain('hello\ndep\n')
  expect(existsSync(at('left.txt'))).toBe(false)
  expect(existsSync(at('embedded'))).toBe(false)
})

test('a commit that the hub does not have is named', async () => {
  const missing = 'a'.repeat(40)
  expect(await verify('true', missing)).toMatchObject({
    outcome: 'failed',
    text: expect.stringContaining(`no commit ${missing}`),
  })
  const end = kit.record.of('section_end').at(-1)
  expect(end).toMatchObject({ title: 'checkout', exitCode: 1 })
})

test('an empty repository in the hub is a clear failure', async () => {
  const { hub } = kit
  await hub.branch('gone', kit.base)
  for (const name of ['main', branch, 'gone']) await kit.hub.tip(name)
  const result = await kit.run({ kind: 'setup', command: 'true', timeoutMs: 1000 }, { commit: '' })
  expect(result).toMatchObject({ outcome: 'failed', text: expect.stringContaining('none was named') })
})

test("an agent starts on its branch on top of setup's files, with its dependencies in place", async () => {
  await setup('mkdir node_modules; echo dep > node_modules/dep; echo made > made-by-setup; echo x >> README.md')
  const tip = await kit.hub.commit(branch, { 'README.md': 'newer\n', 'src/a.txt': 'a' })
  await writeFile(at('stray.txt'), 'stray')
  const result = await kit.run(
    workBy('git status --porcelain; git rev-parse HEAD; git branch --show-current; cat README.md node_modules/dep'),
  )
  expect(result.outcome).toBe('success')
  expect(kit.record.text('message')).toBe(`${tip}\n${branch}\nnewer\ndep\n`)
  expect(await read('made-by-setup')).toBe('made\n')
  expect(existsSync(at('stray.txt'))).toBe(false)
})

test('an agent whose workspace has its branch’s commit already begins without the hub', async () => {
  await setup('echo made > made-by-setup')
  await writeFile(at('stray.txt'), 'stray')
  const work = workBy('git rev-parse HEAD; git branch --show-current; git rev-parse @{upstream}; exit 1')
  const fetches = async (tip?: string) => {
    const before = kit.hub.fetches
    await kit.run(work, tip === undefined ? {} : { tip })
    return kit.hub.fetches - before
  }
  const known = await fetches(kit.base)
  expect(kit.record.text('message')).toBe(`${kit.base}\n${branch}\n${kit.base}\n`)
  expect(existsSync(at('stray.txt'))).toBe(false)
  expect(known).toBe((await fetches()) - 1) // its end always asks the hub
})

test('a workspace left clean at the commit is neither configured nor cleaned again; at another one it is', async () => {
  const waiting: Work = { kind: 'setup', command: null, timeoutMs: 60_000, clean: true }
  await writeFile(at('left-by-setup'), 'left')
  await kit.run(waiting)
  expect(existsSync(at('left-by-setup'))).toBe(false)
  const git = { tip: kit.base, ready: kit.base }
  await writeFile(at('seen'), 'there') // no session is running now; the file shows that nothing was cleaned
  await kit.run(workBy('ls; git push --quiet --dry-run && git config branch.$(git branch --show-current).merge'), git)
  expect(kit.record.text('message')).toContain('seen')
  expect(kit.record.text('message')).toContain(`refs/heads/${branch}`)

  const other = await startKit()
  await other.run(waiting)
  await writeFile(join(other.workspace, 'seen'), 'there')
  const newer = await other.hub.commit(branch, { 'README.md': 'newer\n' })
  await other.run(workBy('ls; cat README.md'), { commit: newer, tip: newer, ready: other.base })
  expect(other.record.text('message')).not.toContain('seen')
  expect(other.record.text('message')).toContain('newer')
})

test.each([
  ['a commit that it does not have', () => kit.hub.commit(branch, { 'README.md': 'newer\n' })],
  ['an empty folder', async () => kit.base],
])('an agent with %s gets it from the hub', async (what, commit) => {
  if (what !== 'an empty folder') await setup(null)
  const tip = await commit()
  await kit.run(workBy('git rev-parse HEAD; git branch --show-current'), { tip })
  expect(kit.record.text('message')).toBe(`${tip}\n${branch}\n`)
})

test('an agent whose branch is said to be missing in the hub gets it as it is', async () => {
  await setup(null)
  const tip = await kit.hub.commit(branch, { 'README.md': 'newer\n' })
  await kit.run(workBy('git rev-parse HEAD; git branch --show-current'), { tip: 'f'.repeat(40) })
  expect(kit.record.text('message')).toBe(`${tip}\n${branch}\n`)
})

test.each(['HEAD', 'objects', 'refs'])('a repository without its %s is made again', async (name) => {
  await setup(`rm -rf .git/${name}`)
  await kit.run(workBy('git rev-parse HEAD; git branch --show-current'), { tip: kit.base })
  expect(kit.record.text('message')).toBe(`${kit.base}\n${branch}\n`)
})

test("setup's products are never committed as work, whatever their names", async () => {
  await setup(`mkdir 'a b' 'x[1]'; touch '#hash' '!bang' 'tail ' 'a b/c' 'x[1]/y' 'ü' 'back\\slash'`)
  const result = await kit.run(workBy('echo work > work.txt'))
  expect(result.outcome).toBe('success')
  expect(await kit.hub.files(branch)).toEqual(['.gitignore', 'README.md', 'work.txt'])
})

test('plain git works for an agent: commit, push, pull --rebase, without hooks', async () => {
  await setup(
    'mkdir -p hooks .git/hooks; printf "#!/bin/sh\\nexit 1\\n" > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit; git config core.hooksPath hooks; printf "#!/bin/sh\\nexit 1\\n" > hooks/pre-push; chmod +x hooks/pre-push',
  )
  const script =
    'set -e; echo 1 > a; git add a; git commit -q -m one; git push; git pull --rebase; git log -1 --format="%an <%ae>"'
  expect(await kit.run(workBy(script))).toMatchObject({ outcome: 'success' })
  expect(kit.record.text('message')).toContain('Beadloom Agent <agent@example.org>')
  expect(await kit.hub.tip(branch)).toBe(await kit.git('rev-parse', 'HEAD'))
})

test('a restarting hub is waited for', async () => {
  kit.hub.failNext = 2
  expect(await setup('true')).toMatchObject({ outcome: 'success' })
})

test('a branch that the hub does not have is named', async () => {
  await kit.hub.commit('main', {})
  const order = kit.order(workBy('true'))
  const record = kit.record
  const { runSession } = await import('../session/run-session.ts')
  const result = await runSession({
    ...kit.deps(workBy('true')),
    order: { ...order, git: { ...order.git, branch: 'nowhere' } },
  })
  expect(result.text).toContain('no branch nowhere')
  await record.writer.finish()
})

test('a later session finds the workspace as the last one left it', async () => {
  await kit.run(workBy('echo half > half.txt; exit 1'))
  const result = await kit.run(workBy('cat half.txt', false))
  expect(result.outcome).toBe('success')
  expect(kit.record.text('message')).toBe('half\n')
  expect(await kit.hub.files(branch)).toContain('half.txt')
})

test('a later session gets a repository again if the last one removed it', async () => {
  await kit.run(workBy('echo new > new.txt; rm -rf .git; exit 1'))
  const result = await kit.run(workBy('git status --porcelain', false))
  expect(result.outcome).toBe('success')
  expect(kit.record.text('message')).toBe('?? new.txt\n')
  expect(await kit.hub.files(branch)).toContain('new.txt')
})

test('submodules that are not initialised are left alone', async () => {
  const inner = await kit.hub.commit('inner', { 'lib.txt': 'lib' })
  await kit.run(workBy('true'))
  await kit.git('update-index', '--add', '--cacheinfo', `160000,${inner},vendor/lib`)
  await writeFile(
    at('.gitmodules'),
    '[submodule "vendor/lib"]\n\tpath = vendor/lib\n\turl = https://example.invalid/lib.git\n',
  )
  await kit.git('add', '.gitmodules')
  await kit.git('commit', '-q', '-m', 'submodule')
  await kit.git('push', '-q', 'origin', 'HEAD')
  const tip = await kit.hub.tip(branch)
  expect(await verify('test -d vendor/lib && git status --porcelain', tip!)).toMatchObject({ outcome: 'success' })
  expect(await kit.run(workBy('echo a > a.txt'))).toMatchObject({ outcome: 'success' })
  expect(await kit.hub.files(branch)).toContain('vendor/lib')
})

describe('a submodule', () => {
  /** A branch tip that points to these files, and what a session hears about them. */
  async function pointing(files: Record<string, string>) {
    const commit = await kit.hub.commit(`module-${Object.keys(files).join('-')}`, files)
    await kit.run(workBy('true'))
    await kit.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},vendor/lib`)
    await kit.git('commit', '-q', '-m', 'Use a library')
    await kit.git('push', '-q', 'origin', 'HEAD')
    return { tip: (await kit.hub.tip(branch))!, modules: [{ path: 'vendor/lib', commit }] }
  }
  const step = (command: string): Work => ({
    kind: 'verify',
    steps: [{ type: 'test', name: 'test', command, timeoutMs: 60_000 }],
  })

  test('has its files in its folder for everybody, without a repository, and none of them is committed', async () => {
    const { tip, modules } = await pointing({ 'lib.txt': 'lib\n', 'deep/er.txt': 'deeper\n' })
    const looks =
      'cat vendor/lib/lib.txt vendor/lib/deep/er.txt && test ! -e vendor/lib/.git && test -z "$(git status --porcelain)"'
    expect(await kit.run(step(looks), { commit: tip, modules })).toMatchObject({ outcome: 'success' })
    const work = workBy(
      `${looks} && echo spoiled > vendor/lib/lib.txt && echo new > vendor/lib/new.txt && echo a > a.txt`,
    )
    expect(await kit.run(work, { commit: tip, modules })).toMatchObject({ outcome: 'success', dirty: false })
    const files = await kit.hub.files(branch)
    expect(files).toContain('a.txt')
    expect(files).toContain('vendor/lib')
    expect(files.filter((name) => name.startsWith('vendor/lib/'))).toEqual([])
    // A check sees the repository's content, not what somebody made of it.
    const tipNow = (await kit.hub.tip(branch))!
    expect(await kit.run(step('grep -q lib vendor/lib/lib.txt'), { commit: tipNow, modules })).toMatchObject({
      outcome: 'success',
    })
  })

  test("that points elsewhere has the commit's files, and none if nobody has that; setup's files in it stay", async () => {
    const { tip, modules } = await pointing({ 'one.txt': 'one\n' })
    const setUp = { kind: 'setup', command: 'echo built > vendor/lib/built.o', timeoutMs: 60_000 } as const
    await kit.run(setUp, { commit: tip, modules })
    const two = await kit.hub.commit('module-two', { 'two.txt': 'two\n' })
    const moved = [{ path: 'vendor/lib', commit: two }]
    const ls = 'ls vendor/lib | tr "\\n" " "'
    await kit.run(step(ls), { commit: tip, modules: moved })
    expect(kit.record.text('output')).toContain('built.o two.txt ')
    await kit.run(step(ls), { commit: tip })
    expect(kit.record.text('output')).toContain('built.o \n'.trim())
    expect(kit.record.text('output')).not.toMatch(/one\.txt|two\.txt/)
  })

  test('stays a submodule in the saved work of a failed agent, even if that removed the repository', async () => {
    const { tip, modules } = await pointing({ 'lib.txt': 'lib\n' })
    for (const command of [
      'echo a > a.txt; echo x > vendor/lib/x.txt; exit 1',
      'echo b > b.txt; rm -rf .git; exit 1',
    ]) {
      const { savedRef } = await kit.run(workBy(command), { commit: tip, modules })
      const saved = await kit.hub.files(savedRef ?? '')
      expect(saved).toContain('vendor/lib')
      expect(saved.filter((name) => name.startsWith('vendor/lib/'))).toEqual([])
    }
    // The next session finds its own workspace again.
    const again = workBy('cat vendor/lib/lib.txt && git status --porcelain', false)
    expect(await kit.run(again, { commit: tip, modules })).toMatchObject({ outcome: 'success' })
  })

  test('is left alone by scripts that would fetch it', async () => {
    const { tip, modules } = await pointing({ 'lib.txt': 'lib\n' })
    await kit.run(step('true'), { commit: tip, modules })
    await writeFile(
      at('.gitmodules'),
      '[submodule "a lib"]\n\tpath = vendor/lib\n\turl = https://example.invalid/lib.git\n',
    )
    await kit.git('add', '.gitmodules')
    await kit.git('commit', '-q', '-m', 'Name it')
    await kit.git('push', '-q', 'origin', `HEAD:refs/heads/${branch}`)
    const commit = (await kit.hub.tip(branch))!
    const script = 'git submodule update --init --recursive && cat vendor/lib/lib.txt'
    expect(await kit.run(step(script), { commit, modules })).toMatchObject({ outcome: 'success' })
  })

  test('that the project has replaced by its own files leaves those alone', async () => {
    const { tip, modules } = await pointing({ 'lib.txt': 'lib\n' })
    await kit.run(step('true'), { commit: tip, modules })
    await kit.git('rm', '-q', '--cached', 'vendor/lib')
    await kit.git('add', 'vendor/lib/lib.txt')
    await kit.git('commit', '-q', '-m', 'Keep its files')
    await kit.git('push', '-q', 'origin', `HEAD:refs/heads/${branch}`)
    const own = (await kit.hub.tip(branch))!
    expect(await kit.run(step('cat vendor/lib/lib.txt'), { commit: own })).toMatchObject({ outcome: 'success' })
  })
})

test('a link named like a leftover is removed, not followed', async () => {
  await setup('true')
  const outside = join(kit.workspace, '..', 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'keep'), 'keep')
  await symlink(outside, at('linked'))
  await verify('true')
  expect(existsSync(at('linked'))).toBe(false)
  expect(existsSync(join(outside, 'keep'))).toBe(true)
})
