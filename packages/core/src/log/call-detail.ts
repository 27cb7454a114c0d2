// Long arguments are cut, so this may be half of a document.
const TELLING = /"(?:command|cmd|path|file_path|file|pattern|query|url)"\s*:\s*"((?:[^"\\]|\\.)*)/

/** What tells one call of a tool from the next, of its arguments as JSON: its command, or its file. Empty when nothing does. */
export const callDetail = (args: string): string =>
  (TELLING.exec(args)?.[1] ?? '')
    .replace(/\\(?:[nrt]|u[0-9a-f]{4})/gi, ' ')
    .replace(/\\(.)/g, '$1')
    .trim()
