const units = [
  { letter: 'h', words: ['hour', 'hours'], ms: 3_600_000 },
  { letter: 'm', words: ['minute', 'minutes'], ms: 60_000 },
  { letter: 's', words: ['second', 'seconds'], ms: 1000 },
  { letter: 'ms', words: ['ms', 'ms'], ms: 1 },
] as const

/** "1500" and "1500ms" are milliseconds, "30s", "1.5m", "2h" and "1h 30m" what they say; null for anything else. */
export function parseDuration(text: string): number | null {
  const trimmed = text.trim().toLowerCase()
  if (/^\d{1,15}$/.test(trimmed)) return Number(trimmed)
  if (!/^(\d{1,9}(\.\d{1,6})?\s*(ms|s|m|h)\s*)+$/.test(trimmed)) return null
  let total = 0
  for (const [, amount, letter] of trimmed.matchAll(/(\d+(?:\.\d+)?)\s*(ms|s|m|h)/g))
    total += Number(amount) * (units.find((unit) => unit.letter === letter)?.ms ?? 1)
  return Number.isInteger(Math.round(total * 1000) / 1000) ? Math.round(total) : null
}

/** As one would type it: "1s", "90s", "2h", "1500ms". */
export function typedDuration(ms: number): string {
  const unit = units.find((one) => ms >= one.ms && ms % one.ms === 0) ?? units[3]
  return `${ms / unit.ms}${unit.letter}`
}

/** In words: "1 second", "1 minute 30 seconds", "1 second 500 ms", "no time". */
export function spokenDuration(ms: number): string {
  const parts: string[] = []
  let rest = ms
  for (const unit of units) {
    const count = Math.floor(rest / unit.ms)
    rest -= count * unit.ms
    if (count > 0) parts.push(`${count} ${unit.words[count === 1 ? 0 : 1]}`)
  }
  return parts.join(' ') || 'no time'
}

/** For a row of them: "1 s", "1.5 s", "250 ms", "60 s". */
export const briefDuration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(1))} s`)
