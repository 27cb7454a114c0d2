import { isObject } from '../text/json-object.ts'

/** What a call was given, by name; what is not JSON, because it was shortened or is a command itself, by what can be read of it. */
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
    // Half of a document: the strings that are whole, and the last one as far as it goes.
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

/** The first of these that is a text with something in it. */
export function textIn({ values }: CallArguments, ...names: string[]): string | null {
  for (const name of names) {
    const value = values[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}
