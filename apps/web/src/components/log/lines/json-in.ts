export type JsonIn = { before: string; value: object }

/** The JSON object or list that a line ends with, and what stands before it ("› ", a time); null without one. */
export function jsonIn(text: string): JsonIn | null {
  const start = text.search(/[[{]/)
  if (start < 0 || start > 200 || !/[\]}]\s*$/.test(text)) return null
  try {
    const value = JSON.parse(text.slice(start)) as unknown
    if (typeof value === 'object' && value !== null) return { before: text.slice(0, start).trim(), value }
  } catch {
    // Not JSON, and so shown as the text that it is.
  }
  return null
}
