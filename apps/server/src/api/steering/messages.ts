import type { SayMessage } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { nameOrNobody, type Person } from '../../http/access/person.ts'
import { Problem } from '../../ports/problem.ts'
import type { Once } from '../../ports/once.ts'
import type { MessageStore, PlacedMessage } from '../../ports/store/messages.ts'
import type { Store } from '../../ports/store.ts'
import { noExecution } from '../../app/stored/refusals.ts'

export type MessageDeps = {
  store: Pick<Store, 'execution' | 'resumeExecution'> & Pick<MessageStore, 'addMessage' | 'messages'>
  scheduler: { nudge(): void }
  holdNews: { tell(): void }
  executions: { stopTurn(id: ExecutionId, how: { only: 'front' | 'workers' | SessionId; by: string }): Promise<void> }
}

/**
 * Stores it; its agent gets it with its next request to a model, or after its turn. Resumes a turn that was stopped, and
 * answers a question.
 */
export function say(
  { store, scheduler, holdNews, executions }: MessageDeps,
  execution: ExecutionId,
  { text, when = 'step', to, answers }: SayMessage,
  { person, once }: { person: Person; once: Once },
): Message | Problem {
  const addressed = store.execution(execution)
  if (!addressed) return noExecution(execution)
  const known =
    once.before === null ? undefined : store.messages(execution).find(({ id }) => String(id) === once.before)
  if (known) return viewOf(known)
  const { paused } = addressed
  if (answers !== undefined && (paused?.question === undefined || paused.since !== answers))
    return new Problem(409, 'other_question', `${addressed.bead} does not ask that any more: send it as a message`)
  const by = nameOrNobody(person)
  // After a question, the next turn is the one that the message is for.
  const resumes = paused?.question !== undefined || (paused?.forWord && when !== 'turn')
  const said = once.make(
    () => {
      const message = store.addMessage({ execution, by, text, when, to })
      // In the same transaction: a crash between the two would leave it answered, and waiting.
      if (resumes && !('refused' in message)) store.resumeExecution(execution, by)
      return message
    },
    (result) => ('refused' in result ? null : String(result.id)),
  )
  if ('refused' in said) return new Problem(409, said.code, said.refused)
  if (resumes) {
    scheduler.nudge()
    holdNews.tell()
  } else if (when === 'now')
    void executions.stopTurn(execution, { only: to === 'all' ? 'workers' : (said.to ?? 'front'), by })
  return said
}

/** Everything that people have said to its agents, oldest first. */
export const messagesOf = ({ store }: MessageDeps, execution: ExecutionId): { items: Message[] } | Problem =>
  store.execution(execution) ? { items: store.messages(execution).map(viewOf) } : noExecution(execution)

/** Where the gateway adds it is of no interest. */
const viewOf = (placed: PlacedMessage): Message => {
  const { place: _, ...message } = placed
  return message
}
