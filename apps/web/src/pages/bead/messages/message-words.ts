import type { MeView } from '@beadloom/core/api/people/people-api.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { wallClockText } from '../../../ui/text/time-text.ts'

type Me = Pick<MeView, 'name' | 'by' | 'people'>

/** Who said it. Where nobody signs in but with the access token, its holder is the person at the page. */
export function speakerText(by: string, me: Me | undefined): string {
  if (by === '') return me?.by === 'token' && !me.people ? 'You' : 'Somebody with the access token'
  return me !== undefined && me.by !== 'token' && me.name === by ? 'You' : shown(by)
}

/** Whether an agent has it, in words. */
export function messageStateText({
  state,
  when,
  to,
  delivered,
}: Pick<Message, 'state' | 'when' | 'to' | 'delivered'>): string {
  // A session's id ends with its number. Another one reads it if that has ended before.
  const agentOf = (session: string) => `the agent of session ${session.slice(session.lastIndexOf('.') + 1)}`
  switch (state) {
    case 'waiting':
      if (when === 'turn') return 'waiting: for the end of its turn'
      return to === undefined ? 'waiting: its agent reads it with its next step' : `waiting: for ${agentOf(to)}`
    case 'delivered': {
      const agent = to === undefined ? 'its agent' : agentOf(delivered?.session ?? to)
      return delivered === undefined ? `read by ${agent}` : `read by ${agent}, ${wallClockText(delivered.at)}`
    }
    case 'refused':
      return 'not read: it ended before'
  }
}

const MOST_CHARACTERS = 600
const MOST_LINES = 6

/** Whether a text is shown in short at first. */
export const isLong = (text: string): boolean => text.length > MOST_CHARACTERS || text.split('\n').length > MOST_LINES
