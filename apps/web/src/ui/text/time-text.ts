import { utcStore } from './time-zone.ts'

/*
 * Every duration, age and date of the dashboard. A duration has one form, "3 min 12 s", whether it is over or still
 * growing, as in the server's sentences. An age is one figure in the same units.
 */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
/** From here on an age in days says little: "10 mo" instead of "314 d". */
const MANY_DAYS = 61 * DAY
const MONTH = 30.44 * DAY
const MANY_MONTHS = 24 * MONTH

/** A duration: "0.4 s", "12 s", "3 min 12 s", "2 h 5 min". */
export function spanText(ms: number): string {
  return ms < 10 * SECOND ? `${(Math.max(0, ms) / SECOND).toFixed(1)} s` : elapsedText(ms)
}

/** The duration so far in whole seconds, because it is drawn once a second. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / SECOND))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? twoParts(minutes, 'min', seconds % 60, 's')
    : twoParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min')
}

/** "3 min 12 s", and "3 min" where the smaller part is 0. */
const twoParts = (large: number, unit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${smallUnit}`

/** The same for use in a sentence: it does not break over two lines. */
export const unbroken = (text: string): string => text.replaceAll(' ', '\u00a0')

/** A time in the past: "now", "40 s", "3 min", "5 h", "12 d", "10 mo", "2 y". */
export function agoText(ms: number): string {
  if (ms < 5 * SECOND) return 'now'
  if (ms < MINUTE) return `${Math.floor(ms / SECOND)} s`
  if (ms < HOUR) return `${Math.floor(ms / MINUTE)} min`
  if (ms < DAY) return `${Math.floor(ms / HOUR)} h`
  if (ms < MANY_DAYS) return `${Math.floor(ms / DAY)} d`
  return ms < MANY_MONTHS ? `${Math.floor(ms / MONTH)} mo` : `${Math.floor(ms / (12 * MONTH))} y`
}

/** The same as a phrase: "just now", "3 min ago". */
export const sinceText = (ms: number): string => (ms < 5 * SECOND ? 'just now' : `${agoText(ms)} ago`)

/**
 * Time until something: "now", "in 12 s", "in 3 min 5 s". A part of a second counts as one: it never reads "in 0 s".
 */
export function inText(ms: number): string {
  return ms <= 0 ? 'now' : `in ${elapsedText(Math.ceil(ms / SECOND) * SECOND)}`
}

/** By this computer's clock, or in UTC if chosen; every text with an hour then says so. */
function byChoice(options: Intl.DateTimeFormatOptions, zone = ''): (at: number) => string {
  const local = new Intl.DateTimeFormat(undefined, options)
  const utc = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' })
  return (at) => (utcStore.getState().utc ? `${utc.format(at)}${zone}` : local.format(at))
}
const exact = byChoice({ dateStyle: 'medium', timeStyle: 'medium' }, ' UTC')
const wallClock = byChoice({ hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }, ' UTC')
const shortClock = byChoice({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }, ' UTC')
const day = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' })

/** "22 Nov 2026, 10:02:13", as this browser writes dates. */
export const exactText = (at: number): string => exact(at)
/** "10:02:13". */
export const wallClockText = (at: number): string => wallClock(at)
/** "10:02". */
export const shortClockText = (at: number): string => shortClock(at)
/** "Wed, 20 May". */
export const dayText = (at: number): string => day.format(at)
