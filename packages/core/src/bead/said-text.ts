import { messageForAgent, type Message } from '../records/message.ts'

/** The most messages of a bead that an agent is told, and characters of all of them. */
export const MOST_TOLD = 50
const MOST_OF_ALL = 40_000

/** The messages of people to the agents of a bead, for agents that come later; '' for none. */
export function saidText(messages: readonly Message[]): string {
  if (messages.length === 0) return ''
  const told = newestOf(messages.map(messageForAgent))
  const left = messages.length - told.length
  return [
    'People have said this to the agents that worked on it before, oldest first. Their work may be on the branch already.',
    ...(left > 0 ? [`(${left} older ${left === 1 ? 'message is' : 'messages are'} left out.)`] : []),
    ...told,
    'What they ask for belongs to the task.',
  ].join('\n\n')
}

/** Whole messages, because a block without its end would take in what follows; always the last one. */
function newestOf(texts: readonly string[]): readonly string[] {
  let [length, from] = [0, texts.length]
  while (from > 0 && (from === texts.length || length + texts[from - 1]!.length <= MOST_OF_ALL))
    length += texts[--from]!.length
  return texts.slice(from)
}
