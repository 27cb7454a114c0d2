import type { z } from 'zod/mini'
import { isObject } from '../text/json-object.ts'

/** The part of a document that its schema takes. */
export type ValidRest<T> = { data: T; refused: ReadonlySet<string> }

/**
 * The document without the keys that its schema refuses, so that the rest can be checked in the same go. `refused`: the
 * top-level keys that are missing for it. Null: nothing sensible is left.
 */
export function validRest<T>(
  schema: { safeParse: (value: unknown) => { success: true; data: T } | { success: false } },
  document: unknown,
  issues: readonly z.core.$ZodIssue[],
): ValidRest<T> | null {
  if (!isObject(document)) return null
  const rest = JSON.parse(JSON.stringify(document)) as Record<string, unknown>
  const refused = new Set<string>()
  for (const issue of issues) {
    if (issue.code === 'unrecognized_keys') {
      const node = issue.path.reduce<unknown>((above, part) => (above as Record<PropertyKey, unknown>)?.[part], rest)
      if (isObject(node)) for (const key of issue.keys) delete (node as Record<string, unknown>)[key]
      continue
    }
    const [top] = issue.path
    if (top === undefined) return null
    delete rest[String(top)]
    refused.add(String(top))
  }
  const parsed = schema.safeParse(rest)
  return parsed.success ? { data: parsed.data, refused } : null
}

/** Whether a problem is about none of the refused keys: without their values nobody knows whether it is one. */
export const isApart = ({ refused }: Pick<ValidRest<unknown>, 'refused'>, problem: string): boolean =>
  [...refused].every((key) => !problem.includes(`"${key}"`) && !problem.includes(`"${key}.`))
