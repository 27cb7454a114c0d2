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
