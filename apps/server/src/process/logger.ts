import { pino, stdSerializers, type Logger } from 'pino'

export type { Logger }

/** JSON lines on standard error: standard output belongs to what the command prints for people. */
export function createLogger(level: string): Logger {
  // Under this name errors are logged everywhere; without it they would be empty objects.
  const serializers = { error: stdSerializers.err }
  return pino({ level, base: null, serializers }, pino.destination({ fd: 2, sync: true }))
}
