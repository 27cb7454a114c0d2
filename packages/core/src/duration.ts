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
