// @suite unit-long
import { beforeEach, expect, test } from 'vitest'
import { branch, saveRef, startKit, workBy, type Kit } from '../testing/session-kit.ts'
import { git } from '../testing/test-hub.ts'

/* The branch has moved in the hub: there is one rebase in all, whether the agent or we do it. */
let kit: Kit
beforeEach(async () => {
  kit = await startKit()
})

const show = (ref: string, path: string) => git(kit.hub.bare, 'show', `${ref}:${path}`)

test('a push that is rejected because the branch has moved is repeated after one rebase', async () => {
  const other = `cd "$(mktemp -d)" && git clone -q --branch ${branch} ${kit.hub.url} c && cd c && echo t > theirs.txt && git add . && git -c user.name=x -c user.email=x@x commit -qm theirs && git push -q`
  const result = await kit.run(workBy(`echo mine > mine.txt; ${other}`))
  expect(result).toMatchObject({ outcome: 'success' })
  expect(await kit.hub.files(branch)).toEqual(['.gitignore', 'README.md', 'mine.txt', 'theirs.txt'])
})

/** Somebody else pushes a file of this name to the branch. */
const theirs = (name: string) =>
  `(cd "$(mktemp -d)" && git clone -q --branch ${branch} ${kit.hub.url} c && cd c && echo t > ${name} && git add . && git -c user.name=x -c user.email=x@x commit -qm ${name} && git push -q)`
const commits = 'echo mine > mine.txt; git add mine.txt; git commit -qm "Bead bl-1"'

test.each(['git pull -q --rebase', 'git pull -q', `git fetch -q; git rebase -q origin/${branch}`])(
  "there is one rebase in all: after the agent's (%s), a branch that moves again is a conflict, and the work is saved",
  async (rebase) => {
    const result = await kit.run(workBy(`${theirs('first')}; ${commits}; ${rebase}; ${theirs('second')}`))
    expect(result).toMatchObject({
      outcome: 'failed',
      reason: 'push_conflict',
      text: expect.stringContaining('moved in the hub again, after the agent had rebased its work once'),
      savedRef: saveRef,
    })
    expect(await show(saveRef, 'mine.txt')).toBe('mine')
    expect(await kit.hub.files(branch)).not.toContain('mine.txt')
  },
)

test.each([
  ['a pull that had nothing to put elsewhere', () => `git pull -q --rebase; ${commits}`],
  ['the rebase of a session before', () => 'true'],
])('%s leaves the one rebase to us', async (what, script) => {
  if (what.includes('before')) await kit.run(workBy(`${theirs('zero')}; ${commits}; git pull -q --rebase`))
  const result = await kit.run(
    workBy(`${script()}; echo more > more.txt; ${theirs('first')}`, what.startsWith('a pull')),
  )
  expect(result).toMatchObject({ outcome: 'success' })
  expect(await kit.hub.files(branch)).toEqual(expect.arrayContaining(['first', 'mine.txt', 'more.txt']))
})

test('a conflict in that rebase is reported and the work is saved', async () => {
  const other = `cd "$(mktemp -d)" && git clone -q --branch ${branch} ${kit.hub.url} c && cd c && echo theirs > README.md && git add . && git -c user.name=x -c user.email=x@x commit -qm theirs && git push -q`
  const result = await kit.run(workBy(`echo mine > README.md; ${other}`))
  expect(result).toMatchObject({
    outcome: 'failed',
    reason: 'push_conflict',
    text: expect.stringMatching(/README\.md/),
    savedRef: saveRef,
  })
  expect(await show(saveRef, 'README.md')).toBe('mine')
  expect(await show(branch, 'README.md')).toBe('theirs')
})

test('a rebase that the agent left unfinished is a conflict, with the files saved', async () => {
  const conflict =
    'echo a > README.md; git commit -qam a; git checkout -q -b side HEAD~1; echo b > README.md; git commit -qam b; git rebase -q -; true'
  const result = await kit.run(workBy(conflict))
  expect(result).toMatchObject({
    outcome: 'failed',
    reason: 'push_conflict',
    text: expect.stringMatching(/rebase/),
    savedRef: saveRef,
  })
})
