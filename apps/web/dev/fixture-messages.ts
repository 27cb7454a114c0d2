import type { SayMessage } from '@beadloom/core/api/executions/execution-requests.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { SessionId } from '@beadloom/core/records/ids.ts'
import type { Message } from '@beadloom/core/records/message.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { DEFAULT_PAUSE_MS, type Pause } from '@beadloom/core/records/pause.ts'
import { now, type FixtureProject } from './fixture-data.ts'
import type { FixtureWorld } from './fixture-world.ts'

const SECOND = 1000

type Said = Pick<Message, 'text'> & Partial<Message> & { ago: number }

/** Messages in every state, by the bead. */
const said: Record<string, Said[]> = {
  'eg-said': [
    {
      text: 'Keep the old flag, too. The nightly job still uses it:\n\n  wordcraft --legacy report.txt',
      by: 'grace',
      ago: 190 * SECOND,
      state: 'delivered',
    },
    {
      text: '<img src=x onerror=alert(1)> [click me](javascript:alert(2)) \u202egnp.exe and a\u200bb\u0007',
      by: 'mal\u202eory',
      ago: 40 * SECOND,
    },
    { text: 'Then update the changelog.', ago: 12 * SECOND, when: 'turn' },
  ],
  'eg-held': [
    {
      text: `Look at how the others do it before you go on:\n\n${'- src/parsers/rows.ts, whose names are right\n'.repeat(9)}`,
      ago: 150 * SECOND,
    },
  ],
  'eg-late': [
    { text: 'Use the parser that we have.', ago: 200 * SECOND, state: 'delivered' },
    { text: 'And say so in the README.', ago: 70 * SECOND, state: 'refused' },
  ],
}

const added = new Map<string, Message[]>()

function messagesOf({ id, bead, sessions }: ExecutionView): Message[] {
  const known = added.get(id) ?? []
  const session = sessions.find(({ kind }) => kind === 'work')?.id ?? (`${id}.1` as SessionId)
  const first = (said[bead] ?? []).map(({ ago, ...given }, index): Message => ({
    id: index + 1,
    execution: id,
    by: '',
    when: 'step',
    state: 'waiting',
    at: now - ago,
    ...given,
    ...(given.state === 'delivered' && { delivered: { at: now - ago + 6 * SECOND, session, through: 'gateway' } }),
  }))
  return [...first, ...known]
}

function addMessage(run: ExecutionView, { text, when = 'step' }: SayMessage): Message {
  const { length } = messagesOf(run)
  const at = Date.now()
  const message: Message = { id: length + 1, execution: run.id, by: '', text, when, state: 'waiting', at }
  added.set(run.id, [...(added.get(run.id) ?? []), message])
  return message
}

export function handleMessages(
  world: FixtureWorld,
  { project, run }: { project: FixtureProject; run: ExecutionView },
  method: string,
  said: SayMessage,
): [status: number, value: unknown] {
  if (method === 'GET') return [200, { items: messagesOf(run) }]
  if (isTerminal(run.state))
    return [409, { error: { code: 'not_now', message: `the execution ${run.id} has ended (${run.state})` } }]
  const message = addMessage(run, said)
  world.tellExecution(project, { ...run })
  return [202, message]
}

/** A pause of a day that something waits for. */
export const pauseBy = (by: string, since: number): Pause => ({
  since,
  until: since + DEFAULT_PAUSE_MS,
  atEnd: 'stop',
  by,
  held: true,
})
