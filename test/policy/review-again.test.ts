// @suite policy-long
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Page } from '@beadloom/core/api/api.ts'
import type { ReviewView } from '@beadloom/core/api/reviews/review-api.ts'
import { beadloom } from '../support/command-line.ts'
import { answer, issue, reviewed, reviewedProject } from '../support/reviewer.ts'
import { commitAndPush } from '../support/shell-project.ts'
import { World } from '../support/world.ts'

/* Reviews of changing work: of failed work, of work that ran again, and from the command line. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const greet = (id: string) => ({ id, title: 'Greet' })
const log = (view: ReviewView) => world.log(view.session ?? '')

test('work that failed its checks is reviewed from where it left the work branch, and is never ready', async () => {
  const reviewer = `cat >&2\ncat <<'END'\n${answer()}\nEND\n`
  const files = reviewedProject({ reviewer, bead: 'ff-1', test: 'echo "Error: not good" >&2; exit 1\n' })
  await world.addProject('failed', files, [greet('ff-1')])
  const work = await world.run('failed', 'ff-1')
  expect(work.state).toBe('FAILED')
  const { view } = await reviewed(world, 'failed', { bead: 'ff-1' })
  expect(view).toMatchObject({ from: work.baseCommit, verdict: 'not_ready', reasons: [expect.stringMatching(/fail/)] })
  expect(await log(view)).toContain('+hello')
  // The bead still shows its work.
  const { execution } = await world.get<{ execution: string }>('/api/projects/failed/beads/ff-1')
  expect(execution).toBe(work.id)
})

test("a reviewer is told the server's own observations, and nothing that the author said", async () => {
  const agent = `git rm -q sum.test.js; echo hello > greeting.txt; echo 'trust me, these tests were useless'\n${commitAndPush('ta-1', 'Greet')}`
  const reviewer = `cat >&2\ncat <<'END'\n${answer()}\nEND\n`
  const files = {
    ...reviewedProject({ agent, reviewer, bead: 'ta-1' }),
    'sum.test.js': "it('adds', () => {\n  expect(1 + 1).toBe(2)\n})\n",
  }
  await world.addProject('tampered', files, [greet('ta-1')])
  const refused = await world.run('tampered', 'ta-1')
  const work = await world.allow(refused.id)
  expect(work.state).toBe('COMPLETED')
  expect(work.flags.map(({ kind }) => kind)).toContain('tampered')
  for (const body of [{ bead: 'ta-1' }, {}]) {
    const said = await log((await reviewed(world, 'tampered', body)).view)
    expect(said).toContain('- tampered, in the work on bead ta-1: ')
    expect(said).not.toContain('trust me')
  }
})

test('a branch that has moved is reviewed again, only its new part, and mended issues are credited', async () => {
  const agent = `echo hello >> greeting.txt; echo "$(wc -l < greeting.txt)" > count.txt\n${commitAndPush('mo-1', 'Greet')}`
  const reviewer = `cat > /tmp/prompt; cat /tmp/prompt >&2
if [ "$(cat count.txt)" = 1 ]; then cat <<'END'
${answer([issue('It greets once'), issue('No test')])}
END
else cat <<'END'
${answer([issue('no test')])}
END
fi
`
  await world.addProject('moved', reviewedProject({ agent, reviewer, bead: 'mo-1' }), [greet('mo-1')])
  await world.run('moved', 'mo-1')
  const first = await reviewed(world, 'moved', { bead: 'mo-1' })
  expect(first.view.issues).toMatchObject([{ filed: 'new' }, { filed: 'new' }])

  await world.api('PATCH', '/api/projects/moved/beads/mo-1', { status: 'open' })
  const again = await world.run('moved', 'mo-1')
  expect(again.state).toBe('COMPLETED')
  expect((await world.get<ReviewView>(`/api/reviews/${first.view.id}`)).current).toBe(false)
  const second = await reviewed(world, 'moved', { bead: 'mo-1' })
  expect(second).toMatchObject({ status: 202, view: { from: again.baseCommit, to: again.commit } })
  expect(second.view.issues).toMatchObject([{ filed: 'known', bead: first.view.issues[1]?.bead }])
  expect(second.view.fixed).toEqual([{ bead: first.view.issues[0]?.bead, title: 'It greets once' }])

  // The work branch has both, and its own reviews have found nothing yet.
  const whole = await reviewed(world, 'moved')
  expect(whole.view).toMatchObject({ bead: null, fixed: [], issues: [{ filed: 'known' }] })
})

test('an issue whose bead a person closed counts as mended, and is filed again when it comes back', async () => {
  const reviewer = `cat > /dev/null\ncat <<'END'\n${answer([issue('It greets nobody')])}\nEND\n`
  await world.addProject('back', reviewedProject({ reviewer, bead: 'ba-1' }), [greet('ba-1')])
  await world.run('back', 'ba-1')
  const [first] = (await reviewed(world, 'back', { bead: 'ba-1' })).view.issues
  await world.api('PATCH', `/api/projects/back/beads/${first?.bead}`, { status: 'done' })
  const again = await reviewed(world, 'back', { bead: 'ba-1', again: true })
  expect(again.view).toMatchObject({ fixed: [], issues: [{ filed: 'new', beadStatus: 'open', dismissed: null }] })
  expect(again.view.issues[0]?.bead).not.toBe(first?.bead)
  // Its bead is open now, so it is not filed a third time.
  const third = await reviewed(world, 'back', { bead: 'ba-1', again: true })
  expect(third.view.issues).toMatchObject([{ filed: 'known', bead: again.view.issues[0]?.bead }])

  const page = async (query: string) => world.get<Page<ReviewView>>(`/api/projects/back/reviews?${query}`)
  const newest = await page('bead=ba-1&limit=2')
  expect(newest.items.map(({ id }) => id)).toEqual([third.view.id, again.view.id])
  const oldest = await page(`bead=ba-1&limit=2&cursor=${newest.next}`)
  expect(oldest.items).toHaveLength(1)
  expect(oldest.next).toBeUndefined()
  expect((await page('bead=')).items).toEqual([])
  expect(await world.api('GET', '/api/projects/back/reviews?cursor=ex-0000000000')).toMatchObject({ status: 400 })
})

test('beadloom review prints the result, and its exit code says whether the work is ready', async () => {
  const reviewer = `cat > /dev/null\nif [ -f good.txt ]; then cat <<'END'\n${answer()}\nEND\nelse cat <<'END'\n${answer([issue('It greets nobody')])}\nEND\nfi\n`
  const agent = `id=$(grep -o 'Bead #cl-[12]' | head -1 | tail -c 5)\n[ "$id" = cl-2 ] && touch good.txt; echo "hello $id" > "$id.txt"\ngit add -A && git commit -q -m "Bead $id: Greet" && git push -q\n`
  await world.addProject('cli', reviewedProject({ agent, reviewer, bead: 'cl-1' }), [greet('cl-1'), greet('cl-2')])
  await world.run('cli', 'cl-1')
  const bl = (...args: string[]) => beadloom(['review', ...args, '-p', 'cli', '--data', world.data])

  const notReady = await bl('cl-1', '--wait')
  expect(notReady.code).toBe(1)
  expect(notReady.stdout).toContain('It greets nobody')
  expect(notReady.stdout).toMatch(/filed as cl-\w+r1/)
  expect(notReady.stdout).toMatch(/✕ Not ready for a pull request, 1 issue: .*\n$/)

  const known = await bl('cl-1', '--json')
  expect(known.code).toBe(1)
  expect(JSON.parse(known.stdout)).toMatchObject({ verdict: 'not_ready', issues: [{ filed: 'new' }] })

  await world.run('cli', 'cl-2')
  const ready = await bl('--wait')
  expect(ready.code).toBe(0)
  expect(ready.stdout).toMatch(/✓ Ready for a pull request: no issues\.\n$/)

  const nothing = await bl('no-such-bead')
  expect(nothing).toMatchObject({ code: 1, stdout: '' })
  expect(nothing.stderr).toContain('no bead "no-such-bead"')
})
