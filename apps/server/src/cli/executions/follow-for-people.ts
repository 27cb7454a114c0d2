import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { checkWords } from '@beadloom/core/execution/check-session.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { ApiClient } from '../api-client.ts'
import { systemClock } from '../../process/clock.ts'
import { waitNews } from './execution-notes.ts'
import { exitCode } from '../exit-code.ts'
import type { Terminal } from '../terminal/output.ts'
import { colouredText, plainText, RESET } from '../terminal/terminal-text.ts'
import { followExecution, type LogSink } from './follow-logs.ts'
import { TimedLines } from './timed-lines.ts'

export const zoneHere = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone

/** Follows to the end, printing as it goes. */
export function followForPeople(api: ApiClient, id: string, terminal: Terminal, times = false): Promise<ExecutionView> {
  const sink = times ? timedSink(api, terminal) : sinkOf(terminal)
  const again = `beadloom logs -f ${times ? '--times ' : ''}${id}`
  return untilInterrupted(terminal, id, again, () => followExecution(api, id, sink))
}

/** Ctrl-C restores the terminal and leaves the execution alone; `again` is the command that follows it again. */
export async function untilInterrupted<T>(
  terminal: Terminal,
  id: string,
  again: string,
  follow: () => Promise<T>,
): Promise<T> {
  const interrupted = (): void => {
    if (terminal.colour) terminal.write(RESET)
    terminal.note(`\n${id} continues. Follow it again: ${again}; stop it: beadloom cancel ${id}`)
    process.exit(exitCode.interrupted)
  }
  // Not `once`: one Ctrl-C arrives from the terminal and from the script that started us; the second would kill us.
  process.on('SIGINT', interrupted)
  try {
    return await follow()
  } finally {
    process.off('SIGINT', interrupted)
  }
}

export function heading(
  session: Session,
  known: Pick<ExecutionView, 'sessions' | 'verifications' | 'redGreen'>,
): string {
  const which = checkWords(session, known)
  // A session before the first attempt belongs to none.
  const attempt = session.attempt === 0 ? [] : [`attempt ${session.attempt}`]
  return `── ${[session.kind, ...attempt, ...(which === '' ? [] : [which])].join(', ')} ──\n`
}

export const cleaned = (terminal: Terminal, text: string): string =>
  terminal.colour ? colouredText(text) : plainText(text)

function sinkOf(terminal: Terminal): LogSink {
  const waits = waitNews()
  let known: Pick<ExecutionView, 'sessions' | 'verifications' | 'redGreen'> = { sessions: [], verifications: [] }
  return {
    look(view) {
      known = view
      const why = waits(view, systemClock.now())
      if (why !== null) terminal.note(`… ${why}`)
    },
    begin: (session) => void terminal.write(`${terminal.colour ? RESET : ''}${heading(session, known)}`),
    lines: (text) => terminal.write(cleaned(terminal, text)),
    end: () => void (terminal.colour && terminal.write(RESET)),
    drained: terminal.drained,
    note: terminal.note,
  }
}

/**
 * A sink that prints times. The stream has none: they are fetched before lines are printed, and until then no more
 * lines are taken.
 */
function timedSink(api: ApiClient, terminal: Terminal): LogSink {
  const plain = sinkOf(terminal)
  let lines: TimedLines | null = null
  return {
    ...plain,
    begin: (session) => {
      lines = new TimedLines(api, session.id, zoneHere())
      plain.begin(session)
    },
    lines(text, first) {
      lines?.take(cleaned(terminal, text), first)
      return false
    },
    async drained() {
      for await (const text of lines?.given() ?? []) if (!terminal.write(text)) await terminal.drained()
    },
  }
}
