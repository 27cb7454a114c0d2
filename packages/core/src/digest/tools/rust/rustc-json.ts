import { jsonObject, textOf } from '../../reading/failure-list.ts'

const RENDERED = /"rendered":("(?:[^"\\]|\\.)*)/
const MESSAGE = /"message":("(?:[^"\\]|\\.)*")/g
const CODE = /"code":"(E\d{4})"/

/**
 * The lines that rustc would print for a line of `--message-format=json`; none for a line without a diagnostic. Such
 * lines are long and get cut, so most are no valid JSON; the needed parts are near their start.
 */
export function renderedDiagnostic(line: string): string[] {
  if (!line.startsWith('{"reason":"compiler-message"')) return []
  const rendered = unquoted(RENDERED.exec(line)?.[1] ?? '')
  if (rendered !== '') return rendered.split('\n')
  // Before 2024 the rendered text was the last key, behind the explanation of the error's code.
  const code = CODE.exec(line)?.[1]
  const message = [...line.matchAll(MESSAGE)].map(([, text]) => unquoted(text ?? '')).find((text) => text !== '')
  return code === undefined || message === undefined ? [] : [`error[${code}]: ${message}`]
}

/** The value of a JSON string, even when its end is missing. */
function unquoted(quoted: string): string {
  const body = quoted.replace(/"$/, '').replace(/\\(?:u[\da-f]{0,3})?$/i, '')
  return textOf(jsonObject(`{"text":${body}"}`)?.['text'])
}
