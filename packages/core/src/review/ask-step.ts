import { isRetried } from '../execution/next-step.ts'
import { isAnswered, toAskOf, type Questions } from '../execution/questions.ts'
import type { Session } from '../records/session.ts'
import { oneLine } from '../text/one-line.ts'

/** A first try, and one fresh session if its answer could not be used. */
export const ANSWER_ATTEMPTS = 2

const MOST_WHY = 600

export type AskHistory = {
  maxSessions: number
  /** The number of agent sessions when the last retry was decided; the retry repeats the last of these. */
  answered: number
  /** In order; only agent sessions matter here. */
  sessions: readonly Pick<Session, 'id' | 'kind' | 'attempt' | 'state' | 'outcome' | 'detail'>[]
  /** The agents' questions that are for a person; absent: a question ends the execution. */
  questions?: Questions
  /** The submitted texts, in order. */
  answers: readonly { session: Session['id']; text: string }[]
}

/** An answer of the requested form, or why it is none. */
export type Parsed<A> = { answer: A } | { wrong: string }

/**
 * A fresh session. `wrong`: why the previous session's answer could not be used. `question`: what the previous one
 * wanted to know, if a person has answered it since.
 */
export type Ask = { do: 'ask'; attempt: number; wrong: string | null; question?: Answered }

/** A session's question that a person has answered. */
export type Answered = { session: Session['id']; text: string }

export type AskStep<A> =
  | Ask
  /** A session that has begun and not ended: look for its container. */
  | { do: 'adopt'; session: Session['id']; attempt: number }
  /** It is over: with an answer, or without a usable one. */
  | { do: 'answered'; parsed: Parsed<A> }
  /** Asks a person what the agent of this session wants to know. */
  | { do: 'ask_person'; session: Session['id'] }
  /** The last session ended badly, and the execution ends in the same way. */
  | { do: 'end_as_session'; session: Session['id'] }
  | { do: 'sessions_used' }

/** The next step when an agent is asked for one document, only from facts in the store. */
export function askStep<A>(history: AskHistory, parse: (text: string) => Parsed<A>): AskStep<A> {
  const asked = history.sessions.filter(({ kind }) => kind === 'work')
  const last = asked.at(-1)
  const ask = (attempt: number, wrong: string | null, question?: Answered): AskStep<A> =>
    asked.length >= history.maxSessions
      ? { do: 'sessions_used' }
      : { do: 'ask', attempt, wrong, ...(question !== undefined && { question }) }
  if (!last) return ask(1, null)
  if (last.state !== 'ended') return { do: 'adopt', session: last.id, attempt: last.attempt }
  if (isAnswered(history.questions, last) || last.outcome === 'infra_error' || isRetried(asked, history.answered)) {
    const before = asked.findLast((one) => one.attempt < last.attempt && one.outcome === 'success')
    const parsed = before && parsedOf(history, before.id, parse)
    // A session that broke since has answered nothing.
    const asker = asked.findLast(({ outcome }) => outcome !== 'infra_error' && outcome !== 'failed')
    return ask(
      last.attempt,
      parsed && 'wrong' in parsed ? parsed.wrong : null,
      asker && isAnswered(history.questions, asker) ? { session: asker.id, text: asker.detail ?? '' } : undefined,
    )
  }
  if (last.outcome !== 'success')
    return { do: toAskOf(history.questions, [last]).length > 0 ? 'ask_person' : 'end_as_session', session: last.id }
  const parsed = parsedOf(history, last.id, parse)
  if ('answer' in parsed || last.attempt >= ANSWER_ATTEMPTS) return { do: 'answered', parsed }
  return ask(last.attempt + 1, parsed.wrong)
}

/** The answer of one session. No document is no answer, and several are none either. */
export function onlyAnswer<A>(texts: readonly string[], parse: (text: string) => Parsed<A>): Parsed<A> {
  const [only, second] = texts
  if (only === undefined) return { wrong: 'there is no answer' }
  if (second !== undefined) return { wrong: 'there is more than one answer' }
  return parse(only)
}

/** A session that ended without an answer says why in its detail. */
function parsedOf<A>(
  { answers, sessions }: AskHistory,
  session: Session['id'],
  parse: (text: string) => Parsed<A>,
): Parsed<A> {
  const texts = answers.filter((one) => one.session === session).map(({ text }) => text)
  const why = texts.length > 0 ? '' : oneLine(sessions.find(({ id }) => id === session)?.detail ?? '')
  return why === ''
    ? onlyAnswer(texts, parse)
    : { wrong: `there is no answer: ${why.slice(0, MOST_WHY).toWellFormed()}` }
}
