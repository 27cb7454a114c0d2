import type { LogSection } from '@beadloom/core/api.ts'

// The server cuts long arguments, so this may be half of a document.
const TELLING = /"(?:command|cmd|path|file_path|file|pattern|query|url)"\s*:\s*"((?:[^"\\]|\\.)*)/
const LENGTH = 80

/** What tells one call of a tool from the next: its command, or its file. Empty when nothing does. */
export function callDetail({ kind, command }: Pick<LogSection, 'kind' | 'command'>): string {
  if (kind !== 'call' || command === null) return ''
  const found = TELLING.exec(command)?.[1] ?? ''
  return found
    .replace(/\\(?:[nrt]|u[0-9a-f]{4})/gi, ' ')
    .replace(/\\(.)/g, '$1')
    .trim()
    .slice(0, LENGTH)
}
