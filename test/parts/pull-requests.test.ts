// @suite unit-long
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Problem } from '@beadloom/server/src/ports/problem.ts'
import { projectId } from '@beadloom/server/src/hub/hub-kit.ts'
import { ForgeError } from '@beadloom/server/src/ports/forge.ts'
import { PullRequestKit, repository } from './pull-request-kit.ts'
import { workBranch } from './publish-kit.ts'

let kit: PullRequestKit
beforeEach(async () => {
  kit = await PullRequestKit.start()
})
afterEach(() => kit.close())

const hubProject = () => ({ id: projectId, source: kit.publish.remote, baseBranch: 'main' })

/** Writes a bead as for a project by URL: a commit on the work branch. */
async function writeBead(): Promise<void> {
  const branches = { workBranch, baseBranch: 'main' }
  const written = await kit.publish.kit.hub.writeTracker(hubProject(), branches, (text) => ({
    text: `${text}{"id":"bl-z","title":"Filed"}\n`,
    message: 'Beads: bl-z: filed',
  }))
  expect(written).toMatchObject({ result: 'written', commit: expect.any(String) })
}

describe('a pull request', () => {
  test.each(['not_ready', 'unparseable'] as const)(
    'whose review says %s is not opened, and nothing is pushed',
    async (verdict) => {
      await kit.merged('bl-a')
      const { view } = await kit.ask()
      kit.judge(view.review!, verdict, ['A bug'])
      expect(await kit.ended(view.id)).toMatchObject({ state: 'not_ready', url: null, pushed: null })
      expect([await kit.remoteTip(), kit.forge.asked]).toEqual([null, []])
      // The issues have their beads by then.
      expect(kit.store.review(kit.row(view.id).review)?.issues).toMatchObject([{ filed: 'new' }])
    },
  )

  test('whose review gave no usable answer gets another one when it is asked for again', async () => {
    await kit.merged('bl-a')
    const { view } = await kit.ask()
    kit.judge(view.review!, 'unparseable')
    expect(await kit.ended(view.id)).toMatchObject({ detail: expect.stringContaining('another review') })
    const again = await kit.ask()
    expect(again.view.review).not.toBe(view.review)
    kit.judge(again.view.review!)
    expect(await kit.ended(again.view.id)).toMatchObject({ state: 'open' })
  })

  test.each(['TIMEOUT', 'CANCELLED'] as const)('whose review ends %s fails with a sentence', async (state) => {
    await kit.merged('bl-a')
    const { view } = await kit.ask()
    kit.end(kit.row(view.id).review, state)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'failed', detail: expect.stringContaining('Ask again.') })
    expect(kit.forge.asked).toEqual([])
  })

  test('that is under way answers every further click, even at the same moment', async () => {
    await kit.merged('bl-a')
    const both = await Promise.all([kit.ask(), kit.ask()])
    expect(both.map(({ fresh }) => fresh).sort()).toEqual([false, true])
    expect(await kit.ask()).toMatchObject({ fresh: false, view: { id: both[0].view.id } })
    expect(both[1].view.id).toBe(both[0].view.id)
    expect(kit.reviews()).toHaveLength(1)
  })

  test('that was opened is updated by asking again: the ready review counts, a moved branch gets its own', async () => {
    const first = await kit.merged('bl-a')
    const one = await kit.ask()
    kit.judge(one.view.review!)
    await kit.ended(one.view.id)
    const again = await kit.ask('Greetings')
    expect(again.view).toMatchObject({ review: one.view.review, commit: first })
    expect(await kit.ended(again.view.id)).toMatchObject({ state: 'open', number: 1, title: 'Greetings' })
    expect(kit.reviews()).toHaveLength(1)

    const second = await kit.merged('bl-b')
    const third = await kit.ask()
    expect(third.view.commit).toBe(second)
    kit.judge(third.view.review!)
    expect(await kit.ended(third.view.id)).toMatchObject({
      state: 'open',
      number: 1,
      detail: expect.stringContaining('already open'),
    })
    expect(kit.reviews()).toHaveLength(2)
    expect(kit.forge.open_).toHaveLength(1)
    expect(kit.forge.open_[0]?.body).toContain('`bl-b`')
    expect(await kit.remoteTip()).toBe(second)
  })

  test('of a branch that moved meanwhile is reviewed again, and the newer commit is opened', async () => {
    await kit.merged('bl-a')
    const { view } = await kit.ask()
    const later = await kit.merged('bl-b')
    kit.judge(view.review!)
    const { review } = await kit.when(view.id, ({ reviews }) => reviews === 2)
    expect(kit.forge.asked).toEqual([])
    kit.judge(review)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'open', commit: later, pushed: later })
    expect(kit.forge.asked[0]?.title).toBe('bl-a: bead bl-a, and 1 more bead')
  })

  test('is not reviewed again because of beads written to the work branch, even by the review itself', async () => {
    await kit.close()
    kit = await PullRequestKit.start({ '.beads/issues.jsonl': '' })
    const commit = await kit.merged('bl-a')
    const { view } = await kit.ask()
    await writeBead()
    kit.judge(view.review!, 'ready')
    const ended = await kit.ended(view.id)
    expect(ended).toMatchObject({ state: 'open', pushed: await kit.remoteTip(), reviews: 1, review: view.review })
    expect(ended.commit).not.toBe(commit)
    const git = (...args: string[]) => kit.publish.kit.git(kit.publish.remote, ...args)
    expect(await git('diff', '--name-only', commit, workBranch)).toBe('.beads/issues.jsonl')
    expect(await git('rev-list', workBranch)).toContain(commit)
    expect(kit.forge.open_[0]?.body).toContain('7 tests passed')
    const again = await kit.ask()
    expect(again.view.review).toBe(view.review)
    expect(await kit.ended(again.view.id)).toMatchObject({ state: 'open', reviews: 1 })
  })

  test('of a commit with only beads after the verified one names the checks of that', async () => {
    await kit.close()
    kit = await PullRequestKit.start({ '.beads/issues.jsonl': '' })
    const verified = await kit.merged('bl-a')
    await kit.publish.kit.hub.publish(hubProject(), [`refs/heads/${workBranch}`])
    await writeBead()
    const { view } = await kit.ask()
    expect(view.commit).not.toBe(verified)
    kit.judge(view.review!)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'open', reviews: 1 })
    const body = kit.forge.open_[0]?.body
    expect(body).toContain('7 tests passed')
    expect(body).toContain(`Run on \`${verified}\`, which differs`)
  })

  test('has no secret in its text, whoever wrote it there', async () => {
    const key = `ghp_${'Zk3Qv9RtXw7PmLs2Hd8YbNcJf5GaUe4TiVo6'}`
    await kit.merged('bl-a')
    const { view } = await kit.ask()
    kit.judge(view.review!, 'ready', [`It sends ${key}`])
    expect(await kit.ended(view.id)).toMatchObject({ state: 'open' })
    expect(kit.forge.open_[0]?.body).toMatch(/It sends (?:\\?\*){3}/)
    expect(kit.forge.open_[0]?.body).not.toContain(key)
  })

  test("includes and reviews a person's commits on the work branch", async () => {
    await kit.merged('bl-a')
    const foreign = await kit.publish.foreign(workBranch, { 'p.txt': 'p' })
    // The hub has not seen it: its state here is older.
    const { view } = await kit.ask()
    await kit.publish.foreign(workBranch, { 'q.txt': 'q' })
    kit.judge(view.review!)
    const { review, commit } = await kit.when(view.id, ({ reviews }) => reviews === 2)
    expect(await kit.publish.kit.hub.contains(projectId, commit, foreign)).toBe(true)
    kit.judge(review)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'open', pushed: commit })
    expect(await kit.remoteTip()).toBe(commit)
  })

  test("reports a conflict with a person's commits", async () => {
    await kit.merged('bl-a')
    await kit.publish.foreign(workBranch, { 'bl-a.txt': 'other' })
    const { view } = await kit.ask()
    kit.judge(view.review!)
    expect(await kit.ended(view.id)).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/conflicts in .*bl-a\.txt.*ask again/),
    })
    expect(kit.forge.asked).toEqual([])
  })
})

describe('if no pull request can be opened,', () => {
  test('a remote that is no known forge gets the branch', async () => {
    const commit = await kit.merged('bl-a')
    kit.forge.repository = null
    const { view } = await kit.ask()
    kit.judge(view.review!)
    expect(await kit.ended(view.id)).toMatchObject({ state: 'pushed', url: null, forge: null })
    expect(await kit.remoteTip()).toBe(commit)
  })

  test('a forge without a token gets the branch, and a person gets the link', async () => {
    await kit.merged('bl-a')
    kit.forge.repository = { ...repository, hasToken: false }
    const { view } = await kit.ask()
    kit.judge(view.review!)
    expect(await kit.ended(view.id)).toMatchObject({
      state: 'pushed',
      url: `https://git.test/a/b/compare/main...${workBranch}`,
      detail: expect.stringContaining('no token for git.test'),
    })
  })

  test.each(['unauthorized', 'forbidden', 'not-found', 'refused', 'bad-answer'] as const)(
    'a forge that answers %s ends it, with its sentence and the link',
    async (kind) => {
      await kit.merged('bl-a')
      kit.forge.before = () => {
        throw new ForgeError(kind, 'the token may not write here')
      }
      const { view } = await kit.ask()
      kit.judge(view.review!)
      expect(await kit.ended(view.id)).toMatchObject({
        state: 'failed',
        url: expect.stringContaining('/compare/'),
        detail: expect.stringContaining('the token may not write here'),
      })
      expect(kit.forge.asked).toHaveLength(1)
    },
  )
})

describe('an impossible request gets a sentence, and starts nothing:', () => {
  const refused = async () => {
    const answer = await kit.api.ask(projectId, {})
    if (!(answer instanceof Problem)) throw new Error('it was not refused')
    expect(kit.reviews()).toEqual([])
    return answer
  }

  test('a work branch without changes', async () => {
    expect(await refused()).toMatchObject({ status: 422, message: expect.stringContaining('nothing to open') })
  })

  test('a project that is paused', async () => {
    await kit.merged('bl-a')
    kit.store.updateProject(projectId, { paused: true })
    expect(await refused()).toMatchObject({ status: 409, message: expect.stringContaining('beadloom resume sample') })
  })

  test('a project that is broken', async () => {
    await kit.merged('bl-a')
    kit.store.updateProject(projectId, {
      problem: { kind: 'configuration', text: 'beadloom.json: unknown key "tset"' },
    })
    expect(await refused()).toMatchObject({
      status: 409,
      code: 'project_broken',
      message: expect.stringContaining('tset'),
    })
  })

  test('no work branch', async () => {
    const { settings } = kit.store.project(projectId)!
    const other = { ...(JSON.parse(settings!) as object), workBranch: 'beadloom/other' }
    kit.store.updateProject(projectId, { settings: JSON.stringify(other) })
    expect(await refused()).toMatchObject({ status: 422, code: 'no_branch' })
  })
})

test('pull requests are listed newest first, page by page', async () => {
  await kit.merged('bl-a')
  const ids: string[] = []
  for (let i = 0; i < 3; i++) {
    const { view } = await kit.ask()
    if (i === 0) kit.judge(view.review!)
    await kit.ended(view.id)
    ids.unshift(view.id)
  }
  const first = await kit.api.list(projectId, { limit: 2 })
  if (first instanceof Problem) throw new Error(first.message)
  const second = await kit.api.list(projectId, { limit: 2, cursor: first.next! })
  if (second instanceof Problem) throw new Error(second.message)
  expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids)
  expect(second.next).toBeUndefined()
  expect(await kit.api.list(projectId, { limit: 2, cursor: 'x' })).toMatchObject({ status: 400 })
})
