import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseCheckView, PhaseSessionView, PhaseTreeView, PhaseView } from '@beadloom/core/api/plans/phase-api.ts'
import type { PlanView } from '@beadloom/core/api/plans/plan-api.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import { sampleStep } from '@beadloom/core/testing/sample-views.ts'
import { now } from './fixture-data.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

/* The course of a plan of four phases: the first went well, the second was rejected once. */

const SECOND = 1000

type Doing = {
  role: PhaseSessionView['role']
  subtask?: string
  attempt?: number
  at: number
  took: number | null
  outcome?: Session['outcome']
}

/** Sessions in seconds from the beginning of the execution; `took` null: still at work. */
function ranBy(
  run: ExecutionView,
  plan: PlanView,
  done: readonly Doing[][],
  ends: readonly Partial<PhaseView>[],
): PhaseView[] {
  const start = run.startedAt ?? now
  run.sessions = []
  let round = 0
  return plan.phases.map((ids, place): PhaseView => {
    const doings = done[place] ?? []
    const number = place + 1
    let last = ''
    const sessions = doings.map(
      ({ role, subtask: of = '', attempt = 1, at, took, outcome = 'success' }): PhaseSessionView => {
        const tree = `${attempt} ${role === 'fix' ? 'fix' : ''}`
        if (role === 'fix' || (role === 'subtask' && tree !== last)) round += 1
        if (role === 'fix' || role === 'subtask') last = tree
        const id = `${run.id}.${run.sessions.length + 1}` as SessionId
        run.sessions.push({
          id,
          execution: run.id,
          number: run.sessions.length + 1,
          kind: role === 'check' ? 'verify' : 'work',
          attempt: round,
          state: took === null ? 'running' : 'ended',
          outcome: took === null ? null : outcome,
          exitCode: took === null ? null : outcome === 'success' ? 0 : 1,
          detail: outcome === 'failed' ? `The ${role === 'check' ? 'command' : 'agent'} ended with code 1.` : '',
          container: null,
          model: role === 'check' ? null : role === 'review' ? 'gpt-5' : 'gpt-5-mini',
          tokens: role === 'check' ? { input: 0, output: 0 } : { input: 9_000 + at * 23, output: 800 + at },
          logLines: 240,
          logBytes: 12_000,
          startedAt: start + at * SECOND,
          endedAt: took === null ? null : start + (at + took) * SECOND,
        })
        return { id, role, subtask: of, phaseAttempt: attempt }
      },
    )
    const attempt = Math.max(0, ...sessions.map(({ phaseAttempt }) => phaseAttempt))
    const begun = doings.length > 0
    const sessionOf = (id: SessionId) => run.sessions.find((one) => one.id === id)
    return {
      number,
      status: begun ? 'running' : 'pending',
      activity: null,
      attempt,
      prePhaseCommit: begun ? `${number}f2a9c1d04` : null,
      commit: null,
      from: null,
      startedAt: begun ? start + Math.min(...doings.map(({ at }) => at)) * SECOND : null,
      endedAt: null,
      trees: [],
      review: null,
      sessions,
      summary: '',
      ...ends[place],
      subtasks: ids.map((id) => {
        const { title = '', type = 'test' } = plan.subtasks.find((one) => one.id === id) ?? {}
        const own = sessions.findLast((one) => one.subtask === id && one.phaseAttempt === attempt)
        const session = own && sessionOf(own.id)
        const failed = session?.outcome === 'failed'
        return {
          id,
          title,
          type,
          status: !session ? 'pending' : failed ? 'failed' : session.outcome === null ? 'running' : 'completed',
          attempt: own ? attempt : 0,
          session: own?.id ?? null,
          startedAt: session?.startedAt ?? null,
          endedAt: session?.endedAt ?? null,
          error: failed ? session.detail : null,
        }
      }),
    }
  })
}

const check = (
  session: string,
  collected: number,
  failing: number,
  added: number | null,
  given: Partial<PhaseCheckView> = {},
): PhaseCheckView => ({
  name: 'test',
  passed: true,
  summary:
    failing > 0
      ? `fails before it is implemented, as it should: ${counted(failing, 'test')} failed`
      : `${collected} tests passed`,
  session: session as SessionId,
  tests: { collected, passing: collected - failing, failing, added },
  ...given,
})
const tree = (attempt: number, checks: PhaseCheckView[], given: Partial<PhaseTreeView> = {}): PhaseTreeView => ({
  attempt,
  phaseAttempt: 1,
  kind: 'subtasks',
  commit: `${attempt}c0ffee1`,
  passed: checks.every(({ passed }) => passed),
  checks,
  review: { approved: true, text: 'Small, and it does what the plan says.' },
  ...given,
})
const rejected = {
  approved: false,
  text: 'Two words that differ only in an accent are kept apart.\n\n#### high: Accents are not folded\nsrc/search/index.ts:41\n\n`Intl.Collator` is made for each comparison, and its options are those of the **locale**, not `base`.',
}
const done = (number: number, seconds: number, start: number, given: Partial<PhaseView> = {}): Partial<PhaseView> => ({
  status: 'completed',
  commit: `${number + 1}f2a9c1d04`,
  endedAt: start + seconds * SECOND,
  review: { approved: true, text: 'Small, and it does what the plan says.' },
  summary: `## Phase ${number} Summary\n\n**Completed subtasks:**\n- [test] Write tests of the search index\n\n**Restoration references:**\n- Full diff: \`git diff ${number}f2a9c1..${number + 1}f2a9c1\``,
  ...given,
})

const first: Doing[] = [
  { role: 'subtask', subtask: '1a', at: 0, took: 118 },
  { role: 'subtask', subtask: '1b', at: 4, took: 74 },
  { role: 'check', at: 123, took: 21, outcome: 'failed' },
  { role: 'review', at: 146, took: 33 },
]
const second: Doing[] = [
  { role: 'subtask', subtask: '2a', at: 184, took: 140 },
  { role: 'subtask', subtask: '2b', at: 187, took: 96 },
  { role: 'check', at: 328, took: 24, outcome: 'failed' },
  { role: 'fix', at: 354, took: 48 },
  { role: 'check', at: 404, took: 22 },
  { role: 'review', at: 428, took: 41 },
  { role: 'subtask', subtask: '2a', attempt: 2, at: 474, took: 121 },
  { role: 'subtask', subtask: '2b', attempt: 2, at: 476, took: 80 },
  { role: 'check', attempt: 2, at: 599, took: 23 },
  { role: 'review', attempt: 2, at: 624, took: 36 },
]
const third: Doing[] = [
  { role: 'subtask', subtask: '3b', at: 668, took: 92 },
  { role: 'subtask', subtask: '3a', at: 665, took: null },
]

export function phasesFor(
  run: ExecutionView,
  plan: PlanView,
  how: 'running' | 'paused' | 'failed' | 'done',
): PhaseView[] {
  const start = run.startedAt ?? now
  const rest: Doing[][] =
    how === 'paused'
      ? []
      : how === 'running'
        ? [third]
        : how === 'failed'
          ? [
              [
                { role: 'subtask', subtask: '3a', at: 665, took: 61, outcome: 'failed' },
                { role: 'subtask', subtask: '3b', at: 668, took: 92 },
              ],
            ]
          : [
              [
                ...third.slice(0, 1),
                { role: 'subtask', subtask: '3a', at: 665, took: 150 },
                { role: 'check', at: 818, took: 25 },
                { role: 'review', at: 845, took: 30 },
              ],
              [
                { role: 'subtask', subtask: '4', at: 880, took: 64 },
                { role: 'check', at: 946, took: 24 },
                { role: 'review', at: 972, took: 28 },
              ],
            ]
  const endOfThird: Record<typeof how, Partial<PhaseView>> = {
    running: { activity: 'subtasks' },
    paused: {},
    failed: { status: 'failed' },
    done: done(3, 877, start),
  }
  const phases = ranBy(
    run,
    plan,
    [first, second, ...rest],
    [done(1, 181, start), done(2, 661, start), endOfThird[how], how === 'done' ? done(4, 1001, start) : {}],
  )
  const id = (number: number) => `${run.id}.${number}`
  const [one, two, three, four] = phases
  if (one)
    one.trees = [
      tree(1, [
        check(id(3), 214, 9, null),
        check(id(3), 0, 0, null, { name: 'lint', summary: 'no problems', tests: null }),
      ]),
    ]
  if (two)
    two.trees = [
      tree(2, [check(id(7), 214, 2, 0, { passed: false, summary: '2 tests failed' })], { review: null }),
      tree(3, [check(id(9), 214, 0, 0)], { kind: 'fix', review: rejected }),
      tree(4, [check(id(13), 218, 0, 4)], { phaseAttempt: 2 }),
    ]
  if (three && how === 'done') three.trees = [tree(5, [check(id(17), 231, 0, 13)])]
  if (three && how === 'failed') three.trees = [tree(5, [], { commit: null, passed: null, review: null })]
  if (four && how === 'done') four.trees = [tree(6, [check(id(20), 231, 0, 0)])]
  run.verifications = phases.flatMap(({ trees }) =>
    trees.flatMap(({ attempt, commit, checks }) =>
      checks.map(({ tests, ...one }, place) =>
        sampleStep({ ...one, attempt, step: place + 1, commit: commit ?? '', exitCode: tests?.failing ? 1 : 0 }),
      ),
    ),
  )
  return phases
}
