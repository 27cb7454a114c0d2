import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseSessionId } from '../records/ids.ts'
import type { Verification } from '../records/verification.ts'
import { subtasksByPhase } from './plan-warnings.ts'
import { anySubtasks, subtaskOf } from './plan-kit.ts'
import {
  MOST_FIXES,
  phaseStep,
  subtasksToStart,
  type PhaseHistory,
  type PhaseSession,
  type PhaseStep,
} from './phase-step.ts'
import { overlap } from './touched-files.ts'

const START = 'a'.repeat(40)
const two = [subtaskOf('1'), subtaskOf('2', { type: 'impl', dependsOn: ['1'] })]

/** A world that takes steps and stores their results. Its scripts decide how things end. */
class Story {
  history: PhaseHistory
  readonly taken: string[] = []
  #checks: boolean[]
  #reviews: string[]

  constructor(
    subtasks = two,
    { checks = [] as boolean[], reviews = [] as string[], maxSessions = 1000, limit = 3 } = {},
  ) {
    this.#checks = checks
    this.#reviews = reviews
    const plan = subtasksByPhase({ subtasks })
    this.history = {
      plan,
      limit,
      maxSessions,
      answered: 0,
      phases: [],
      rounds: [],
      sessions: [],
      verifications: [],
      answers: [],
    }
  }

  next = (): PhaseStep => phaseStep(this.history)

  session(attempt: number, role: PhaseSession['role'], subtask = '', outcome: PhaseSession['outcome'] = 'success') {
    const id = parseSessionId(`ex-0123456789.${this.history.sessions.length + 1}`)
    const ended = { kind: 'work' as const, state: 'ended' as const, outcome, detail: '', container: 'c' }
    const row = { id, attempt, role, subtask, ...ended }
    this.history = { ...this.history, sessions: [...this.history.sessions, row] }
    return id
  }

  /** Takes steps until the end. */
  run(): PhaseStep {
    for (let steps = 0; steps < 2000; steps++) {
      const step = this.next()
      this.taken.push(wordOf(step))
      if (step.do === 'finish' || step.do === 'end' || step.do === 'end_as_session') return step
      this.take(step)
    }
    throw new Error('it never ends')
  }

  take(step: PhaseStep): void {
    const { history } = this
    const commit = `${history.rounds.length}`.padStart(40, 'c')
    if (step.do === 'begin_phase')
      this.history = { ...history, phases: [...history.phases, { number: step.phase, preCommit: START, commit: null }] }
    if (step.do === 'begin_round')
      this.history = {
        ...history,
        rounds: [
          ...history.rounds,
          {
            number: step.number,
            phase: step.phase,
            attempt: step.attempt,
            kind: step.kind,
            commit: null,
            empty: false,
            conflict: null,
          },
        ],
      }
    if (step.do === 'subtasks') for (const id of step.ids) this.session(step.round.number, 'subtask', id)
    if (step.do === 'fix') this.session(step.round.number, 'fix')
    if (step.do === 'join')
      this.history = {
        ...history,
        rounds: history.rounds.map((one) => (one.number === step.round.number ? { ...one, commit } : one)),
      }
    if (step.do === 'verify') this.#verify(step.round.number, step.commit)
    if (step.do === 'review') {
      const session = this.session(step.round.number, 'review')
      const text = this.#reviews.shift() ?? YES
      this.history = { ...this.history, answers: [...this.history.answers, { session, text }] }
    }
    if (step.do === 'approve')
      this.history = {
        ...history,
        phases: history.phases.map((one) => (one.number === step.round.phase ? { ...one, commit: step.commit } : one)),
      }
  }

  #verify(attempt: number, commit: string): void {
    const passed = this.#checks.shift() ?? true
    // A failed verification is repeated before it counts.
    const rows = (passed ? [1] : [1, 2]).map(
      (run) =>
        ({
          attempt,
          purpose: 'attempt',
          run,
          commit,
          passed,
          exitCode: passed ? 0 : 1,
          tool: 'generic',
        }) as Verification,
    )
    this.history = { ...this.history, verifications: [...this.history.verifications, ...rows] }
  }
}

const YES = '{"issues":[],"summary":"Fine.","pr_ready":true}'
const NO = '{"issues":[],"summary":"No.","pr_ready":false}'

function wordOf(step: PhaseStep): string {
  if (step.do === 'subtasks') return `subtasks ${step.ids.join(' ')}`
  if (step.do === 'begin_round') return `${step.kind} ${step.attempt}`
  return step.do === 'begin_phase' ? `phase ${step.phase}` : step.do === 'end' ? `end ${step.because}` : step.do
}

const onePhase = (phase: number, id: string) => [
  `phase ${phase}`,
  'subtasks 1',
  `subtasks ${id}`,
  'join',
  'verify',
  'review',
  'approve',
]

describe('phases', () => {
  test('follow each other, each with its subtasks, its tree, its checks and its review', () => {
    const story = new Story()
    expect(story.run()).toEqual({ do: 'finish', after: 2 })
    expect(story.taken).toEqual([...onePhase(1, '1'), ...onePhase(2, '2'), 'finish'])
  })

  test('are mended twice if checks fail, then begun again once, and then the execution fails', () => {
    const story = new Story(two, { checks: Array.from({ length: 20 }, () => false) })
    expect(story.run()).toMatchObject({ do: 'end', because: 'checks_failed' })
    const attempt = (number: number) => [
      `subtasks ${number}`,
      'subtasks 1',
      'join',
      'verify',
      ...Array.from({ length: MOST_FIXES }, () => [`fix ${number}`, 'fix', 'join', 'verify']).flat(),
    ]
    expect(story.taken).toEqual(['phase 1', ...attempt(1), ...attempt(2), 'end checks_failed'])
  })

  test('are begun again once if the review says no', () => {
    const story = new Story(two, { reviews: [NO] })
    expect(story.run()).toMatchObject({ do: 'finish' })
    expect(story.taken.slice(0, 11)).toEqual([
      ...onePhase(1, '1').slice(0, 6),
      'subtasks 2',
      'subtasks 1',
      'join',
      'verify',
      'review',
    ])
    const never = new Story(two, { reviews: [NO, NO] })
    expect(never.run()).toMatchObject({ do: 'end', because: 'review_rejected', round: { phase: 1, attempt: 2 } })
  })

  test('are reviewed once more if an answer cannot be used; prose approves nothing', () => {
    const story = new Story(two, { reviews: ['approved!', YES] })
    expect(story.run()).toMatchObject({ do: 'finish' })
    const never = new Story(two, { reviews: ['approved!', 'approved!', 'approved!', 'approved!'] })
    expect(never.run()).toMatchObject({ do: 'end', because: 'review_rejected' })
    expect(never.history.sessions.filter(({ role }) => role === 'review')).toHaveLength(4)
  })

  test.each(['failed', 'infra_error'] as const)(
    'end with a subtask that ended as %s, until its retry is decided',
    (outcome) => {
      const story = new Story()
      story.take(story.next())
      story.take(story.next())
      const bad = story.session(1, 'subtask', '1', outcome)
      expect(story.next()).toMatchObject({ do: 'end_as_session', session: bad, role: 'subtask', subtask: '1' })
      story.history = { ...story.history, answered: 1 } // the retry policy has decided
      expect(story.next()).toMatchObject({ do: 'subtasks', ids: ['1'] })
    },
  )

  test('repeat a session that never began, whatever the policy for retries says', () => {
    const story = new Story()
    story.take(story.next())
    story.take(story.next())
    story.session(1, 'subtask', '1', 'infra_error')
    story.history = { ...story.history, sessions: story.history.sessions.map((one) => ({ ...one, container: null })) }
    expect(story.next()).toMatchObject({ do: 'subtasks', ids: ['1'] })
  })

  test('start nothing beside a running subtask once another one broke', () => {
    const story = new Story([subtaskOf('a'), subtaskOf('b'), subtaskOf('c')])
    story.take(story.next())
    story.take(story.next())
    story.session(1, 'subtask', 'a', 'infra_error')
    const [round] = story.history.rounds
    expect(subtasksToStart(story.history, round!, new Set(['b']))).toEqual([])
    story.history = { ...story.history, answered: 1 }
    expect(subtasksToStart(story.history, round!, new Set(['b']))).toEqual(['a', 'c'])
  })

  test('take up a session that was in progress', () => {
    const story = new Story()
    story.take(story.next())
    story.take(story.next())
    const id = story.session(1, 'subtask', '1')
    story.history = {
      ...story.history,
      sessions: story.history.sessions.map((one) => ({ ...one, state: 'running', outcome: null })),
    }
    expect(story.next()).toMatchObject({ do: 'adopt', session: id, role: 'subtask', subtask: '1' })
  })

  test('have no more sessions than the execution may have', () => {
    const story = new Story(two, { maxSessions: 3 })
    expect(story.run()).toEqual({ do: 'end', because: 'sessions_used' })
    expect(story.history.sessions).toHaveLength(3)
  })

  test('a subtask that conflicts with others is done once more, on top of them', () => {
    const both = [subtaskOf('a'), subtaskOf('b')]
    const story = new Story(both)
    for (let steps = 0; steps < 3; steps++) story.take(story.next())
    expect(story.next()).toMatchObject({ do: 'join' })
    story.history = { ...story.history, rounds: story.history.rounds.map((one) => ({ ...one, conflict: 'a' })) }
    expect(story.next()).toMatchObject({ do: 'subtasks', ids: ['a'] })
    story.session(1, 'subtask', 'a')
    expect(story.next()).toMatchObject({ do: 'join' })
  })

  test('a round that changed nothing is mended, and then begun again', () => {
    const story = new Story()
    for (let steps = 0; steps < 3; steps++) story.take(story.next())
    story.history = { ...story.history, rounds: story.history.rounds.map((one) => ({ ...one, empty: true })) }
    expect(story.next()).toMatchObject({ do: 'begin_round', kind: 'fix', attempt: 1 })
  })

  test('any plan ends within every cap, whatever its checks and reviews say', () => {
    const luck = fc.array(fc.boolean(), { maxLength: 40 })
    const words = fc.array(fc.constantFrom(YES, NO, 'approved!'), { maxLength: 40 })
    fc.assert(
      fc.property(anySubtasks, luck, words, fc.integer({ min: 1, max: 4 }), (subtasks, checks, reviews, limit) => {
        const story = new Story(subtasks, { checks, reviews, limit })
        const byId = new Map(subtasks.map((one) => [one.id, one]))
        const end = story.run()
        const { rounds, sessions, phases } = story.history
        expect(rounds.map(({ number }) => number)).toEqual(rounds.map((_, at) => at + 1))
        for (const [at] of story.history.plan.entries()) {
          const own = rounds.filter(({ phase }) => phase === at + 1)
          expect(own.length).toBeLessThanOrEqual(2 * (1 + MOST_FIXES))
          const numbers = new Set(own.map(({ number }) => number))
          expect(
            sessions.filter(({ attempt, role }) => numbers.has(attempt) && role === 'review').length,
          ).toBeLessThanOrEqual(4 * own.length)
        }
        for (const word of story.taken.filter((one) => one.startsWith('subtasks s'))) {
          const together = word
            .split(' ')
            .slice(1)
            .map((id) => byId.get(id)!)
          expect(together.length).toBeLessThanOrEqual(limit)
          for (const [at, one] of together.entries())
            for (const other of together.slice(at + 1)) expect(overlap(one, other)).toBe(false)
        }
        if (end.do === 'finish') expect(phases.every(({ commit }) => commit !== null)).toBe(true)
      }),
    )
  })
})

describe('between two phases', () => {
  const through = (more: Partial<PhaseHistory>): PhaseStep => {
    const story = new Story()
    story.history = { ...story.history, ...more }
    for (;;) {
      const step = story.next()
      if (step.do === 'wait' || step.do === 'finish') return step
      story.take(step)
    }
  }

  test('a person decides, once for each phase, and not after the last one', () => {
    expect(through({ pauses: true })).toEqual({ do: 'wait', after: 1 })
    expect(through({ pauses: true, continuedAfter: 1 }).do).toBe('finish')
    expect(through({}).do).toBe('finish')
  })

  test('nobody is asked about a phase of an earlier execution', () => {
    const phases = [{ number: 1, preCommit: START, commit: START, from: 'ex-0000000001' }]
    expect(through({ pauses: true, phases }).do).toBe('finish')
  })
})

test('subtasks that are left out are not started, and a phase without others is skipped', () => {
  const story = new Story([...two, subtaskOf('3', { dependsOn: ['1'] })])
  story.history = { ...story.history, skipped: ['1', '3'] }
  story.take(story.next())
  expect(story.next()).toEqual({ do: 'skip_phase', phase: 1 })
  story.history = { ...story.history, phases: [{ number: 1, preCommit: START, commit: START }] }
  while (story.next().do !== 'subtasks') story.take(story.next())
  expect(story.next()).toMatchObject({ do: 'subtasks', ids: ['2'] })
})
