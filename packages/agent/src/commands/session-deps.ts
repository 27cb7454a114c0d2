import type { SessionOrder } from '@beadloom/core/execution/session-order.ts'
import type { ResultReason } from '@beadloom/core/log/event-line.ts'
import { durationText } from '@beadloom/core/text/duration.ts'
import type { EventWriter } from '../output/event-writer.ts'
import type { Clock } from '../process/clock.ts'
import type { CommandEnd, Env, OnOutput } from './run-command.ts'

/** Used by every part of a session. */
export type SessionDeps = {
  order: SessionOrder
  writer: EventWriter
  clock: Clock
  /** The environment of every command that the session runs. */
  env: Env
  /** The link as seen from here, without a slash at the end: `http://127.0.0.1:4610`. */
  linkUrl: string
  /** Aborts when the container is told to stop. */
  stop: AbortSignal
}

/** Commands that the session runs for others also end once they have printed more than a record may hold. */
export const commandStop = ({ stop, writer }: Pick<SessionDeps, 'stop' | 'writer'>): AbortSignal =>
  AbortSignal.any([stop, writer.overflow])

/** The reason why `commandStop` has stopped something. */
export const whyStopped = (
  { writer }: Pick<SessionDeps, 'writer'>,
  what: string,
): { reason: ResultReason; text: string } =>
  writer.overflow.aborted
    ? { reason: 'output_limit', text: `${what} was stopped: it printed more than a record may hold` }
    : { reason: 'stopped', text: `${what} was stopped` }

export const recordOutput =
  ({ writer }: Pick<SessionDeps, 'writer'>): OnOutput =>
  (stream, text) =>
    writer.write({ type: 'output', stream, text })

/** Runs `run` in a titled part of the log; `exitCode` is the exit code to show (0 if there is none). */
export async function section<T>(
  { writer, clock }: Pick<SessionDeps, 'writer' | 'clock'>,
  title: string,
  run: () => Promise<T>,
  { command, exitCode = () => 0 }: { command?: string; exitCode?: (value: T) => number | null } = {},
): Promise<T> {
  await writer.write({ type: 'section', title, ...(command === undefined ? {} : { command }) })
  const startedAt = clock.monotonic()
  const end = (code: number | null) =>
    writer.write({ type: 'section_end', title, exitCode: code, durationMs: Math.round(clock.monotonic() - startedAt) })
  try {
    const value = await run()
    await end(exitCode(value))
    return value
  } catch (error) {
    await end(1)
    throw error
  }
}

/** The end of a command, as a sentence. */
export function describeEnd(what: string, end: CommandEnd, timeoutMs: number): string {
  switch (end.reason) {
    case 'exited':
      if (end.exitCode === 127)
        return `${what} ended with exit code 127: a command in it does not exist in the container`
      return `${what} ended with exit code ${end.exitCode}`
    case 'timed-out':
      return `${what} did not end within ${durationText(timeoutMs)} and was stopped`
    case 'stopped':
      return `${what} was stopped`
    case 'not-started':
      return `${what} could not be started: ${end.detail}`
  }
}
