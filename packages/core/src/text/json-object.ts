/** An object of JSON whose fields nobody has looked at yet. */
export type JsonObject = Record<string, unknown>

/** Neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
