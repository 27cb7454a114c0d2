const units = [
  { name: 'hour', ms: 3_600_000 },
  { name: 'minute', ms: 60_000 },
  { name: 'second', ms: 1_000 },
] as const

/** Milliseconds in the largest unit that fits exactly: "6 hours", "90 minutes", "45 seconds", "250 milliseconds". */
export function durationText(ms: number): string {
  const unit = units.find((one) => ms >= one.ms && ms % one.ms === 0) ?? { name: 'millisecond', ms: 1 }
  const count = ms / unit.ms
  return `${count} ${unit.name}${count === 1 ? '' : 's'}`
}

/** How long something took, for people, in its two largest units: "2 h 5 min", "12 min 3 s", "45 s". */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const typedUnits = [
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
    total += Number(amount) * (typedUnits.find((unit) => unit.letter === letter)?.ms ?? 1)
  return Number.isInteger(Math.round(total * 1000) / 1000) ? Math.round(total) : null
}

/** As one would type it: "1s", "90s", "2h", "1500ms". */
export function typedDuration(ms: number): string {
  const unit = typedUnits.find((one) => ms >= one.ms && ms % one.ms === 0) ?? typedUnits[3]
  return `${ms / unit.ms}${unit.letter}`
}

/** In words: "1 second", "1 minute 30 seconds", "1 second 500 ms", "no time". */
export function spokenDuration(ms: number): string {
  const parts: string[] = []
  let rest = ms
  for (const unit of typedUnits) {
    const count = Math.floor(rest / unit.ms)
    rest -= count * unit.ms
    if (count > 0) parts.push(`${count} ${unit.words[count === 1 ? 0 : 1]}`)
  }
  return parts.join(' ') || 'no time'
}

/** For a row of them: "1 s", "1.5 s", "250 ms", "60 s". */
export const briefDuration = (ms: number): string => (ms < 1000 ? `${ms} ms` : `${Number((ms / 1000).toFixed(1))} s`)
