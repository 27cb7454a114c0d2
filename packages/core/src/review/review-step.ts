import { oneLine } from '../text/one-line.ts'
import { answerOf, type ParsedAnswer } from './review.ts'
import { isRetried } from '../execution/next-step.ts'
import type { Session } from '../execution/session.ts'

/** A first try, and one fresh session if its answer could not be used. */
export const REVIEW_ATTEMPTS = 2

const MOST_WHY = 600

export type ReviewHistory = {
  maxSessions: number
  /** How many agent sessions there were when the last retry was decided: it was of the last of these. */
  answered: number
  /** In order; only agent sessions matter here. */
  sessions: readonly Pick<Session, 'id' | 'kind' | 'attempt' | 'state' | 'outcome' | 'detail'>[]
  /** What was submitted, in order. */
  answers: readonly { session: Session['id']; text: string }[]
}

export type ReviewStep =
  /** A fresh session. `wrong`: why the answer of the one before could not be used. */
  | { do: 'ask'; attempt: number; wrong: string | null }
  /** A session that has begun and not ended: look for its container. */
  | { do: 'adopt'; session: Session['id']; attempt: number }
  | { do: 'judge'; parsed: ParsedAnswer }
  /** The last session did not end well, and the review ends in the same way. */
  | { do: 'end_as_session'; session: Session['id'] }
  | { do: 'sessions_used' }

/** What a review does next, from what the store knows and nothing else. */
export function reviewStep(history: ReviewHistory): ReviewStep {
  const asked = history.sessions.filter(({ kind }) => kind === 'work')
  const last = asked.at(-1)
  const ask = (attempt: number, wrong: string | null): ReviewStep =>
    asked.length >= history.maxSessions ? { do: 'sessions_used' } : { do: 'ask', attempt, wrong }
  if (!last) return ask(1, null)
  if (last.state !== 'ended') return { do: 'adopt', session: last.id, attempt: last.attempt }
  if (last.outcome === 'infra_error' || isRetried(asked, history.answered))
    return ask(last.attempt, wrongBefore(history, asked, last.attempt))
  if (last.outcome !== 'success') return { do: 'end_as_session', session: last.id }
  const parsed = parsedOf(history, last.id)
  if ('answer' in parsed || last.attempt >= REVIEW_ATTEMPTS) return { do: 'judge', parsed }
  return ask(last.attempt + 1, parsed.wrong)
}

/** A session that ended without an answer says why in its detail. */
function parsedOf({ answers, sessions }: ReviewHistory, session: Session['id']): ParsedAnswer {
  const texts = answers.filter((one) => one.session === session).map(({ text }) => text)
  const why = texts.length > 0 ? '' : oneLine(sessions.find(({ id }) => id === session)?.detail ?? '')
  return why === '' ? answerOf(texts) : { wrong: `there is no answer: ${why.slice(0, MOST_WHY).toWellFormed()}` }
}

function wrongBefore(history: ReviewHistory, asked: ReviewHistory['sessions'], attempt: number): string | null {
  const before = asked.findLast((one) => one.attempt < attempt && one.outcome === 'success')
  if (!before) return null
  const parsed = parsedOf(history, before.id)
  return 'wrong' in parsed ? parsed.wrong : null
}
