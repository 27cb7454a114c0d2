import { isObject } from '../text/json-object.ts'

/**
 * The arguments of a call, by name. Text that is no JSON (shortened, or a plain command) is read as far as possible.
 */
export type CallArguments = { values: Record<string, unknown>; text: string; whole: boolean }

/** Longer ones are not parsed; the server keeps 4096 characters. */
const MOST = 64 * 1024
const STRING = /"([A-Za-z_]{1,40})"\s*:\s*"((?:[^"\\]|\\.){0,2000})("?)/g

export function argumentsOf(given: string): CallArguments {
  const text = given.slice(0, MOST)
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return { values: value, text, whole: true }
    if (Array.isArray(value)) return { values: { changes: value }, text, whole: true }
    if (typeof value === 'string') return { values: {}, text: value, whole: true }
  } catch {
    // Half of a document: its whole strings, and the last one as far as it goes.
  }
  const values: Record<string, unknown> = {}
  for (const [, name = '', body = '', end] of text.matchAll(STRING))
    values[name] ??= `${unescaped(body)}${end === '' ? '…' : ''}`
  return { values, text, whole: !text.startsWith('{') && !text.endsWith('…') }
}

const unescaped = (body: string): string =>
  body
    .replace(/\\u[\da-fA-F]{0,3}$|\\$/, '')
    .replace(/\\(?:u([\da-fA-F]{4})|(.))/g, (_, code: string | undefined, one: string | undefined) =>
      code === undefined
        ? one === 'n' || one === 'r'
          ? '\n'
          : one === 't'
            ? '\t'
            : (one ?? '')
        : String.fromCharCode(Number.parseInt(code, 16)),
    )

/** The first of these arguments that is a text and not empty. */
export function textIn({ values }: CallArguments, ...names: string[]): string | null {
  for (const name of names) {
    const value = values[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}
