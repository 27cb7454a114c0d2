import { z } from 'zod'

/** A whole number in a query string; `fallback` if it is missing. */
export const whole = (min: number, max: number, fallback: number) =>
  z
    .string()
    .regex(/^\d{1,15}$/, `must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .default(fallback)
    .meta(described(min, max))

/** A whole number, or nothing. */
export const optionalWhole = () =>
  z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .optional()
    .meta(described(0, Number.MAX_SAFE_INTEGER))

/** Shows them as numbers in the OpenAPI document, not as the text that arrives. */
const described = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum, pattern: undefined })

/** `1` or `true`, `0` or `false`. */
export const flag = z
  .enum(['0', '1', 'true', 'false'])
  .transform((text) => text === '1' || text === 'true')
  .optional()

/** An id, or nothing. */
export const idText = <T extends string>(parse: (text: string) => T) =>
  z
    .string()
    .refine((text) => isId(parse, text), 'is not a valid id')
    .transform((text) => parse(text))
    .optional()

/** An id, empty for none (null), or nothing. */
export const idOrNone = <T extends string>(parse: (text: string) => T) =>
  z
    .string()
    .refine((text) => text === '' || isId(parse, text), 'is not a valid id')
    .transform((text) => (text === '' ? null : parse(text)))
    .optional()

function isId(parse: (text: string) => string, text: string): boolean {
  try {
    return parse(text) !== ''
  } catch {
    return false
  }
}

export const paging = {
  limit: whole(1, 1000, 200).describe('Maximum number of items'),
  cursor: z.string().min(1).max(500).optional().describe('The `next` of the previous page'),
}
