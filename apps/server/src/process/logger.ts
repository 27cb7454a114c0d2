import { pino, stdSerializers, type Logger } from 'pino'

export type { Logger }

/**
 * JSON lines on standard error: standard output belongs to what the command prints for people. `forPeople` turns each
 * line into the one that a terminal shows; null where a program or a file reads them.
 */
export function createLogger(level: string, forPeople: ((json: string) => string) | null = null): Logger {
  // Errors are logged under this name everywhere; without a serializer they would be empty objects.
  const serializers = { error: stdSerializers.err }
  const out = pino.destination({ fd: 2, sync: true })
  const worded = forPeople && { write: (json: string) => out.write(forPeople(json)) }
  return pino({ level, base: null, serializers }, worded ?? out)
}
