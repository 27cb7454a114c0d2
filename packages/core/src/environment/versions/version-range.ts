import type { ToolClaim } from '../found.ts'

/*
 * The versions that a text accepts, in the syntaxes of npm, Python, Cargo, Ruby and Composer together: enough to find
 * contradictions between two files and choose a version. Pre-releases count as their release.
 */

export type Version = readonly [major: number, minor: number, patch: number]

/** From `from` on, and before `to`; null: without an end. */
export type Interval = { from: Version; to: Version | null }

/** Longer texts say nothing, and more alternatives are made up. */
const LONGEST = 200
const MOST_ALTERNATIVES = 20

/** Null: it has no numbers (`lts/*`, `stable`), or its syntax is unknown. */
export function rangeOf(text: string, least = false): Interval[] | null {
  if (text.length > LONGEST) return null
  const alternatives = text.split(/\|\|?/).slice(0, MOST_ALTERNATIVES)
  const found = alternatives.map((one) => intervalOf(one.trim(), least))
  return found.every((one) => one !== null) ? found.filter((one) => isSome(one)) : null
}

/** The range of a claim; null also if it accepts any version. */
export const rangeOfClaim = ({ version, least }: Pick<ToolClaim, 'version' | 'least'>): Interval[] | null =>
  version === null ? null : rangeOf(version, least)

/** Whether some version is in both. */
export const agree = (a: readonly Interval[], b: readonly Interval[]): boolean =>
  a.some((one) => b.some((other) => isSome(both(one, other))))

export const accepts = (range: readonly Interval[], version: Version): boolean =>
  range.some(({ from, to }) => compare(from, version) <= 0 && (to === null || compare(version, to) < 0))

const EVERYTHING: Interval = { from: [0, 0, 0], to: null }

const both = (a: Interval, b: Interval): Interval => ({
  from: compare(a.from, b.from) >= 0 ? a.from : b.from,
  to: a.to === null ? b.to : b.to === null || compare(a.to, b.to) <= 0 ? a.to : b.to,
})

const isSome = ({ from, to }: Interval): boolean => to === null || compare(from, to) < 0

const compare = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

/** One alternative: conditions that all have to hold. */
function intervalOf(text: string, least: boolean): Interval | null {
  if (text === '*' || text === 'x' || text === '') return text === '' ? null : EVERYTHING
  const between = /^(\S+)\s+-\s+(\S+)$/.exec(text)
  if (between) {
    const [from, to] = [partsOf(between[1] ?? ''), partsOf(between[2] ?? '')]
    return from && to ? { from: full(from), to: after(to) } : null
  }
  let all = EVERYTHING
  for (const condition of text.replace(/([<>=~^!])\s+/g, '$1').split(/[\s,]+/)) {
    const one = condition === '' ? EVERYTHING : conditionOf(condition, least)
    if (one === null) return null
    all = both(all, one)
  }
  return all
}

function conditionOf(text: string, least: boolean): Interval | null {
  const [, sign = '', rest = ''] = /^([<>=~^!]{0,3})(.*)$/.exec(text) ?? []
  const parts = partsOf(rest)
  if (parts === null) return null
  const from = full(parts)
  switch (sign) {
    case '':
    case '=':
    case '==':
    case '===':
      return { from, to: sign === '' && least ? null : after(parts) }
    case '>=':
      return { from, to: null }
    case '>':
      return { from: after(parts), to: null }
    case '<':
      return { from: [0, 0, 0], to: from }
    case '<=':
      return { from: [0, 0, 0], to: after(parts) }
    case '^':
      return { from, to: caret(parts) }
    case '~':
      return { from, to: after(parts.slice(0, 2)) }
    case '~=':
    case '~>':
      return { from, to: after(parts.slice(0, Math.max(1, parts.length - 1))) }
    case '!=':
      return EVERYTHING // one version less does not make two files disagree
    default:
      return null
  }
}

/** `v20.1`, `20.x`, `3.12.*`, `go1.22`, `temurin-21.0.2+13`, `3.11-slim`: the numbers at the start, at most three. */
function partsOf(text: string): number[] | null {
  const numbers = /^(?!nightly|beta)(?:[a-z]{1,20}-)*(?:v|go|ruby-|php)?(\d{1,6}(?:\.(?:\d{1,6}|[xX*]))*)(?!\d)/.exec(
    text,
  )?.[1]
  if (numbers === undefined) return null
  const parts = numbers.split('.')
  const wild = parts.findIndex((part) => !/^\d/.test(part))
  return (wild === -1 ? parts : parts.slice(0, wild)).slice(0, 3).map(Number)
}

const full = ([major = 0, minor = 0, patch = 0]: readonly number[]): Version => [major, minor, patch]

/** The first version that no longer begins with these numbers. */
function after(parts: readonly number[]): Version {
  const [major = 0, minor = 0, patch = 0] = parts
  if (parts.length <= 1) return [major + 1, 0, 0]
  return parts.length === 2 ? [major, minor + 1, 0] : [major, minor, patch + 1]
}

/** Up to the next change of the first number that is not 0. */
function caret(parts: readonly number[]): Version {
  const first = parts.findIndex((part) => part !== 0)
  return after(parts.slice(0, first === -1 ? parts.length : first + 1))
}
