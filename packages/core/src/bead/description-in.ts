/** The description in a bead's record as its tracker had it at the last reading; null: unknown. */
export function descriptionIn(raw: string | null): string | null {
  if (raw === null) return null
  try {
    const value: unknown = JSON.parse(raw)
    const text = typeof value === 'object' && value !== null ? (value as { description?: unknown }).description : ''
    return typeof text === 'string' ? text : ''
  } catch {
    return null
  }
}
