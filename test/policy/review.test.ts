import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { git } from '../support/repository.ts'
import { answer, issue, reviewed, reviewedProject } from '../support/reviewer.ts'
import { World } from '../support/world.ts'
import { longDescribe, longTest } from '@beadloom/core/testing/long-test.ts'

/* From the request to the filed beads, on real Docker; author and reviewer are shell scripts. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const greet = (id: string) => ({ id, title: 'Greet' })
const print = (text: string) => `cat > /dev/null\ncat <<'END'\n${text}\nEND\n`
const beadOf = (project: string, id: string | null) => world.get<BeadView>(`/api/projects/${project}/beads/${id}`)

describe('a review of a bead', () => {
  test('sees the pinned diff with a fresh context, and each issue becomes a bead', async () => {
    const reviewer = `cat > /tmp/prompt; pwd >&2; git log -1 --format=%H >&2; cat /tmp/prompt >&2
cat <<'END'
${answer([issue('It greets nobody'), issue('No test', { file_path: 'README.md', line_numbers: [] })])}
END
`
    const { remote } = await world.addProject('seen', reviewedProject({ reviewer, bead: 'se-1' }), [greet('se-1')])
    const work = await world.run('seen', 'se-1', { context: 'the author alone was told this' })
    expect(work.state).toBe('COMPLETED')
    // Beadloom itself writes beads to its work branch.
    const refsOf = () => git(remote, 'for-each-ref', 'refs/heads/beads-*', 'refs/heads/main', 'refs/tags')
    const refs = refsOf()

    const { status, view } = await reviewed(world, 'seen', { bead: 'se-1' })
    expect(status).toBe(202)
    expect(view).toMatchObject({
      bead: 'se-1',
      from: work.baseCommit,
      to: work.commit,
      current: true,
      state: 'COMPLETED',
      verdict: 'not_ready',
      pr_ready: false,
      summary: 'It says hello.',
      issues: [
        { title: 'It greets nobody', outside_diff: false, filed: 'new', beadStatus: 'open' },
        { title: 'No test', outside_diff: true, filed: 'new' },
      ],
    })
    const filed = await beadOf('seen', view.issues[0]?.bead ?? null)
    expect(filed).toMatchObject({
      labels: ['beadloom', 'review'],
      dependencies: [{ id: 'se-1', type: 'discovered-from' }],
    })
    expect((await beadOf('seen', 'se-1')).status).toBe('done')

    const log = await world.log(view.session ?? '')
    expect(log).toContain('/workspace')
    expect(log).toContain(`git diff ${view.from} ${view.to}`)
    expect(log).toContain('+hello')
    expect(log).not.toContain('the author alone was told this')
    expect(refsOf()).toBe(refs)
  })

  longTest('is one review, however often it is asked for; "again" and a moved branch make another', async () => {
    const reviewer = `cat > /dev/null; sleep 1\ncat <<'END'\n${answer([issue('It greets nobody')])}\nEND\n`
    await world.addProject('once', reviewedProject({ reviewer, bead: 'on-1' }), [greet('on-1')])
    await world.run('once', 'on-1')
    const ask = (body: object) => world.api<ReviewView>('POST', '/api/projects/once/reviews', { bead: 'on-1', ...body })
    const both = await Promise.all([ask({}), ask({ again: true })])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 202])
    const [first] = both.map(({ body }) => body.id)
    expect(both[1]?.body.id).toBe(first)
    await world.ended(first!)
    expect(await ask({})).toMatchObject({ status: 200, body: { id: first, verdict: 'not_ready' } })

    const again = await reviewed(world, 'once', { bead: 'on-1', again: true })
    expect(again.view.id).not.toBe(first)
    expect(again.view.issues).toMatchObject([{ filed: 'known' }])

    const { id } = again.view
    const dismissed = await world.api<ReviewView>('POST', `/api/reviews/${id}/issues/1/dismiss`, {})
    expect(dismissed.body.issues).toMatchObject([{ beadStatus: 'done' }])
    const third = await reviewed(world, 'once', { bead: 'on-1', again: true })
    expect(third.view.issues).toMatchObject([{ filed: 'dismissed', beadStatus: 'done' }])
    expect((await world.get<{ items: ReviewView[] }>('/api/projects/once/reviews')).items).toHaveLength(3)
  })

  longTest('can push nothing and reach nothing', async () => {
    const reviewer = `cat > /dev/null
git checkout -q -b beads-pu-1-greet 2>/dev/null; echo bad >> greeting.txt; git commit -qam bad
git push -q --force origin HEAD:refs/heads/beads-pu-1-greet HEAD:refs/heads/main HEAD:refs/beadloom/x 1>&2 && echo PUSHED >&2
cat /proc/net/route | wc -l >&2
cat <<'END'
${answer()}
END
`
    await world.addProject('pushy', reviewedProject({ reviewer, bead: 'pu-1' }), [greet('pu-1')])
    const work = await world.run('pushy', 'pu-1')
    const { view } = await reviewed(world, 'pushy', { bead: 'pu-1' })
    expect(view).toMatchObject({ verdict: 'ready', to: work.commit, current: true })
    expect(await world.log(view.session ?? '')).not.toContain('PUSHED')
    // The board shows what was stored when each had ended.
    const card = await world.get<BeadView>('/api/projects/pushy/beads/pu-1')
    expect(card).toMatchObject({ review: { id: view.id, verdict: 'ready' } })
    expect(card.executions.find(({ id }) => id === work.id)?.diffSize).toEqual({ files: 1, added: 1, removed: 0 })
  })
})

longDescribe('a review of the work branch', () => {
  longTest(
    'is ready when the reviewer says so and the checks pass on the same commit, and its beads come from no bead',
    async () => {
      await world.addProject('work', reviewedProject({ reviewer: print(answer()), bead: 'wo-1' }), [greet('wo-1')])
      await world.run('work', 'wo-1')
      const { view } = await reviewed(world, 'work')
      expect(view).toMatchObject({ bead: null, branch: 'beadloom/work', verdict: 'ready', pr_ready: true, reasons: [] })
      const execution = await world.execution(view.id)
      // Its work was verified when it was merged; commits about beads since then are no work.
      expect(execution.sessions.map(({ kind }) => kind)).toEqual(['work'])
      expect((await world.get<{ items: unknown[] }>('/api/projects/work/beads?limit=100')).items).toHaveLength(1)
    },
  )

  longTest('runs the checks itself if nobody has, and a failure outweighs the reviewer', async () => {
    const files = reviewedProject({ reviewer: print(answer()), bead: 'un-1', test: 'test -f good.txt\n' })
    const { remote } = await world.addProject('unverified', files, [greet('un-1')])
    // A person has pushed to the work branch.
    const clone = world.newFolder('person')
    git(clone, 'clone', '--quiet', remote, '.')
    git(clone, 'checkout', '--quiet', '-b', 'beadloom/work')
    git(clone, 'commit', '--quiet', '--allow-empty', '-m', 'nothing')
    git(clone, 'mv', 'README.md', 'READ.md')
    git(clone, 'commit', '--quiet', '-m', 'a name')
    git(clone, 'push', '--quiet', 'origin', 'beadloom/work')
    const failed = await world.run('unverified', 'un-1')
    expect(failed.state).toBe('FAILED')
    const { view } = await reviewed(world, 'unverified')
    expect(view).toMatchObject({ verdict: 'not_ready', reasons: [expect.stringContaining('checks fail')] })
    expect((await world.execution(view.id)).verifications.length).toBeGreaterThan(0)
  })
})

longDescribe('an answer that cannot be used', () => {
  longTest('is asked for once more in a fresh session that is told why, and a good one counts', async () => {
    const reviewer = `cat > /tmp/prompt
if grep -q 'could not be used' /tmp/prompt; then cat <<'END'
${answer()}
END
else echo 'Looks good, approved. {"pr_ready": true}'; fi
`
    await world.addProject('twice', reviewedProject({ reviewer, bead: 'tw-1' }), [greet('tw-1')])
    await world.run('twice', 'tw-1')
    const { view } = await reviewed(world, 'twice', { bead: 'tw-1' })
    expect(view.verdict).toBe('ready')
    const { sessions } = await world.execution(view.id)
    expect(sessions.map(({ kind, attempt }) => [kind, attempt])).toEqual([
      ['work', 1],
      ['work', 2],
    ])
    expect(sessions[0]?.container).not.toBe(sessions[1]?.container)
  })

  longTest('twice is not approved, whatever it says', async () => {
    const reviewer = print(`${answer()}\n${answer()}`)
    await world.addProject('never', reviewedProject({ reviewer, bead: 'ne-1' }), [greet('ne-1')])
    await world.run('never', 'ne-1')
    const { view } = await reviewed(world, 'never', { bead: 'ne-1' })
    expect(view).toMatchObject({ state: 'COMPLETED', verdict: 'unparseable', pr_ready: false, issues: [] })
    expect(view.detail).toMatch(/^Not approved: .*not one JSON document/)
    // The failed review says nothing about the commit, so asking again reviews it again.
    const second = await world.api('POST', '/api/projects/never/reviews', { bead: 'ne-1' })
    expect(second.status).toBe(202)
  })
})

longDescribe('an impossible review', () => {
  test('gets a sentence that says what to do, and nothing starts', async () => {
    await world.addProject('bad', reviewedProject({ reviewer: print(answer()), bead: 'ba-1' }), [
      greet('ba-1'),
      greet('ba-2'),
    ])
    const ask = (body: object) =>
      world.api<{ error: { code: string; message: string } }>('POST', '/api/projects/bad/reviews', body)
    expect(await ask({})).toMatchObject({ status: 422, body: { error: { code: 'no_branch' } } })
    expect(await ask({ bead: 'ba-2' })).toMatchObject({
      status: 422,
      body: { error: { code: 'no_branch', message: expect.stringContaining('beadloom run ba-2') } },
    })
    expect(await ask({ bead: 'no-such' })).toMatchObject({ status: 404 })
    expect(await ask({ bead: 'beadloom-work-branch' })).toMatchObject({ status: 400 })
    expect(await ask({ beed: 'ba-1' })).toMatchObject({ status: 400 })
    expect((await world.get<{ items: unknown[] }>('/api/executions?project=bad')).items).toEqual([])
  })
})
