import { utcStore } from './time-zone.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const two = (n: number) => String(n).padStart(2, '0')

/** How long something took or has been going on: "0:07", "4:12", "1:04:12". */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND))
  const hours = Math.floor(seconds / 3600)
  const rest = `${two(seconds % 60)}`
  return hours > 0
    ? `${hours}:${two(Math.floor((seconds % 3600) / 60))}:${rest}`
    : `${Math.floor(seconds / 60)}:${rest}`
}

/** A duration in words, for sentences: "0.4 s", "12 s", "3 m 12 s", "2 h 5 m". */
export function spanText(ms: number): string {
  if (ms < 10 * SECOND) return `${(Math.max(0, ms) / SECOND).toFixed(1)} s`
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} m ${Math.floor((ms % MINUTE) / SECOND)} s`
  return `${Math.floor(ms / HOUR)} h ${Math.floor((ms % HOUR) / MINUTE)} m`
}

/** How long ago: "now", "40 s", "3 min", "5 h", "12 d". */
export function agoText(ms: number): string {
  if (ms < 5 * SECOND) return 'now'
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`
  return `${Math.floor(ms / DAY)} d`
}

/** The same as a phrase: "just now", "3 min ago". */
export const sinceText = (ms: number): string => (ms < 5 * SECOND ? 'just now' : `${agoText(ms)} ago`)

/** By the clock of this computer, or by UTC where that was chosen, which is said wherever an hour is. */
function byChoice(options: Intl.DateTimeFormatOptions, zone = ''): (at: number) => string {
  const local = new Intl.DateTimeFormat(undefined, options)
  const utc = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' })
  return (at) => (utcStore.getState().utc ? `${utc.format(at)}${zone}` : local.format(at))
}
const exact = byChoice({ dateStyle: 'medium', timeStyle: 'medium' }, ' UTC')
const wallClock = byChoice({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, ' UTC')
const whole = new Intl.NumberFormat('en')

export const exactText = (at: number): string => exact(at)
export const wallClockText = (at: number): string => wallClock(at)
export const countText = (n: number): string => whole.format(n)

/** "812", "12.4k", "1.2M": for tokens on cards. */
export function shortCount(n: number): string {
  if (n < 1000) return String(n)
  if (n < 999_500) return `${trimmed(n / 1000)}k`
  return `${trimmed(n / 1_000_000)}M`
}
const trimmed = (n: number) => (n >= 100 ? n.toFixed(0) : n.toFixed(1).replace(/\.0$/, ''))

export function bytesText(n: number): string {
  if (n < 1024) return `${n} B`
  if (n < 1024 ** 2) return `${trimmed(n / 1024)} KiB`
  if (n < 1024 ** 3) return `${trimmed(n / 1024 ** 2)} MiB`
  return `${trimmed(n / 1024 ** 3)} GiB`
}

/** How long until: "now", "in 12 s", "in 3 m 5 s". A part of a second counts as one, so that it never reads "in 0 s". */
export function inText(ms: number): string {
  if (ms <= 0) return 'now'
  const whole = Math.ceil(ms / SECOND) * SECOND
  return `in ${whole < MINUTE ? `${whole / SECOND} s` : spanText(whole)}`
}

const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
/** "Wed, 20 May". */
export const dayText = (at: number): string => day.format(at)
