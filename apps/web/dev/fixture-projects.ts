import { bead, execution, now, project, slots, waits, type FixtureProject } from './fixture-data.ts'
import { chosenAndPriced, failedThrice, flakyAndPending, priced, retrying, unsaved } from './fixture-ends.ts'
import type { ProjectView } from '@beadloom/core/api/projects/project-api.ts'

/* Projects with beads in every state, made up, for looking at the dashboard without a server, Docker or a model. */

const MINUTE = 60_000

/** The project that most stories use: one bead for each state and end. */
export function demo(): FixtureProject {
  const p = 'wordcraft'
  const beads = [
    bead(p, {
      id: 'wc-1a4',
      title: 'Add retry with backoff to the uploader',
      priority: 1,
      status: 'in_progress',
      parent: 'wc-e01',
    }),
    bead(p, { id: 'wc-9fe', title: 'Parse dates with a time zone offset', status: 'in_progress', type: 'bug' }),
    bead(p, { id: 'wc-77c', title: 'Write the man page', status: 'in_progress', priority: 3 }),
    bead(p, {
      id: 'wc-b02',
      title: 'Count grapheme clusters, not code units, so that a family emoji is one character',
      priority: 0,
      reason: slots,
    }),
    bead(p, {
      id: 'wc-b03',
      title: 'Speed up the tokeniser',
      reason: { code: 'behind_others', text: 'behind wc-b02' },
    }),
    bead(p, { id: 'wc-c11', title: 'Choose the licence of the word list', status: 'blocked' }),
    bead(p, {
      id: 'wc-d20',
      title: 'Support right-to-left text \u202egnp.exe in table cells',
      status: 'in_progress',
      type: 'bug',
    }),
    bead(p, {
      id: 'wc-d22',
      title: 'Sort the index by the locale',
      status: 'in_progress',
      labels: ['failed'],
      failed: true,
      parent: 'wc-e01',
    }),
    bead(p, { id: 'wc-d21', title: 'Make the build reproducible', status: 'timeout', priority: 3 }),
    bead(p, {
      id: 'wc-e01',
      title:
        'Release 2.0 once everything below is done, with notes, a migration guide, the benchmarks of both versions side by side and a very long title that must not break anything on the board',
      reason: waits('wc-1a4', 'wc-9fe'),
      type: 'epic',
    }),
    bead(p, { id: 'wc-e02', title: 'Document the retry options', reason: waits('wc-1a4') }),
    bead(p, { id: 'wc-e03', title: '<img src=x onerror=alert(1)> in a title stays text', ready: true }),
    bead(p, {
      id: 'wc-f10',
      title: 'Tests failing: Support right-to-left text',
      type: 'bug',
      reason: { code: 'manual', text: 'ready to run' },
      ready: true,
      labels: ['beadloom'],
      baseBranch: 'beads-wc-d20-support-right-to-left-text',
      followUpOf: 'wc-d20',
    }),
    bead(p, {
      id: 'wc-r10',
      title: 'Blocked: Choose the licence of the word list',
      labels: ['beadloom', 'needs-human'],
      reason: { code: 'needs_human', text: 'waiting for your answer on wc-c11', beads: ['wc-c11'] },
      reminderOf: 'wc-c11',
      followUpOf: 'wc-c11',
    }),
    bead(p, {
      id: 'wc-r11',
      title: 'Timed out: Set up continuous integration',
      labels: ['beadloom', 'needs-human'],
      reason: { code: 'needs_human', text: 'needs you: read what it asks for, then run it' },
      followUpOf: 'wc-f02',
    }),
    bead(p, { id: 'wc-f01', title: 'Split words at soft hyphens', status: 'done', updatedAt: now - MINUTE }),
    bead(p, { id: 'wc-f02', title: 'Set up continuous integration', status: 'done', updatedAt: now - 90 * MINUTE }),
  ]
  const view: Partial<ProjectView> = {
    warnings: ['issues.jsonl line 14 is not JSON and was left as it is'],
    tokens: {
      today: { ...priced, input: 1_412_000, costMicros: 3_840_000 },
      perDay: 2_000_000,
      asks: false,
      currency: 'USD',
    },
  }
  return project(p, view, beads, [
    execution(p, 'wc-1a4', 'RUNNING', chosenAndPriced),
    execution(p, 'wc-9fe', 'RUNNING', {
      startedAt: now - 40_000,
      activity: 'editing src/date.ts',
      tokens: { input: 2100, output: 340 },
    }),
    execution(p, 'wc-77c', 'RUNNING', { startedAt: now - 8_000, tokens: { input: 0, output: 0 }, ...retrying }),
    execution(p, 'wc-b02', 'QUEUED'),
    execution(p, 'wc-b03', 'QUEUED'),
    execution(p, 'wc-c11', 'BLOCKED', {
      blockedReason: 'Two word lists have different licences (CC-BY and GPL). Which one may be shipped?',
      detail: 'The agent needs an answer before it can continue. Answer in the bead, then run it again.',
      followUps: [
        { bead: 'wc-r10', kind: 'blocked', title: 'Blocked: Choose the licence of the word list', status: 'open' },
      ],
    }),
    execution(p, 'wc-d20', 'COMPLETED', { queuedAt: now - 200 * MINUTE, ...flakyAndPending, waits: null }),
    execution(p, 'wc-d20', 'FAILED', failedThrice),
    execution(p, 'wc-d21', 'TIMEOUT', {
      ...unsaved,
      reason: 'silence',
      detail: 'No output for 10 minutes; the limit of silence is 10 minutes.',
    }),
    execution(p, 'wc-f01', 'COMPLETED', flakyAndPending),
    execution(p, 'wc-f02', 'TIMEOUT', {
      queuedAt: now - 40 * 60 * MINUTE,
      reason: 'silence',
      detail: 'No output for 10 minutes; the limit of silence is 10 minutes.',
      followUps: [
        { bead: 'wc-r11', kind: 'timeout', title: 'Timed out: Set up continuous integration', status: 'open' },
      ],
    }),
  ])
}

/** A project in which nothing is to be done. */
export const blank = (): FixtureProject =>
  project(
    'blank',
    {
      autopilot: false,
      test: null,
      problemKind: 'other',
      problem: 'No model is configured: set OPENAI_API_KEY and start the server again.',
    },
    [],
    [],
  )

/** A tracker of the size that real projects reach. */
export function big(): FixtureProject {
  const words =
    'sync merge parser graph cache lock daemon export import label filter cycle orphan index prune hook'.split(' ')
  const beads = Array.from({ length: 2404 }, (_, n) => {
    const status = n % 9 < 6 ? 'done' : n % 23 === 7 ? 'blocked' : 'open'
    const ready = status === 'open' && n % 4 === 0
    return bead('big-tracker', {
      id: `bd-${(n * 7919 + 4242).toString(36)}`,
      title: `${words[n % 16]} ${words[(n * 5 + 3) % 16]}: make the ${words[(n * 11 + 1) % 16]} survive a ${words[(n * 3) % 16]} while it is open`,
      status,
      priority: n % 5,
      type: n % 7 === 0 ? 'bug' : 'task',
      ready,
      reason:
        status === 'open'
          ? ready
            ? { code: 'manual', text: 'ready to run' }
            : waits(`bd-${(n * 31 + 7).toString(36)}`)
          : null,
      updatedAt: now - n * 17 * MINUTE,
      createdAt: now - n * 60 * MINUTE,
    })
  })
  return project('big-tracker', { autopilot: false, model: 'gpt-5', modelNote: null }, beads, [])
}
