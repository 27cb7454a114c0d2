import { afterEach, beforeEach, expect, test } from 'vitest'
import { PullRequestKit } from './pull-request-kit.ts'
import { workBranch } from './publish-kit.ts'

let kit: PullRequestKit
beforeEach(async () => {
  kit = await PullRequestKit.start()
})
afterEach(() => kit.close())

test('a pull request is opened after the review called its commit ready, with the beads, the checks and the review in its text', async () => {
  const commit = await kit.merged('bl-a')
  const { view, fresh } = await kit.ask()
  expect({ fresh, view }).toMatchObject({
    fresh: true,
    view: { state: 'reviewing', branch: workBranch, base: 'main', commit, title: 'bl-a: bead bl-a', url: null },
  })
  expect(kit.reviews()).toEqual([view.review])
  expect(await kit.remoteTip()).toBeNull()
  kit.judge(view.review!, 'ready', ['It could be shorter'])
  expect(await kit.ended(view.id)).toMatchObject({
    state: 'open',
    number: 1,
    url: 'https://git.test/a/b/pulls/1',
    forge: 'git.test',
    pushed: commit,
  })
  expect(await kit.remoteTip()).toBe(commit)
  const [opened] = kit.forge.open_
  expect(opened).toMatchObject({ head: workBranch, base: 'main', title: 'bl-a: bead bl-a' })
  for (const part of ['`bl-a`', '7 tests passed', 'It greets.', 'It could be shorter', view.review!, commit])
    expect(opened?.body).toContain(part)
})
