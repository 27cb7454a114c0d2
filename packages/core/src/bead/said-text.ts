import { messageForAgent, type Message } from '../records/message.ts'
import { cutText } from '../text/fenced.ts'

/** The most messages of a bead that an agent is told, and characters of all of them. */
export const MOST_TOLD = 50
const MOST_OF_ALL = 40_000
/** Characters of the sentences around the messages, and of a message's first line. */
const AROUND = 300

/** Messages of a bead, oldest first, are asked for in this number: one for all subtasks is stored once for each. */
export const MOST_STORED = 300

/**
 * The messages of people to the agents of a bead, for agents that come later, as far as they fit: the newest ones; ''
 * for none.
 *
 * @param most characters
 */
export function saidText(messages: readonly Message[], most = MOST_OF_ALL): string {
  const all = saidOnce(messages)
  if (all.length === 0) return ''
  const told = newestOf(all.slice(-MOST_TOLD), most - AROUND)
  const left = all.length - told.length
  return [
    'People have said this to the agents that worked on it before, oldest first. Their work may be on the branch already.',
    ...(left > 0 ? [`(${left} older ${left === 1 ? 'message is' : 'messages are'} left out.)`] : []),
    ...told,
    'What they ask for belongs to the task.',
  ].join('\n\n')
}

/** Without repetitions: a message to all agents is stored once for each. The last one of several is kept. */
export const saidOnce = <T extends Pick<Message, 'by' | 'text' | 'at'>>(messages: readonly T[]): T[] => {
  const last = new Map(messages.map((one, at) => [JSON.stringify([one.at, one.by, one.text]), at]))
  const kept = new Set(last.values())
  return messages.filter((_, at) => kept.has(at))
}

/** The first of messages that no agent has yet, as many as a prompt has room for: the others wait for the next call. */
export function firstToTell<T extends Message>(messages: readonly T[]): T[] {
  let length = 0
  const until = messages.findIndex((one, at) => {
    length += messageForAgent(one).length
    return at > 0 && (at >= MOST_TOLD || length > MOST_OF_ALL - AROUND)
  })
  return messages.slice(0, until === -1 ? messages.length : until)
}

/** Whole messages, so that each has its end; of the last one at least a part. */
function newestOf(messages: readonly Message[], most: number): readonly string[] {
  const last = messages.at(-1)!
  const texts = [...messages.slice(0, -1), { ...last, text: cutText(last.text, most) }].map(messageForAgent)
  let [length, from] = [0, texts.length]
  while (from > 0 && (from === texts.length || length + texts[from - 1]!.length <= most))
    length += texts[--from]!.length
  return texts.slice(from)
}
