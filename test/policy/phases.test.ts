import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PhaseView } from '@beadloom/core/api/phase-api.ts'
import type { BeadView } from '@beadloom/core/api/api.ts'
import { git } from '../support/repository.ts'
import { author, blog, ready, runBlog, type Blog } from '../support/blog.ts'
import { subtask } from '../support/planned.ts'
import { World } from '../support/world.ts'

/* Work by a plan, from the request to the remote, with shell scripts as author and reviewer. */
let world: World
beforeAll(async () => {
  world = await World.start({ engine: 'process' })
})
afterAll(() => world.stop())

const phased = (project: string, bead: string, given?: Blog) => runBlog(world, project, bead, given)

const subjects = (folder: string, range: string) => git(folder, 'log', '--format=%s', range).split('\n')

describe('a bead with a plan', () => {
  test('is done phase by phase: one commit each, checked and reviewed, then verified, merged and published', async () => {
    const { remote, ended } = await phased('happy', 'ha-1')
    expect(ended).toMatchObject({ state: 'COMPLETED', planVersion: 1 })
    expect(subjects(remote, `${ended.baseCommit}..${ended.branch}`)).toEqual([
      'Phase 3: Page',
      'Phase 2: Users, Posts',
      'Phase 1: Test users and posts',
    ])
    expect(git(remote, 'log', '-1', '--format=%(trailers:key=Bead,valueonly)', ended.branch).trim()).toBe('ha-1')
    expect(git(remote, 'show', 'beadloom/work:page.txt')).toBe('users\nposts')
    expect(git(remote, 'ls-tree', '-r', '--name-only', 'beadloom/work')).not.toContain('.beadloom')
    expect((await world.get<BeadView>('/api/projects/happy/beads/ha-1')).status).toBe('done')
    const events = await world.events(ended.id)
    const told = events.flatMap(({ type, data }) => {
      const { phase, subtask: id } = data as { phase?: number; subtask?: string }
      return /^(?:phase|subtask)_/.test(type) ? [`${type} ${id ?? phase}`] : []
    })
    // Subtasks of one phase are at work at the same time.
    expect(told.filter((one) => one.includes(' 2')).toSorted()).toEqual([
      'phase_completed 2',
      'phase_started 2',
      'subtask_completed 2a',
      'subtask_completed 2b',
      'subtask_started 2a',
      'subtask_started 2b',
    ])
    expect(told.filter((one) => !/ 2[ab]/.test(one))).toEqual([
      'phase_started 1',
      'subtask_started 1',
      'subtask_completed 1',
      'phase_completed 1',
      'phase_started 2',
      'phase_completed 2',
      'phase_started 3',
      'subtask_started 3',
      'subtask_completed 3',
      'phase_completed 3',
    ])
    expect(await world.containers.of(ended.id)).toEqual([])
    const { items } = await world.get<{ items: PhaseView[] }>(`/api/executions/${ended.id}/phases`)
    expect(items).toMatchObject([
      {
        status: 'completed',
        attempt: 1,
        prePhaseCommit: ended.baseCommit,
        trees: [
          {
            kind: 'subtasks',
            phaseAttempt: 1,
            passed: true,
            checks: [{ name: 'test', passed: true, summary: expect.stringContaining('as it should'), tests: null }],
            review: { approved: true, text: 'Fine.' },
          },
        ],
        activity: null,
        subtasks: [{ id: '1', attempt: 1 }],
        sessions: [
          { role: 'subtask', subtask: '1', phaseAttempt: 1 },
          { role: 'check', subtask: '' },
          { role: 'review', subtask: '' },
        ],
        review: { approved: true, text: 'Fine.' },
        summary: expect.stringContaining('## Phase 1 Summary'),
      },
      {
        status: 'completed',
        subtasks: [
          { id: '2a', status: 'completed' },
          { id: '2b', status: 'completed' },
        ],
      },
      { status: 'completed', commit: expect.stringMatching(/^[0-9a-f]{40}$/) },
    ])
  })

  test('tells each agent what it needs: a stable beginning, summaries, its assignment last, and the plan in a file', async () => {
    const { ended } = await phased('told', 'to-1')
    const { sessions } = await world.execution(ended.id)
    const agents = sessions.filter(({ kind }) => kind === 'work')
    const logs = await Promise.all(agents.map(({ id }) => world.log(id)))
    const of = (title: string) => logs.find((log) => log.includes(`**Subtask:** ${title}`)) ?? ''
    expect(of('Users')).toContain('The full plan is at .beadloom/execution/plan.md if needed')
    expect(of('Users')).toContain('## Phase 1 Summary')
    expect(of('Users')).toContain('- Test users and posts: All of 1.')
    expect(of('Page')).toContain('## Phase 2 Summary')
    expect(of('Test users and posts')).toContain('This is phase 1 - no prior phases.')
    const [, show = ''] = /git show ([0-9a-f]{12})/.exec(of('Page')) ?? []
    expect(git(join(world.data, 'hub', 'told.git'), 'cat-file', '-t', show)).toBe('commit')
    // A reviewer is told as seen what was seen: tests that wait for a later phase end with 1.
    const reviewOf = (phase: number) => logs.find((log) => log.includes(`: Phase ${phase} of 3: `)) ?? ''
    expect(reviewOf(1)).toMatch(/The check test \(.*\) ended with exit code 1 on this commit/)
    expect(reviewOf(2)).toMatch(/The check test \(.*\) ended with exit code 0 on this commit/)
  })
})

describe('what goes wrong in a phase', () => {
  test('in its checks goes to a session that mends it, on the tree that failed', async () => {
    const broken = author.replace('echo users > users.txt', 'echo users > user.txt')
    const mends = `${broken}\ngrep -q 'What Failed' /tmp/prompt && mv user.txt users.txt\ntrue\n`
    const { remote, ended } = await phased('mended', 'me-1', { author: mends })
    expect(ended.state).toBe('COMPLETED')
    expect(git(remote, 'ls-tree', '--name-only', 'beadloom/work')).not.toContain('user.txt')
    expect(subjects(remote, `${ended.baseCommit}..${ended.branch}`)).toHaveLength(3)
    expect(ended.verifications.filter(({ passed }) => !passed).length).toBeGreaterThan(0)
  })

  test('in its review begins it again where it began, with the whole feedback; what was rejected is saved and nowhere else', async () => {
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

  test('twice in its review ends the execution; approved phases stay, and the next one continues after them', async () => {
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

  test('in a subtask ends the execution, with its name', async () => {
    const failing = author.replace('Posts) test ! -e users.txt; echo posts > posts.txt', 'Posts) exit 3')
    const { ended } = await phased('failing', 'fa-1', { author: failing })
    expect(ended).toMatchObject({ state: 'FAILED', reason: 'subtask_failed' })
    const failed = (await world.events(ended.id)).find(({ type }) => type === 'subtask_failed')
    expect(failed?.data).toMatchObject({ subtask: '2b', title: 'Posts' })
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
})

describe('a subtask', () => {
  test('can push nothing, and what it commits anyway is part of the commit of its phase, and told', async () => {
    const pushy = author.replace(
      'echo users > users.txt',
      'echo users > users.txt; git add -A; git commit -qm mine; git push -q origin HEAD:refs/heads/beads-pu-1-a-blog HEAD:refs/heads/main HEAD:refs/beadloom/x/y 1>&2 && echo PUSHED >&2; echo more > other.txt',
    )
    // The other one leaves nothing beside its commit.
    const tidy = pushy.replace('echo posts > posts.txt', 'echo posts > posts.txt; git add -A; git commit -qm tidy')
    const { remote, ended } = await phased('pushes', 'pu-1', { author: tidy })
    expect(ended.state).toBe('COMPLETED')
    const logs = await Promise.all((await world.execution(ended.id)).sessions.map(({ id }) => world.log(id)))
    expect(logs.join('')).toContain('Nothing is pushed here: what you leave in the workspace is your result.')
    expect(logs.join('')).not.toContain('PUSHED')
    expect(subjects(remote, `${ended.baseCommit}..${ended.branch}`)).toHaveLength(3)
    const warnings = (await world.events(ended.id)).flatMap(({ type, data }) =>
      type === 'warning' ? [String((data as { text: string }).text)] : [],
    )
    expect(warnings.join('\n')).toContain('Subtask 2a committed although it was told not to')
    expect(warnings.join('\n')).toContain('Subtask 2b committed although it was told not to')
    expect(warnings.join('\n')).not.toContain('Subtask 1 committed')
    expect(warnings.join('\n')).toContain('Subtask 2a changed files that its plan does not name: other.txt')
  })

  test('that may touch the file of another one starts from what that one left, and a warning says so', async () => {
    const plan = [
      blog[0]!,
      subtask('2a', { title: 'Users', type: 'impl', dependsOn: ['1'], filesTouched: ['all.txt', 'users.txt'] }),
      subtask('2b', { title: 'Posts', type: 'impl', dependsOn: ['1'], filesTouched: ['all.txt', 'posts.txt'] }),
    ]
    const shared = author
      .replace('echo users > users.txt', 'echo users > users.txt; echo users > all.txt')
      .replace('test ! -e users.txt; echo posts > posts.txt', 'echo posts > posts.txt; echo posts >> all.txt')
    const { remote, ended } = await phased('overlap', 'ov-1', { plan, author: shared })
    expect(ended.state).toBe('COMPLETED')
    expect(git(remote, 'show', 'beadloom/work:all.txt')).toBe('users\nposts')
    const warnings = (await world.events(ended.id)).filter(({ type }) => type === 'warning')
    expect(JSON.stringify(warnings)).toContain('Subtask 2b waits for 2a')
  })
})
