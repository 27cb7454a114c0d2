import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { lasted } from '@beadloom/core/execution/lasted.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import type { Session } from '@beadloom/core/records/session.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import { systemClock } from '../../process/clock.ts'
import { jsonLine, type Terminal } from '../terminal/output.ts'
import { paintOf } from '../terminal/paint.ts'
import { oneLiner, RESET } from '../terminal/terminal-text.ts'
import { checkLine, logLine, sessionEnd, sessionHead } from './attach-lines.ts'
import { progressNews, waitNews } from './execution-notes.ts'
import type { LogSink } from './follow-logs.ts'

/** Finds news each time an execution is read again: sessions that ended, and check results. */
class Seen {
  #current: string | null = null
  readonly #printed = new Set<string>()
  readonly #told = new Set<string>()

  begin(session: Session): void {
    this.#current = session.id
  }

  /** Call it when the log of the newest session has arrived completely. */
  end(): void {
    if (this.#current !== null) this.#printed.add(this.#current)
  }

  /** A check's result is printed after its log, even if the server knows it earlier. */
  newOf({ sessions, verifications, state }: ExecutionView): { ended: Session[]; checks: Verification[] } {
    const isNew = (key: string): boolean => this.#told.size < this.#told.add(key).size
    return {
      ended: sessions.filter((one) => one.state === 'ended' && this.#printed.has(one.id) && isNew(one.id)),
      checks: verifications.filter(
        ({ session, purpose, run, step }) =>
          (this.#printed.has(session) || isTerminal(state)) && isNew(`${session} ${purpose} ${run} ${step}`),
      ),
    }
  }
}

/** For a person: headings, lines in colour, check results. */
export function peopleSink(terminal: Terminal): LogSink {
  const paint = paintOf(terminal.colour)
  const seen = new Seen()
  const say = (line: string): boolean => terminal.write(`${line}\n`)
  let execution: ExecutionView | null = null
  const waits = waitNews()
  const moves = progressNews()
  return {
    look(view) {
      if (execution === null) say(paint.bold(`${oneLiner(view.bead)}  ${oneLiner(view.beadTitle)}`))
      execution = view
      const { ended, checks } = seen.newOf(view)
      for (const session of ended) say(sessionEnd(session, view, terminal.columns, paint))
      for (const step of checks) say(checkLine(step, terminal.columns, paint))
      const where = moves(view)
      if (where !== null) say(paint.bold(`▪ ${where}`))
      const why = waits(view, systemClock.now())
      if (why !== null) say(paint.yellow(`… ${why}`))
    },
    begin(session) {
      seen.begin(session)
      say(
        sessionHead(
          session,
          execution ?? { maxAttempts: session.attempt, kind: 'work', sessions: [], verifications: [] },
          terminal.columns,
          paint,
        ),
      )
    },
    lines: (text) => terminal.write(shaped(text, terminal)),
    end() {
      seen.end()
      if (terminal.colour) terminal.write(RESET)
    },
    drained: terminal.drained,
    note: terminal.note,
  }
}

function shaped(text: string, { colour }: Terminal): string {
  const paint = paintOf(colour)
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  const whole = lines.map((line) => `${logLine(line, paint, colour)}\n`).join('')
  return rest === '' ? whole : whole + logLine(rest, paint, colour)
}

/** For programs: one JSON value per line. */
export function jsonSink(terminal: Terminal): LogSink {
  const seen = new Seen()
  let current: Session | null = null
  const write = (value: unknown): boolean => terminal.write(jsonLine(value))
  return {
    look(view) {
      const { ended, checks } = seen.newOf(view)
      for (const session of ended) {
        const { id, outcome, exitCode, detail } = session
        write({
          type: 'session_end',
          session: id,
          outcome,
          exitCode,
          detail,
          durationMs: lasted(session) ?? 0,
        })
      }
      for (const { type, ...check } of checks) write({ ...check, type: 'verification', checks: type })
    },
    begin(session) {
      seen.begin(session)
      current = session
      write({
        type: 'session',
        session: session.id,
        kind: session.kind,
        attempt: session.attempt,
        at: session.startedAt,
      })
    },
    lines: (text) => write({ type: 'log', session: current?.id ?? null, text }),
    end: () => seen.end(),
    drained: terminal.drained,
    note: terminal.note,
  }
}
