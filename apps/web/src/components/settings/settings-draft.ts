import type { SettingField } from '@beadloom/core/api/settings/settings-api.ts'
import type { SettingValue } from '@beadloom/core/project/setting-value.ts'

/** Typed values, by key; all others are as the server has them. */
export type SettingsDraft = Readonly<Record<string, string>>

/** The text of a field; '' for no value. */
export function textOf(value: SettingValue): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.join('\n')
  return String(value)
}

/** The text in the field: typed, overridden here, or in effect. */
export const shownText = (field: SettingField, draft: SettingsDraft): string =>
  draft[field.key] ?? textOf(field.here ?? field.value)

/** The values that are typed now, without those of `keys` that are still as they were sent. */
export const withoutSaved = (typed: SettingsDraft, sent: SettingsDraft, keys: readonly string[]): SettingsDraft =>
  Object.fromEntries(Object.entries(typed).filter(([key, text]) => !keys.includes(key) || text !== sent[key]))

export type Parsed = { value: SettingValue } | { problem: string }

/** An empty field removes the override. */
export function parseSetting(field: SettingField, text: string): Parsed {
  const given = field.kind === 'list' ? text : text.trim()
  if (given.trim() === '') return { value: null }
  switch (field.kind) {
    case 'number':
      return parseNumber(field, given)
    case 'boolean':
      return { value: given === 'true' }
    case 'list':
      return { value: given.split('\n').flatMap((line) => line.trim() || []) }
    case 'choice':
      return field.choices.includes(given) ? { value: given } : { problem: `one of ${field.choices.join(', ')}` }
    case 'text':
      return given.length <= field.longest ? { value: given } : { problem: `at most ${field.longest} characters` }
  }
}

function parseNumber(field: Extract<SettingField, { kind: 'number' }>, text: string): Parsed {
  const value = Number(text.replaceAll(/[\s_,]/g, ''))
  if (!Number.isFinite(value)) return { problem: 'a number' }
  if (field.fraction !== true && !Number.isInteger(value)) return { problem: 'a whole number' }
  if (value < field.least) return { problem: `at least ${field.least}` }
  if (value > field.most) return { problem: `at most ${field.most}` }
  return { value }
}

/** The fields whose typed value differs from the stored one. */
export function changesOf(
  fields: readonly SettingField[],
  draft: SettingsDraft,
): { changes: Record<string, SettingValue>; problems: Record<string, string> } {
  const changes: Record<string, SettingValue> = {}
  const problems: Record<string, string> = {}
  for (const field of fields) {
    const text = draft[field.key]
    if (text === undefined || !field.editable) continue
    const parsed = parseSetting(field, text)
    if ('problem' in parsed) problems[field.key] = parsed.problem
    else if (isChange(field, parsed.value)) changes[field.key] = parsed.value
  }
  return { changes, problems }
}

/** Typing the value already in effect is no change, unless there is an override to remove. */
function isChange(field: SettingField, value: SettingValue): boolean {
  if (same(value, field.here)) return false
  return field.here !== null || !same(value, field.value)
}

export const same = (a: SettingValue, b: SettingValue): boolean => JSON.stringify(a) === JSON.stringify(b)

/** A value for people: "50", "6 h", "none". */
export function valueText(field: Pick<SettingField, 'kind'> & { unit?: string }, value: SettingValue): string {
  if (value === null || value === '') return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return field.kind === 'number' && field.unit ? `${value} ${field.unit}` : String(value)
}

/** Seconds and milliseconds are hard to read beyond a minute. */
export function durationHint(field: SettingField, text: string): string | null {
  if (field.kind !== 'number' || (field.unit !== 's' && field.unit !== 'ms')) return null
  const parsed = parseSetting(field, text)
  if ('problem' in parsed || typeof parsed.value !== 'number') return null
  const seconds = field.unit === 's' ? parsed.value : parsed.value / 1000
  if (seconds < 60) return null
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor((seconds % 86_400) / 3600), 'h'],
    [Math.floor((seconds % 3600) / 60), 'min'],
    [Math.floor(seconds % 60), 's'],
  ] as const
  return `= ${parts
    .filter(([n]) => n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ')}`
}
