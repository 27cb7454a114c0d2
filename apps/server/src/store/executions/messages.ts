import type { MessagePlace } from '@beadloom/core/gateway/added-messages.ts'
import type { ExecutionId, SessionId } from '@beadloom/core/records/ids.ts'
import {
  MOST_MESSAGES,
  MOST_MESSAGES_A_MINUTE,
  MOST_MESSAGES_IN_ALL,
  type MessageCarrier,
  type MessageState,
  type MessageTime,
} from '@beadloom/core/records/message.ts'
import type { MessageStore, NotTaken, PlacedMessage } from '../../ports/store/messages.ts'
import type { ExecutionRow } from './execution-rows.ts'
import type { Writing } from '../database/writer.ts'

const MINUTE_MS = 60_000

type MessageRow = {
  id: number
  execution: ExecutionId
  author: string
  text: string
  counts: 'step' | 'turn'
  at_once: 0 | 1
  state: MessageState
  at: number
  delivered_at: number | null
  addressee: SessionId | null
  session: SessionId | null
  through: MessageCarrier | null
  place: string | null
}

const toMessage = ({
  author,
  counts,
  at_once,
  delivered_at,
  addressee,
  session,
  through,
  place,
  ...row
}: MessageRow): PlacedMessage => ({
  ...row,
  by: author,
  when: at_once === 1 ? 'now' : counts,
  ...(addressee !== null && { to: addressee }),
  ...(session !== null && { delivered: { at: delivered_at!, session, through: through! } }),
  place: place === null ? null : (JSON.parse(place) as MessagePlace),
})

/** An older server knows two times; the third one is a step's that was told at once. */
const columnsOf = (when: MessageTime): Pick<MessageRow, 'counts' | 'at_once'> =>
  when === 'now' ? { counts: 'step', at_once: 1 } : { counts: when, at_once: 0 }

type Row = Pick<ExecutionRow, 'project' | 'kind' | 'state' | 'ended_at' | 'cancel_requested_at'> & {
  messages_closed: number
}

/** The reason why nothing can be said to an execution in this state; null: something can. */
function refusalIn(row: Row, id: ExecutionId, when: MessageTime): NotTaken | null {
  if (row.ended_at !== null)
    return {
      code: 'ended',
      refused: `the execution ${id} has ended (${row.state}): run its bead again, with your message as a note`,
    }
  if (row.state !== 'RUNNING')
    return {
      code: 'not_started',
      refused: `the execution ${id} has not started yet: cancel it, and run its bead with your message as a note`,
    }
  if (row.cancel_requested_at !== null)
    return {
      code: 'being_stopped',
      refused: `the execution ${id} is being stopped: once it has ended, run its bead again with your message as a note`,
    }
  if (row.messages_closed === 1)
    return {
      code: 'being_merged',
      refused: `the work of ${id} has passed and is being merged: once it has ended, run its bead again with your message as a note`,
    }
  return when === 'turn' && row.kind !== 'work'
    ? {
        code: 'one_turn',
        refused: `the execution ${id} is a ${row.kind}, whose agent has one turn: say it for the next step`,
      }
    : null
}

/** Whom a message is for. */
function addressing({ db }: Pick<Writing, 'db'>) {
  const atWork = db.prepare<[string], { id: SessionId }>(
    `SELECT id FROM session WHERE execution = ? AND kind = 'work' AND state <> 'ended'
       AND id NOT IN (SELECT session FROM phase_session WHERE role = 'review') ORDER BY number`,
  )
  const messageReaders = (execution: ExecutionId) => atWork.all(execution).map(({ id }) => id)

  /** Nobody works at the moment: then a message for all is for whoever works next. */
  const addressed = (execution: ExecutionId, to: string): (SessionId | null)[] | NotTaken => {
    const working = messageReaders(execution)
    if (to === 'all') return working.length === 0 ? [null] : working
    const named = working.find((id) => id === to)
    return named === undefined
      ? {
          code: 'no_such_agent',
          refused: `no agent works in the session ${to} of ${execution}: name one that does, or say it to all`,
        }
      : [named]
  }
  return { messageReaders, addressed }
}

/** The reason why an execution takes no further message at this moment; null: it takes one. */
function bounding({ db, clock }: Pick<Writing, 'db' | 'clock'>) {
  const count = db.prepare<[number, string], { told: number; waiting: number; recent: number }>(
    `SELECT count(*) AS told, total(state = 'waiting') AS waiting, total(at > ?) AS recent FROM message
     WHERE execution = ?`,
  )
  return (id: ExecutionId): NotTaken | null => {
    const { told, waiting, recent } = count.get(clock.now() - MINUTE_MS, id)!
    if (told >= MOST_MESSAGES_IN_ALL)
      return {
        code: 'too_many_messages',
        refused: `${MOST_MESSAGES_IN_ALL} messages have been sent to ${id}, and no more are taken: once it has ended, run its bead again with your message as a note`,
      }
    if (waiting >= MOST_MESSAGES)
      return {
        code: 'too_many_messages',
        refused: `${MOST_MESSAGES} messages wait for the agent of ${id} already: send yours once it has read them`,
      }
    return recent >= MOST_MESSAGES_A_MINUTE
      ? {
          code: 'too_many_messages',
          refused: `${MOST_MESSAGES_A_MINUTE} messages were sent to ${id} within a minute: send yours in a minute, or several as one`,
        }
      : null
  }
}

/** Messages of people to agents. Each is delivered once, by a guarded statement. */
export function messageStore({ db, clock, write, changed, event }: Writing): MessageStore {
  const select = db.prepare<[string], Row>('SELECT * FROM execution WHERE id = ?')
  const all = db.prepare<[string], MessageRow>('SELECT * FROM message WHERE execution = ? ORDER BY id')
  const ofBead = db.prepare<[string, string, number], MessageRow>(
    `SELECT * FROM message WHERE execution IN (SELECT id FROM execution WHERE project = ? AND bead = ?)
     ORDER BY id DESC LIMIT ?`,
  )
  const waiting = db.prepare<[string], MessageRow>(
    "SELECT * FROM message WHERE execution = ? AND state = 'waiting' ORDER BY id",
  )
  const insert = db.prepare<
    [Pick<MessageRow, 'execution' | 'author' | 'text' | 'counts' | 'at_once' | 'addressee' | 'at'>],
    MessageRow
  >(
    `INSERT INTO message (execution, author, text, counts, at_once, addressee, state, at)
     VALUES (@execution, @author, @text, @counts, @at_once, @addressee, 'waiting', @at) RETURNING *`,
  )
  const deliver = db.prepare<
    [{ id: number; session: string; through: string; place: string | null; at: number }],
    MessageRow
  >(
    `UPDATE message SET state = 'delivered', session = @session, through = @through, place = @place, delivered_at = @at
     WHERE id = @id AND state = 'waiting' RETURNING *`,
  )
  const { messageReaders, addressed } = addressing({ db })
  const tooMany = bounding({ db, clock })
  const close = db.prepare<[number, string]>('UPDATE execution SET messages_closed = ? WHERE id = ?')

  const tell = (id: ExecutionId) => {
    const row = select.get(id)
    if (row) changed('execution', row.project, id)
  }
  const refusal = (id: ExecutionId, when: MessageTime): NotTaken | null => {
    const row = select.get(id)
    if (!row) return { code: 'not_found', refused: `there is no execution ${id}` }
    return refusalIn(row, id, when) ?? tooMany(id)
  }

  return {
    messageReaders,

    addMessage: ({ execution, by, text, when, to }) =>
      write(() => {
        const refused = refusal(execution, when)
        if (refused) return refused
        const addressees = to === undefined ? [null] : addressed(execution, to)
        if ('refused' in addressees) return addressees
        const at = clock.now()
        const [first] = addressees.map((addressee) => {
          const row = insert.get({ execution, author: by, text, ...columnsOf(when), addressee, at })!
          const said = { id: row.id, by, text, when, ...(addressee !== null && { to: addressee }) }
          event({ execution, session: null, line: null, at, type: 'message_said', data: said })
          return row
        })
        tell(execution)
        const { place: _, ...message } = toMessage(first!)
        return message
      }),

    messages: (id) => all.all(id).map(toMessage),
    messagesOfBead: (project, bead, most) => ofBead.all(project, bead, most).toReversed().map(toMessage),
    waitingMessages: (id) => waiting.all(id).map(toMessage),

    messagesDelivered: (session, through, messages) =>
      write(() => {
        const at = clock.now()
        for (const { id, place } of messages) {
          const row = deliver.get({ id, session, through, place: place && JSON.stringify(place), at })
          if (!row) continue
          const { execution } = row
          event({ execution, session, line: null, at, type: 'message_delivered', data: { id, through } })
          tell(execution)
        }
      }),

    closeMessages: (id) =>
      write(() => {
        if (waiting.all(id).length > 0) return false
        close.run(1, id)
        return true
      }),

    openMessages: (id) => write(() => void close.run(0, id)),
  }
}
