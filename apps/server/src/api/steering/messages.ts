import type { SayMessage } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ExecutionId } from '@beadloom/core/records/ids.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { nameOrNobody, type Person } from '../../http/access/person.ts'
import { Problem } from '../../ports/problem.ts'
import type { Once } from '../../ports/once.ts'
import type { MessageStore, PlacedMessage } from '../../ports/store/messages.ts'
import type { Store } from '../../ports/store.ts'
import { noExecution } from '../../app/stored/refusals.ts'

export type MessageDeps = { store: Pick<Store, 'execution'> & Pick<MessageStore, 'addMessage' | 'messages'> }

/** Stores it; its agent gets it with its next request to a model, or after its turn. */
export function say(
  { store }: MessageDeps,
  execution: ExecutionId,
  { text, when = 'step' }: SayMessage,
  { person, once }: { person: Person; once: Once },
): Message | Problem {
  if (!store.execution(execution)) return noExecution(execution)
  const known =
    once.before === null ? undefined : store.messages(execution).find(({ id }) => String(id) === once.before)
  if (known) return viewOf(known)
  const said = once.make(
    () => store.addMessage({ execution, by: nameOrNobody(person), text, when }),
    (result) => ('refused' in result ? null : String(result.id)),
  )
  return 'refused' in said ? new Problem(409, 'not_now', said.refused) : said
}

/** Everything that people have said to its agents, oldest first. */
export const messagesOf = ({ store }: MessageDeps, execution: ExecutionId): { items: Message[] } | Problem =>
  store.execution(execution) ? { items: store.messages(execution).map(viewOf) } : noExecution(execution)

/** Where the gateway adds it is of no interest. */
const viewOf = (placed: PlacedMessage): Message => {
  const { place: _, ...message } = placed
  return message
}
