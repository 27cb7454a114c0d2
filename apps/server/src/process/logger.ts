import { pino, stdSerializers, type Logger } from 'pino'

export type { Logger }

/**
 * JSON lines on standard error: standard output belongs to what the command prints for people. `forPeople` turns each
 * line into the one that a terminal shows; null where a program or a file reads them.
 */
export function createLogger(level: string, forPeople: ((json: string) => string) | null = null): Logger {
  // Errors are logged under this name everywhere; without a serializer they would be empty objects.
  const serializers = { error: serialized }
  const out = pino.destination({ fd: 2, sync: true })
  const worded = forPeople && { write: (json: string) => out.write(forPeople(json)) }
  return pino({ level, base: null, serializers }, worded ?? out)
}

/** With where it happened, if it is a bug: what a person can act on has a kind or is the system's word, and says what to do. */
function serialized(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { stack, ...rest } = stdSerializers.err(error)
  return 'kind' in error || 'syscall' in error ? rest : { ...rest, stack }
}
