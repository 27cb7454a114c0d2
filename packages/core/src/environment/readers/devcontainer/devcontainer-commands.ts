import { shellWord } from '../../../text/shell-word.ts'
import { listOf, textOf } from '../../formats/records.ts'
import { isObject } from '../../../text/json-object.ts'

/** Commands for each start, and for an editor that attaches: they are left out, with a note. */
export const LATER = ['postStartCommand', 'postAttachCommand'] as const

/** In the order in which they run when a container is made. */
export const LIFECYCLE = ['onCreateCommand', 'updateContentCommand', 'postCreateCommand'] as const

const MOST_PARTS = 50

/**
 * A command line for a shell. A text is one; a list is a program with its arguments; an object has several by name,
 * which may run in parallel but here run one after the other. Null: there is none, or it cannot be written down.
 */
export function lifecycleCommand(value: unknown): string | null {
  if (Array.isArray(value)) return programOf(value)
  if (!isObject(value)) return textOf(value)
  const parts = Object.values(value)
    .slice(0, MOST_PARTS)
    .map((one) => (Array.isArray(one) ? programOf(one) : textOf(one)))
    .filter((one) => one !== null)
  return parts.length < 2 ? (parts[0] ?? null) : parts.map((one) => `{ ${one}\n}`).join(' && ')
}

/** Whether `lifecycleCommand` keeps all of it. A list with a number is no program, and an empty command is none. */
export function isWhole(value: unknown): boolean {
  if (value === undefined || value === null || (typeof value === 'string' && value.trim() === '')) return true
  if (Array.isArray(value)) return value.length === 0 || programOf(value) !== null
  if (!isObject(value)) return textOf(value) !== null
  const parts = Object.values(value)
  return parts.length <= MOST_PARTS && parts.every((one) => (isObject(one) ? false : isWhole(one)))
}

function programOf(list: readonly unknown[]): string | null {
  const words = listOf(list).filter((word) => typeof word === 'string')
  return words.length === 0 || words.length !== list.length ? null : words.map(shellWord).join(' ')
}
