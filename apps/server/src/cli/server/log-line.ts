import { cutText, oneLiner } from '../terminal/terminal-text.ts'

const COLUMNS = 400
const WARN = 40
const ERROR = 50

/** A line of the server's own log as a person at its terminal reads it; programs get the JSON. */
export function logLine(json: string): string {
  const { level, msg, error, time: _, ...about } = JSON.parse(json) as Record<string, unknown>
  const mark = typeof level === 'number' && level >= ERROR ? '✕' : level === WARN ? '!' : '·'
  const facts = Object.entries(about)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value))
    .map(([name, value]) => `${name} ${String(value)}`)
  const why = typeof error === 'object' && error !== null && 'message' in error ? `: ${String(error.message)}` : ''
  const text = `${String(msg ?? '')}${facts.length === 0 ? '' : ` (${facts.join(', ')})`}${why}`
  return `${mark} ${cutText(oneLiner(text), COLUMNS)}\n`
}
