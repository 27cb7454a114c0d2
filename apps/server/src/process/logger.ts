import { pino, stdSerializers, type Logger } from 'pino'

export type { Logger }

/**
 * Writes JSON lines to standard error: standard output is for the command's output to people. `forPeople` turns each
 * line into one for a terminal; null when a program or a file reads them.
 */
export function createLogger(level: string, forPeople: ((json: string) => string) | null = null): Logger {
  // Errors are logged under this name everywhere; without a serializer they would be empty objects.
  const serializers = { error: serialized }
  const out = pino.destination({ fd: 2, sync: true })
  const worded = forPeople && { write: (json: string) => out.write(forPeople(json)) }
  return pino({ level, base: null, serializers }, worded ?? out)
}

/**
 * Adds the stack only for bugs: an error that people can act on has a kind or the system's code, and says what to do.
 */
function serialized(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { stack, ...rest } = stdSerializers.err(error)
  return 'kind' in error || 'syscall' in error ? rest : { ...rest, stack }
}
