// Long arguments are cut, so this may be half of a document.
const TELLING = /"(?:command|cmd|path|file_path|file|pattern|query|url)"\s*:\s*"((?:[^"\\]|\\.)*)/

/**
 * The detail that tells one tool call from the next: the command or file in its JSON arguments. Empty if there is none.
 */
export const callDetail = (args: string): string =>
  (TELLING.exec(args)?.[1] ?? '')
    .replace(/\\(?:[nrt]|u[0-9a-f]{4})/gi, ' ')
    .replace(/\\(.)/g, '$1')
    .trim()
