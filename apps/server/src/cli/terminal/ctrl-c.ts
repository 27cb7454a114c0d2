import type { EventEmitter } from 'node:events'
import { CliError, Refused, exitCode } from '../exit-code.ts'

/**
 * Does work that Ctrl-C ends in order: its signal aborts, and the work rejects once it is over. Its refusal then has the
 * exit code of Ctrl-C.
 */
export async function whileCtrlCEnds<T>(
  work: (stop: AbortSignal) => Promise<T>,
  program: Pick<EventEmitter, 'on' | 'off'> = process,
): Promise<T> {
  const stop = new AbortController()
  const interrupted = (): void => stop.abort()
  // Not `once`: one Ctrl-C arrives from the terminal and from the script that started us; the second would kill us.
  program.on('SIGINT', interrupted)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (stop.signal.aborted && error instanceof Refused) throw new CliError(error.message, exitCode.interrupted)
    throw error
  } finally {
    program.off('SIGINT', interrupted)
  }
}
