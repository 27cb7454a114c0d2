import { pino, type Logger } from 'pino'

export type { Logger }

/** JSON lines on standard error: standard output belongs to what the command prints for people. */
export function createLogger(level: string): Logger {
  return pino({ level, base: null }, pino.destination({ fd: 2, sync: true }))
}
