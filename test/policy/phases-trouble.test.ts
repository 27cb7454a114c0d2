// @suite policy-long
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { saveRefOf } from '@beadloom/server/src/execution/save-ref.ts'
import { git } from '../support/repository.ts'
import { author, blog, blogProject, ready, runBlog, type Blog } from '../support/blog.ts'
import { planText } from '../support/planned.ts'
import { World } from '../support/world.ts'

/* Checks, reviews and subtasks of a phase fail; each failure goes to somebody. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const phased = (project: string, bead: string, given?: Blog) => runBlog(world, project, bead, given)

const subjects = (folder: string, range: string) => git(folder, 'log', '--format=%s', range).split('\n')

test('a phase whose checks fail goes to a session that mends it, on the tree that failed', async () => {
  const broken = author
    .replace('echo users > users.txt', 'echo users > user.txt')
    .replace("printf 'test -f", "printf 'echo SAID BY THE TEST; test -f")
  const mends = `${broken}\ngrep -q 'What Failed' /tmp/prompt && { sed 's/^/LOG /' .beadloom/execution/phase-2/check-*.log >&2; sed 's/^/STATE /' .beadloom/execution/execution-state.json >&2; mv user.txt users.txt; }\ntrue\n`
  const { remote, ended } = await phased('mended', 'me-1', { author: mends })
  expect(ended.state).toBe('COMPLETED')
  expect(git(remote, 'ls-tree', '--name-only', 'beadloom/work')).not.toContain('user.txt')
  expect(subjects(remote, `${ended.baseCommit}..${ended.branch}`)).toHaveLength(3)
  expect(ended.verifications.filter(({ passed }) => !passed).length).toBeGreaterThan(0)
  const logs = await Promise.all((await world.execution(ended.id)).sessions.map(({ id }) => world.log(id)))
  const told = logs.find((log) => log.includes('What Failed')) ?? ''
  expect(told).toMatch(
    /The full output of the failed checks, the newest first: \.beadloom\/execution\/phase-2\/check-\d+\.log/,
  )
  expect(told).toMatch(/LOG .*SAID BY THE TEST/)
  const state = JSON.parse([...told.matchAll(/STATE (.*)/g)].map(([, line]) => line).join('\n')) as object
  expect(state).toMatchObject({
    execution: ended.id,
    phases: [
      {
        status: 'completed',
        attempt: 1,
        subtasks: [{ id: '1', status: 'completed' }],
        review: { approved: true, text: 'Fine.' },
      },
      {
        status: 'running',
        attempt: 1,
        subtasks: [{ id: '2a', title: 'Users', status: 'completed', attempt: 1 }, { id: '2b' }],
        review: null,
      },
      { status: 'pending', attempt: 0, commit: null, subtasks: [{ id: '3', status: 'pending' }] },
    ],
  })
})

test('agents of subtasks, and one that mends, are told the note, the network and what fails on the base', async () => {
  const broken = author.replace('echo users > users.txt', 'echo users > user.txt')
  const mends = `${broken}\ngrep -q 'What Failed' /tmp/prompt && mv user.txt users.txt\ntrue\n`
  const config = {
    verify: [
      { type: 'test', command: 'sh test.sh' },
      { type: 'lint', command: 'echo "Error: it never passed"; exit 3' },
    ],
    verification: { proveBase: true },
  }
  const { ended } = await phased('around', 'ar-1', { author: mends, config, note: 'Mind the gap.' })
  expect(ended.state).toBe('COMPLETED')
  const { sessions } = await world.execution(ended.id)
  const logs = await Promise.all(sessions.filter(({ kind }) => kind === 'work').map(({ id }) => world.log(id)))
  const assigned = logs.filter((log) => log.includes('Your Assignment (Restated'))
  expect(assigned).toHaveLength(4 + 1)
  for (const log of assigned) {
    expect(log).toContain('Mind the gap.')
    expect(log).toContain('This fails on the commit that you start from')
    expect(log).toContain('your tests count as passed.\n')
    expect(log).toMatch(/^Network: /m)
  }
})

test('a review that says no repeats its phase from its start, with the whole feedback; the rejected work is saved on a ref only', async () => {
  const no = JSON.stringify({
    issues: [
      {
        title: 'Users are not sorted',
        description: 'They have to be.',
        priority: 1,
        type: 'bug',
        severity: 'high',
        file_path: 'users.txt',
        line_numbers: [1],
      },
    ],
    summary: 'Not yet.',
    pr_ready: false,
  })
  const untidy = author.replace(
    'echo users > users.txt',
    'echo users > users.txt; grep -q Retry /tmp/prompt || touch junk.txt',
  )
  const strict = `cat > /tmp/prompt
if grep -q junk.txt /tmp/prompt; then cat <<'END'
${no}
END
else cat <<'END'
${ready}
END
fi
`
  const { remote, ended } = await phased('again', 'ag-1', { author: untidy, reviewer: strict })
  expect(ended.state).toBe('COMPLETED')
  expect(git(remote, 'ls-tree', '--name-only', 'beadloom/work')).not.toContain('junk.txt')
  expect(subjects(remote, `${ended.baseCommit}..${ended.branch}`)).toHaveLength(3)
  const hub = join(world.data, 'hub', 'again.git')
  const refs = git(hub, 'for-each-ref', '--format=%(refname)', `refs/beadloom/${ended.id}/phase-2/attempt-1`).split(
    '\n',
  )
  expect(git(hub, 'ls-tree', '--name-only', refs[0]!)).toContain('junk.txt')
  const { items } = await world.get<{ items: PhaseView[] }>(`/api/executions/${ended.id}/phases`)
  expect(items[1]).toMatchObject({
    status: 'completed',
    attempt: 2,
    review: { approved: true },
    subtasks: [{ attempt: 2 }, { attempt: 2 }],
    trees: [
      { phaseAttempt: 1, review: { approved: false, text: expect.stringContaining('They have to be.') } },
      { phaseAttempt: 2, review: { approved: true } },
    ],
  })
  const logs = await Promise.all((await world.execution(ended.id)).sessions.map(({ id }) => world.log(id)))
  const told = logs.find((log) => log.includes('## Retry Attempt 2')) ?? ''
  expect(told).toContain('The previous approach failed. A different strategy is needed.')
  expect(told).toContain('They have to be.')
  expect(told.indexOf('- Users are not sorted (users.txt)')).toBeGreaterThan(told.indexOf('They have to be.'))
  expect(told.indexOf('Restated for Attention')).toBeGreaterThan(told.indexOf('- Users are not sorted'))
  expect(ended.flags.some(({ kind }) => kind === 'tampered')).toBe(false)
})

test('a review that says no twice ends the execution; approved phases stay, and the next one continues after them', async () => {
  const harsh = `cat > /tmp/prompt
if grep -q 'Phase 2 of 3' /tmp/prompt && ! test -e lenient; then echo '{"issues":[],"summary":"No.","pr_ready":false}'; else cat <<'END'
${ready}
END
fi
`
  const { remote, ended } = await phased('halted', 'hl-1', { reviewer: harsh })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'phase_review_failed' })
  expect(ended.detail).toMatch(/^The review of phase 2 said no twice: No\./)
  const hub = join(world.data, 'hub', 'halted.git')
  expect(subjects(hub, `${ended.baseCommit}..${ended.branch}`)).toEqual(['Phase 1: Test users and posts'])
  // A person makes the reviewer lenient, on the base branch.
  const clone = world.newFolder('lenient')
  git(clone, 'clone', '--quiet', remote, '.')
  git(clone, 'commit', '--quiet', '--allow-empty', '-m', 'empty')
  git(clone, 'rm', '--quiet', 'README.md')
  git(clone, 'commit', '--quiet', '-m', 'lenient')
  git(clone, 'config', 'core.hooksPath', '/dev/null')
  writeFileSync(join(clone, 'lenient'), '')
  git(clone, 'add', 'lenient')
  git(clone, 'commit', '--quiet', '-m', 'be lenient')
  git(clone, 'push', '--quiet', 'origin', 'main')
  const second = await world.run('halted', 'hl-1')
  expect(second.state).toBe('COMPLETED')
  const begun = (await world.events(second.id)).filter(({ type }) => type === 'phase_started')
  expect(begun.map(({ data }) => (data as { phase: number }).phase)).toEqual([2, 3])
})

test('subtasks that fail end the execution, and each is reported with its number and name', async () => {
  const failing = author
    .replace('Users) ', 'Users) exit 4; ')
    .replace('Posts) test ! -e users.txt; echo posts > posts.txt', 'Posts) exit 3')
  const { ended } = await phased('failing', 'fa-1', { author: failing })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'subtask_failed' })
  expect(ended.detail).toMatch(
    /^Subtask 2[ab] "[^]*Not done: subtask 2a "Users" \(2 of 4\), subtask 2b "Posts" \(3 of 4\)\./,
  )
  // The first phase is approved: nothing of it is unsaved.
  const first = ended.sessions.find(({ kind }) => kind === 'work')!
  expect(ended.detail).not.toContain(saveRefOf(first.id))
  const failed = (await world.events(ended.id)).flatMap(({ type, data }) => (type === 'subtask_failed' ? [data] : []))
  expect(failed).toHaveLength(2)
  expect(failed).toContainEqual(expect.objectContaining({ subtask: '2a', number: 2, phase: 2, title: 'Users' }))
  expect(failed).toContainEqual(expect.objectContaining({ subtask: '2b', number: 3, phase: 2, title: 'Posts' }))
  const { items } = await world.get<{ items: BeadView[] }>('/api/projects/failing/beads')
  const { id: other = '' } = items.find(({ id }) => id !== 'fa-1') ?? {}
  const followUp = await world.get<BeadView>(`/api/projects/failing/beads/${other}`)
  expect(followUp.description).toMatch(/Not done: `subtask 2a[^]*Not done: `subtask 2b/)
})

test('a phase that changes nothing ends the execution, and reports no leftovers', async () => {
  const idle = author.replace('Page) cat users.txt posts.txt > page.txt', 'Page) true')
  const { ended } = await phased('idle', 'id-1', { author: idle })
  expect(ended).toMatchObject({ state: 'FAILED', reason: 'phase_unchanged' })
  expect(ended.detail).toMatch(/^Phase 3 changed nothing, /)
  expect(ended.detail).not.toContain('unsaved')
})

test("a blocked subtask is named beside its agent's words", async () => {
  const blocked = author.replace(
    'Posts) test ! -e users.txt; echo posts > posts.txt',
    'Posts) echo "BLOCKED: which posts?"',
  )
  const { ended } = await phased('blocked', 'bk-1', { author: blocked })
  expect(ended).toMatchObject({ state: 'BLOCKED', blockedReason: 'which posts?' })
  expect(ended.detail).toMatch(/^Subtask 2b "Posts" \(3 of 4\): The agent stopped/)
  const failed = (await world.events(ended.id)).find(({ type }) => type === 'subtask_failed')
  expect(failed?.data).toMatchObject({ subtask: '2b', why: expect.stringContaining('which posts?') })
})

test('a question of one subtask also names the other unfinished one', async () => {
  const both = author
    .replace('Users) ', 'Users) sleep 1; exit 4; ')
    .replace('Posts) test ! -e users.txt; echo posts > posts.txt', 'Posts) echo "BLOCKED: which posts?"')
  const { ended } = await phased('both', 'bo-1', { author: both, config: { retry: { retryCount: 2 } } })
  expect(ended).toMatchObject({ state: 'BLOCKED', blockedReason: 'which posts?' })
  expect(ended.detail).toMatch(
    /^Subtask 2b [^]*Not done: subtask 2a "Users" \(2 of 4\), subtask 2b "Posts" \(3 of 4\)\./,
  )
})

test('the kind of failure decides about a retry, not the names of subtasks', async () => {
  const failing = author.replace('Users) ', 'Users) exit 4; ')
  const retry = { retryCount: 1, retryDelay: 0, retryOn: ['users'] }
  const { ended } = await phased('named', 'na-1', { author: failing, config: { retry } })
  expect(ended).toMatchObject({ state: 'FAILED', retryAttempt: 0 })
})

test('if subtasks fail together, the one that would be retried alone is retried', async () => {
  // The first subtask in the plan, and the first to end, is not named by `retryOn`.
  const failing = author
    .replace('Users) ', 'Users) exit 4; ')
    .replace('Posts) test ! -e users.txt; echo posts > posts.txt', 'Posts) sleep 1; exit 3')
  const retry = { retryCount: 1, retryDelay: 0, retryOn: ['exit code 3'] }
  const { ended } = await phased('either', 'ei-1', { author: failing, config: { retry } })
  expect(ended).toMatchObject({ state: 'FAILED', retryAttempt: 1 })
})

test('no retry is announced if another subtask ended in a way that no retry repeats: that is the end', async () => {
  const asks =
    'until git ls-remote --exit-code origin refs/heads/go >/dev/null; do sleep 0.2; done; echo "BLOCKED: who?"'
  const failing = author
    .replace('Users) ', `Users) kill -9 $(cut -d' ' -f4 /proc/$PPID/stat); sleep 60; `)
    .replace('Posts) test ! -e users.txt; echo posts > posts.txt', `Posts) ${asks}`)
  await world.addProject('final', blogProject({ author: failing }), [{ id: 'fi-1', title: 'A blog' }])
  await world.api('PUT', '/api/projects/final/beads/fi-1/plan', JSON.parse(planText(blog)))
  const { id } = await world.queue('final', 'fi-1', { retryCount: 2, retryDelay: 0 })
  await world.until(async () =>
    (await world.execution(id)).sessions.some(({ kind, outcome }) => kind === 'work' && outcome === 'infra_error'),
  )
  const { baseCommit } = await world.execution(id)
  git(join(world.data, 'hub', 'final.git'), 'update-ref', 'refs/heads/go', baseCommit ?? '')
  const ended = await world.ended(id)
  expect(ended).toMatchObject({ state: 'BLOCKED', retryAttempt: 0, blockedReason: 'who?' })
  expect(ended.detail).toMatch(
    /^Subtask 2b [^]*Not done: subtask 2a "Users" \(2 of 4\), subtask 2b "Posts" \(3 of 4\)\./,
  )
  expect((await world.events(id)).map(({ type }) => type)).not.toContain('retry')
})

test('the questions of two subtasks are shown together, each with the name of its subtask', async () => {
  const both = author
    .replace('Users) ', 'Users) echo "BLOCKED: which users?"; exit; ')
    .replace('Posts) test ! -e users.txt; echo posts > posts.txt', 'Posts) echo "BLOCKED: which posts?"')
  const { ended } = await phased('asking', 'as-1', { author: both })
  expect(ended).toMatchObject({
    state: 'BLOCKED',
    blockedReason: 'Subtask 2a "Users" (2 of 4): which users? Subtask 2b "Posts" (3 of 4): which posts?',
  })
  expect(ended.detail).toContain(ended.blockedReason)
  expect(ended.detail).toContain('Run the bead again with the answer as a note.')
})

test('a conflict of two subtasks goes back once to the later one, with both sides', async () => {
  const both = author
    .replace('echo users > users.txt', 'echo users > users.txt; echo u > shared.txt')
    .replace(
      'test ! -e users.txt; echo posts > posts.txt',
      "if grep -q 'A Conflict To Resolve' /tmp/prompt; then eval \"$(sed -n 's/.*`\\(git fetch -q origin [^`]*\\)`.*/\\1/p' /tmp/prompt)\" >&2; echo p >> shared.txt; else echo p > shared.txt; fi; echo posts > posts.txt",
    )
  const { remote, ended } = await phased('conflict', 'co-1', { author: both })
  expect(ended.state).toBe('COMPLETED')
  expect(git(remote, 'show', 'beadloom/work:shared.txt')).toBe('u\np')
  expect(subjects(remote, `${ended.baseCommit}..${ended.branch}`)).toHaveLength(3)
  const logs = await Promise.all((await world.execution(ended.id)).sessions.map(({ id }) => world.log(id)))
  expect(logs.some((log) => log.includes('A Conflict To Resolve') && log.includes('+p'))).toBe(true)
})
