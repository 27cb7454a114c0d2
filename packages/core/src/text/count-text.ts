const whole = new Intl.NumberFormat('en')

/** "12,413". */
export const countText = (n: number): string => whole.format(n)

/** "1 bead", "12,413 beads"; `many`: a plural that is not the word with an s. */
export const counted = (n: number, one: string, many = `${one}s`): string => `${countText(n)} ${n === 1 ? one : many}`

/** "812", "12.4k", "1.2M", "3.4B", "5T": for tokens and lines on cards. */
export function shortCount(n: number): string {
  if (n < 1000) return String(n)
  if (n < 999_500) return `${trimmed(n / 1000)}k`
  if (n < 999_500_000) return `${trimmed(n / 1e6)}M`
  return n < 999_500_000_000 ? `${trimmed(n / 1e9)}B` : `${trimmed(n / 1e12)}T`
}
/** A number for use before a unit: "1.5", "2", "104". */
export const trimmed = (n: number): string => (n >= 100 ? n.toFixed(0) : n.toFixed(1).replace(/\.0$/, ''))
