import { commandClaim, place, toolClaim } from '../claims.ts'
import { jsonLine, readJson } from '../formats/json-text.ts'
import { fieldsOf, listOf, textOf } from '../formats/records.ts'
import type { Reading } from '../found.ts'
import { foldersOf } from '../node/workspaces.ts'
import type { Folder } from '../files/repository-files.ts'

export function deno(folder: Folder): Reading | null {
  const file = ['deno.json', 'deno.jsonc'].find((name) => folder.has(name))
  if (file === undefined) return null
  const text = folder.text(file) ?? ''
  const manifest = fieldsOf(readJson(text))
  const tasks = fieldsOf(manifest['tasks'])
  const task = (purpose: 'build' | 'test' | 'lint', usual: string | null) => {
    const said = Object.hasOwn(tasks, purpose)
    return commandClaim(
      folder,
      'deno',
      purpose,
      said ? `deno task ${purpose}` : usual,
      place(folder, file, said ? jsonLine(text, ['tasks', purpose]) : null),
      said ? 'said' : 'usual',
    )
  }
  return {
    tools: toolClaim('deno', null, place(folder, file)),
    commands: [
      ...commandClaim(folder, 'deno', 'setup', 'deno install', place(folder, file)),
      ...task('build', null),
      ...task('test', 'deno test'),
      ...task('lint', 'deno lint'),
    ],
    members: { family: 'deno', folders: membersOf(folder, manifest['workspace']) },
    techStack: ['TypeScript', 'Deno'],
  }
}

/** The members, in a plain list or under a key. */
function membersOf(folder: Folder, workspace: unknown): string[] {
  const patterns = listOf(Array.isArray(workspace) ? workspace : fieldsOf(workspace)['members'])
  const named = patterns.map(textOf).filter((one) => one !== null)
  return foldersOf(folder, named, /(?:^|\/)deno\.jsonc?$/).map((one) => folder.at(one))
}
