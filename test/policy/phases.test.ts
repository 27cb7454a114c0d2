// @suite policy-long
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import { git } from '../support/repository.ts'
import { author, blog, runBlog, type Blog } from '../support/blog.ts'
import { subtask } from '../support/planned.ts'
import { World } from '../support/world.ts'

/* Work by a plan, from the request to the remote; author and reviewer are shell scripts. */
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
    // Subtasks of one phase run at the same time.
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
    const words = { description: 'A blog of two.', acceptance_criteria: 'Both are on it.', design: 'In plain text.' }
    const { ended } = await phased('told', 'to-1', { bead: words })
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
    expect(logs.filter((log) => Object.values(words).every((text) => log.includes(text)))).toHaveLength(4 + 3)
    // A reviewer is told the results as seen: tests that wait for a later phase end with 1.
    const reviewOf = (phase: number) => logs.find((log) => log.includes(`Phase ${phase} of 3: `)) ?? ''
    expect(reviewOf(1)).toMatch(/The check test \(.*\) ended with exit code 1 on this commit/)
    expect(reviewOf(2)).toMatch(/The check test \(.*\) ended with exit code 0 on this commit/)
  })
})

describe('a subtask', () => {
  test("can push nothing, and its own commits become part of the phase's commit, with a note", async () => {
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

  test("that may touch another one's file starts from the other's result, and a warning says so", async () => {
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
