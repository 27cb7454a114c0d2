/*
 * Durations for people have one form everywhere: figures with the symbols d, h, min, s and ms, largest first, with a
 * space before each symbol: "2 h 5 min", "12 min 3 s", "45 s", "1.5 s", "250 ms". Not "1:02", "62 s" or "1 m 2 s", and
 * no words, which need a plural. Only the dashboard has a running clock ("0:07"), and prompts write hours and minutes
 * in full. Moments are in `clock-time.ts`.
 */

const symbols = [
  { symbol: 'd', ms: 86_400_000 },
  { symbol: 'h', ms: 3_600_000 },
  { symbol: 'min', ms: 60_000 },
  { symbol: 's', ms: 1000 },
  { symbol: 'ms', ms: 1 },
] as const

/** A duration in its two largest units: "2 h 5 min", "12 min 3 s", "6 h", "1.5 s", "250 ms". */
export function durationText(ms: number): string {
  if (ms < 1) return '0 s'
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 9950) return `${Number((ms / 1000).toFixed(1))} s`
  const rounded = Math.round(ms / 1000) * 1000
  const largest = symbols.findIndex((unit) => rounded >= unit.ms)
  return exact(rounded, symbols.slice(largest, largest + 2))
}

/** The same without rounding, for a person's setting: "1 min 30 s", "1 s 500 ms", "no time". */
export const spokenDuration = (ms: number): string => exact(ms, symbols) || 'no time'

function exact(ms: number, units: readonly (typeof symbols)[number][]): string {
  const parts: string[] = []
  let rest = ms
  for (const unit of units) {
    const count = Math.floor(rest / unit.ms)
    rest -= count * unit.ms
    if (count > 0) parts.push(`${count} ${unit.symbol}`)
  }
  return parts.join(' ')
}

const typedUnits = [
  { letter: 'h', ms: 3_600_000 },
  { letter: 'm', ms: 60_000 },
  { letter: 's', ms: 1000 },
  { letter: 'ms', ms: 1 },
] as const

/**
 * "1500" and "1500ms" are milliseconds, "30s", "1.5m", "2h" and "1h 30m" are read literally; null for anything else.
 */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim().toLowerCase()
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed)
  if (!/^(\d{1,9}(\.\d{1,6})?\s*(ms|s|m|h)\s*)+$/.test(trimmed)) return null
  let total = 0
  for (const [, amount, letter] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h)/g))
    total += Number(amount) * (typedUnits.find((unit) => unit.letter === letter)?.ms ?? 1)
  return Number.isInteger(Math.round(total * 1000) / 1000) ? Math.round(total) : null
}

/** A duration as people type it: "1s", "90s", "2h", "1500ms". */
export function typedDuration(ms: number): string {
  const unit = typedUnits.find((one) => ms >= one.ms && ms % one.ms === 0) ?? typedUnits[3]
  return `${ms / unit.ms}${unit.letter}`
}
