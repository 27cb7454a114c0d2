import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseExecutionId, parseProjectId, parsePullRequestId } from '../records/ids.ts'
import {
  isLivePullRequest,
  LONGEST_AWAY_MS,
  MOST_REVIEWS,
  movePullRequest,
  pullRequestStep,
  type PullRequest,
  type PullRequestFacts,
  type PullRequestMove,
} from './pull-request.ts'

const commitOf = (number: number) => String(number).padStart(40, '0')
const reviewOf = (number: number) => parseExecutionId(`ex-${String(number).padStart(10, '0')}`)
const row: PullRequest = {
  id: parsePullRequestId('pr-0000000001'),
  project: parseProjectId('demo'),
  state: 'reviewing',
  branch: 'beadloom/work',
  base: 'main',
  from: 'f'.repeat(40),
  commit: commitOf(1),
  title: 'bl-1: Greet',
  ownTitle: false,
  review: reviewOf(1),
  reviews: 1,
  pushed: null,
  forge: null,
  url: null,
  number: null,
  away: null,
  cancelRequestedAt: null,
  detail: '',
  askedAt: 0,
  endedAt: null,
}
const ready: NonNullable<PullRequestFacts['review']> = {
  state: 'COMPLETED',
  detail: 'Ready.',
  verdict: 'ready',
  commit: commitOf(1),
}
const facts = (over: Partial<PullRequestFacts> = {}): PullRequestFacts => ({
  now: 0,
  tip: commitOf(1),
  sameWork: true,
  review: ready,
  ...over,
})
const moved = (from: PullRequest, move: PullRequestMove, at = 0): PullRequest => {
  const next = movePullRequest(from, move, at)
  if ('refused' in next) throw new Error(next.refused)
  return next
}
const endOf = (from: PullRequest, given: PullRequestFacts) => {
  const step = pullRequestStep(from, given)
  return step.do === 'move' ? moved(from, step.move) : step
}

describe('the next step', () => {
  test('is the review; then ready, pushed, opened', () => {
    expect(pullRequestStep(row, facts({ review: { ...ready, state: 'RUNNING' } }))).toEqual({ do: 'wait_for_review' })
    const opening = moved(row, { type: 'ready' })
    expect(pullRequestStep(row, facts())).toEqual({ do: 'move', move: { type: 'ready' } })
    expect(pullRequestStep(opening, facts())).toEqual({ do: 'push', commit: commitOf(1) })
    const pushed = moved(opening, { type: 'pushed', commit: commitOf(1) })
    expect(pullRequestStep(pushed, facts())).toEqual({ do: 'open', commit: commitOf(1) })
  })

  test.each(['not_ready', 'unparseable'] as const)('after a review that ends %s is to open nothing', (verdict) => {
    expect(endOf(row, facts({ review: { ...ready, verdict, detail: 'Not ready: a bug' } }))).toMatchObject({
      state: 'not_ready',
      detail: expect.stringMatching(/^Not ready: a bug\. Nothing was opened\./),
    })
  })

  test.each(['FAILED', 'TIMEOUT', 'BLOCKED', 'CANCELLED'] as const)('ignores a review that ends %s', (state) => {
    expect(endOf(row, facts({ review: { ...ready, state, verdict: 'ready', detail: 'Why.' } }))).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('Why. Ask again.'),
    })
  })

  test(`a branch that moves is reviewed again, ${MOST_REVIEWS} times in all, also when it moved after the push`, () => {
    const later = facts({ tip: commitOf(2), sameWork: false })
    const pushed = moved(moved(row, { type: 'ready' }), { type: 'pushed', commit: commitOf(1) })
    for (const one of [row, pushed]) expect(pullRequestStep(one, later)).toEqual({ do: 'review' })
    const again = moved(pushed, { type: 'reviewed_again', review: reviewOf(2), from: row.from, commit: commitOf(2) })
    expect(again).toMatchObject({ state: 'reviewing', reviews: 2, pushed: null, commit: commitOf(2) })
    const worn = { ...row, reviews: MOST_REVIEWS }
    expect(endOf(worn, later)).toMatchObject({ state: 'failed', detail: expect.stringContaining('beadloom pause') })
    expect(
      movePullRequest(worn, { type: 'reviewed_again', review: reviewOf(4), from: '', commit: commitOf(2) }, 0),
    ).toHaveProperty('refused')
  })

  test('needs no other review after beads alone were written, and offers the newest commit', () => {
    const pushed = moved(moved(row, { type: 'ready' }), { type: 'pushed', commit: commitOf(1) })
    const withBeads = facts({ tip: commitOf(2), sameWork: true })
    const carried = endOf(pushed, withBeads) as PullRequest
    expect(carried).toMatchObject({ commit: commitOf(2), review: row.review, reviews: 1, pushed: null })
    expect(pullRequestStep(carried, withBeads)).toEqual({ do: 'push', commit: commitOf(2) })
    expect(endOf(row, facts({ ...withBeads, review: { ...ready, verdict: 'not_ready' } }))).toMatchObject({
      state: 'not_ready',
    })
  })

  test('asks a forge that is away later each time, as late as it says, and for a day', () => {
    let one = moved(moved(row, { type: 'ready' }), { type: 'pushed', commit: commitOf(1) })
    const pauses: number[] = []
    let now = 1000
    while (pauses.length < 12) {
      one = moved(one, { type: 'away', why: '503', retryAt: null }, now)
      const step = pullRequestStep(one, facts({ now }))
      if (step.do !== 'wait') throw new Error(step.do)
      pauses.push((step.until - now) / 1000)
      now = step.until
      expect(pullRequestStep(one, facts({ now }))).toEqual({ do: 'open', commit: commitOf(1) })
    }
    expect(pauses).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600])
    const told = moved(one, { type: 'away', why: 'limit', retryAt: now + 3_600_000 }, now)
    expect(told.away?.nextAt).toBe(now + 3_600_000)
    const forever = moved(one, { type: 'away', why: 'limit', retryAt: Number.MAX_SAFE_INTEGER }, now)
    expect(forever.away?.nextAt).toBe(1000 + LONGEST_AWAY_MS)
    expect(endOf(one, facts({ now: 1000 + LONGEST_AWAY_MS }))).toMatchObject({
      state: 'failed',
      detail: expect.stringContaining('503'),
    })
  })

  test('is a cancel before everything else, and not after the end', () => {
    const asked = moved({ ...row, state: 'opening', pushed: row.commit }, { type: 'cancel' }, 7)
    expect(endOf(asked, facts())).toMatchObject({ state: 'failed', detail: expect.stringContaining('Cancelled') })
    const open = moved(asked, { type: 'opened', forge: 'f', url: 'u', number: 1, title: 't', existed: false })
    expect(open.state).toBe('open')
    expect(movePullRequest(open, { type: 'cancel' }, 8)).toHaveProperty('refused')
  })

  test('before the push can be neither open nor left to a person', () => {
    const opening = moved(row, { type: 'ready' })
    const end = { type: 'opened', forge: 'f', url: 'u', number: 1, title: 't', existed: false } as const
    expect(movePullRequest(opening, end, 0)).toHaveProperty('refused')
    expect(movePullRequest(opening, { type: 'left', forge: null, url: null, detail: '' }, 0)).toHaveProperty('refused')
    expect(movePullRequest(opening, { type: 'pushed', commit: commitOf(2) }, 0)).toHaveProperty('refused')
  })
})

/** In a play, commit 703 is work 7 after beads were written three times. */
const workOf = (commit: string): number => Math.floor(Number(commit) / 100)

/** Events between two steps of a wish, and the world's answer to the next step. */
const happening = fc.record({
  tipMoves: fc.constantFrom('no', 'no', 'beads', 'work'),
  review: fc.constantFrom('live', 'ready', 'not_ready', 'unparseable', 'failed', 'cancelled', 'gone'),
  answer: fc.constantFrom('yes', 'away', 'moved', 'no'),
  cancel: fc.integer({ min: 0, max: 19 }).map((one) => one === 0),
  passMs: fc.integer({ min: 0, max: 4 * 3_600_000 }),
})
type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

class Play {
  row: PullRequest = { ...row, commit: commitOf(100) }
  now = 0
  /** The branch's work, and the number of times that beads were written to it. */
  work = 1
  beads = 0
  /** The verdicts of reviews; they never change. */
  readonly verdicts = new Map<string, 'ready' | 'not_ready' | 'unparseable' | 'failed' | 'cancelled' | 'gone'>()
  readonly commits = new Map<string, string>([[row.review, commitOf(100)]])
  readonly published: string[] = []

  step({ tipMoves, review, answer, cancel, passMs }: Happening): void {
    this.now += passMs
    if (tipMoves === 'beads') this.beads += 1
    if (tipMoves === 'work') this.work += 1
    if (review !== 'live' && !this.verdicts.has(this.row.review)) this.verdicts.set(this.row.review, review)
    if (cancel) this.#move({ type: 'cancel' })
    const step = pullRequestStep(this.row, this.#facts())
    if (step.do === 'review') {
      const id = reviewOf(this.commits.size + 1)
      this.commits.set(id, this.#tip)
      this.#move({ type: 'reviewed_again', review: id, from: row.from, commit: this.#tip })
    }
    if (step.do === 'move') this.#move(step.move)
    if (step.do === 'push' || step.do === 'open') {
      this.#mustBeReady(step.commit)
      if (step.do === 'push') this.#push(step.commit, answer)
      else this.#open(step.commit, answer)
    }
  }

  #push(commit: string, answer: Happening['answer']): void {
    if (answer === 'away') return this.#move({ type: 'away', why: 'x', retryAt: null })
    if (answer === 'no') return this.#move({ type: 'failed', detail: 'x' })
    if (answer === 'moved') {
      this.work += 1
      return
    }
    this.published.push(commit)
    this.#move({ type: 'pushed', commit })
  }

  #open(commit: string, answer: Happening['answer']): void {
    expect(this.published).toContain(commit)
    if (answer === 'away') return this.#move({ type: 'away', why: 'x', retryAt: null })
    if (answer === 'no') return this.#move({ type: 'failed', detail: 'x' })
    this.#move({ type: 'opened', forge: 'f', url: 'u', number: 1, title: 't', existed: false })
  }

  #mustBeReady(commit: string): void {
    const { review, cancelRequestedAt } = this.row
    expect({
      cancelRequestedAt,
      work: workOf(this.commits.get(review) ?? ''),
      said: this.verdicts.get(review),
    }).toEqual({ cancelRequestedAt: null, work: workOf(commit), said: 'ready' })
    expect(commit).toBe(this.#tip)
  }

  get #tip(): string {
    return commitOf(this.work * 100 + this.beads)
  }

  #move(move: PullRequestMove): void {
    this.row = moved(this.row, move, this.now)
  }

  #facts(): PullRequestFacts {
    const said = this.verdicts.get(this.row.review)
    const states = { failed: 'FAILED', cancelled: 'CANCELLED' } as const
    const state =
      said === undefined ? 'RUNNING' : said === 'failed' || said === 'cancelled' ? states[said] : 'COMPLETED'
    const verdict = said === 'ready' || said === 'not_ready' || said === 'unparseable' ? said : null
    const commit = this.commits.get(this.row.review) ?? ''
    return {
      now: this.now,
      tip: this.#tip,
      sameWork: workOf(commit) === this.work,
      review: said === 'gone' ? null : { state, detail: 'Why.', verdict, commit },
    }
  }
}

test('nothing is pushed or opened without a ready review of that very commit, whatever happens', () => {
  fc.assert(
    fc.property(fc.array(happening, { minLength: 1, maxLength: 40 }), (course) => {
      const play = new Play()
      for (const one of course) if (isLivePullRequest(play.row.state)) play.step(one)
      const { state, commit, pushed, reviews } = play.row
      expect(reviews).toBeLessThanOrEqual(MOST_REVIEWS)
      expect(isLivePullRequest(state)).toBe(play.row.endedAt === null)
      if (state === 'open') expect([pushed, play.published.at(-1)]).toEqual([commit, commit])
    }),
    { numRuns: 2000 },
  )
})

test('a course in which everything is answered ends open', () => {
  const play = new Play()
  const good = { tipMoves: 'no', review: 'ready', answer: 'yes', cancel: false, passMs: 1 } as const
  for (let steps = 0; isLivePullRequest(play.row.state) && steps < 5; steps++) play.step(good)
  expect(play.row).toMatchObject({ state: 'open', number: 1, url: 'u' })
})
