import { isObject, type JsonObject } from '../../text/json-object.ts'

export type Fields = JsonObject

/** The object that is there, or an empty one. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A text with something in it; null for everything else. */
export const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null

/** A text, or a number that was meant as one: YAML reads `20` in `node-version: 20` as a number. */
export const wordOf = (value: unknown): string | null => (typeof value === 'number' ? String(value) : textOf(value))
