import type { MeView } from '@beadloom/core/api/people/people-api.ts'
import type { Message, MessageState } from '@beadloom/core/records/message.ts'
import { useQuery } from '@tanstack/react-query'
import { Check, Clock, X, type LucideIcon } from 'lucide-react'
import { useLayoutEffect, useRef, useState } from 'react'
import css from './message-list.module.css'
import { messageStateText } from '@beadloom/core/views/message-state.ts'
import { isLong, speakerText } from './message-words.ts'
import { getMe } from '../../../api/me.ts'
import tones from '../../../components/bead/tones.module.css'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { exactText, sinceText, wallClockText } from '../../../ui/text/time-text.ts'

/** Pixels between two messages. */
const GAP = 8

/** Oldest first, scrolled to the newest: to its end, or to its beginning if there is no room for all of it. */
export function MessageList({ messages }: { messages: readonly Message[] }) {
  const { data: me } = useQuery({ queryKey: ['me'], queryFn: ({ signal }) => getMe(signal), staleTime: Infinity })
  const scroller = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const count = messages.length
  useLayoutEffect(() => {
    const newest = list.current?.lastElementChild
    if (scroller.current && newest instanceof HTMLElement) scroller.current.scrollTop = newest.offsetTop - GAP
  }, [count])
  return (
    <div ref={scroller} className={css['list']} tabIndex={0} role="group" aria-label="Messages to its agent">
      <ul ref={list}>
        {messages.map((message) => (
          <Item key={message.id} message={message} me={me} />
        ))}
      </ul>
    </div>
  )
}

const looks: Record<MessageState, { Icon: LucideIcon; tone: string }> = {
  waiting: { Icon: Clock, tone: 'queued' },
  delivered: { Icon: Check, tone: 'completed' },
  refused: { Icon: X, tone: 'failed' },
}

function Item({ message, me }: { message: Message; me: MeView | undefined }) {
  const now = useServerNow()
  const [whole, setWhole] = useState(false)
  const { by, text, at, state, delivered } = message
  const { Icon, tone } = looks[state]
  const long = isLong(text)
  return (
    <li>
      <p className={css['head']}>
        <strong>{speakerText(by, me)}</strong>
        <time className="live-number" title={exactText(at)}>
          {sinceText(now - at)}
        </time>
        <span className={`${css['state']} ${tones[tone]}`} title={delivered && exactText(delivered.at)}>
          <Icon size={14} strokeWidth={1.75} aria-hidden />
          {messageStateText(message, wallClockText)}
        </span>
      </p>
      <p className={`${css['text']} ${long && !whole ? css['short'] : ''}`}>{shown(text)}</p>
      {long && (
        <Button look="quiet" className={css['more']} aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </li>
  )
}
