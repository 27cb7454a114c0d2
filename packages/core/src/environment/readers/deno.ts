import { commandClaim, place, toolClaim } from '../claims.ts'
import { jsonLine, readJson } from '../formats/json-text.ts'
import { fieldsOf } from '../formats/records.ts'
import type { Reading } from '../found.ts'
import type { Folder } from '../repository-files.ts'

export function deno(folder: Folder): Reading | null {
  const file = ['deno.json', 'deno.jsonc'].find((name) => folder.has(name))
  if (file === undefined) return null
  const text = folder.text(file) ?? ''
  const tasks = fieldsOf(fieldsOf(readJson(text))['tasks'])
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
    techStack: ['TypeScript', 'Deno'],
  }
}
