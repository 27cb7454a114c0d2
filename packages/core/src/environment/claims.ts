import type { CommandClaim, Confidence, Family, Note, Place, Purpose, Tool, ToolClaim } from './found.ts'
import type { Folder } from './files/repository-files.ts'

/** A version. Longer texts, and those with other characters, are none. */
const VERSION = /^[\w.*^~<>=!|,+\-/@: ]{1,80}$/

/** The limit of `beadloom.json`; no command line of a build is longer. */
export const LONGEST_COMMAND = 2000

export const place = (folder: Folder, name: string, line: number | null = null): Place => ({
  file: folder.at(name),
  line,
})

/** Empty if the text is no version: the other claims of the file still count. */
export function toolClaim(
  tool: Tool,
  version: string | null,
  from: Place,
  { confidence = 'said', least = false }: { confidence?: Confidence; least?: boolean } = {},
): ToolClaim[] {
  const written = version?.trim() ?? null
  return written === null || VERSION.test(written) ? [{ tool, version: written, least, from, confidence }] : []
}

export function commandClaim(
  folder: Folder,
  family: Family,
  purpose: Purpose,
  command: string | null,
  from: Place,
  confidence: Confidence = 'usual',
): CommandClaim[] {
  if (command === null || command.trim() === '' || command.length > LONGEST_COMMAND || command.includes('\0')) return []
  return [{ purpose, command: command.trim(), folder: folder.path, family, from, confidence }]
}

/** `what`: the format that the file should have, such as "JSON". */
export const unreadable = (folder: Folder, name: string, what: string): Note => ({
  text: `${folder.at(name)} is not ${what} that Beadloom can read; only its presence counts.`,
  from: place(folder, name),
})
