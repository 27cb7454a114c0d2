import { pino, stdSerializers, type Logger } from 'pino'

export type { Logger }

/**
 * JSON lines on standard error: standard output belongs to what the command prints for people. `forPeople` makes of each
 * line the one that a terminal shows; null where a program or a file gets them.
 */
export function createLogger(level: string, forPeople: ((json: string) => string) | null = null): Logger {
  // Under this name errors are logged everywhere; without it they would be empty objects.
  const serializers = { error: stdSerializers.err }
  const out = pino.destination({ fd: 2, sync: true })
  const worded = forPeople && { write: (json: string) => out.write(forPeople(json)) }
  return pino({ level, base: null, serializers }, worded ?? out)
}
