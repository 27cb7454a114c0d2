import { z } from 'zod/mini'

type Json = Record<string, unknown>

/**
 * The JSON schema of a form for strict structured output: every key is required and no other is allowed. Bounds and
 * patterns are left out, because servers refuse a schema with one that they do not know; the parser of the answer
 * checks them.
 */
export function strictSchema(form: z.ZodMiniType): Json {
  return strict(z.toJSONSchema(form) as Json)
}

function strict({ type, description, enum: choices, properties, items }: Json): Json {
  const said = { ...(type !== undefined && { type }), ...(description !== undefined && { description }) }
  if (choices !== undefined) return { ...said, enum: choices }
  if (items !== undefined) return { ...said, items: strict(items as Json) }
  if (properties === undefined) return said
  const members = Object.entries(properties as Record<string, Json>).map(([key, value]) => [key, strict(value)])
  return {
    ...said,
    properties: Object.fromEntries(members),
    required: members.map(([key]) => key),
    additionalProperties: false,
  }
}
