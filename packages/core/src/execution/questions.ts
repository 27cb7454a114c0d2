import type { Session } from '../records/session.ts'

/**
 * Sessions whose agents ended their turn with a question. `toAsk`: a person is asked. `heard`: a person has said
 * something since, or before and no agent has it yet, so they continue.
 */
export type Questions = {
  toAsk: boolean
  asked: ReadonlySet<Session['id']>
  heard: ReadonlySet<Session['id']>
}

type Ended = Pick<Session, 'id' | 'outcome'>

/** Whether a session ended with a question, and its agent continues with what a person has said. */
export const isAnswered = (questions: Questions | undefined, { id, outcome }: Ended): boolean =>
  outcome === 'blocked' && questions?.heard.has(id) === true

/** Whether a person is to be asked what the agent of this session wants to know. */
export const isToAsk = (questions: Questions | undefined, { id, outcome }: Ended): boolean =>
  outcome === 'blocked' && questions?.toAsk === true && !questions.asked.has(id)

/** The sessions whose questions a person is to be asked: none if another one ended badly in another way. */
export const toAskOf = <T extends Ended>(questions: Questions | undefined, failed: readonly T[]): T[] =>
  failed.some(({ outcome }) => outcome !== 'blocked') ? [] : failed.filter((one) => isToAsk(questions, one))
