import { commandClaim, place, toolClaim } from '../claims.ts'
import { fieldsOf, wordOf } from '../formats/records.ts'
import { readYaml } from '../formats/yaml-text.ts'
import type { Reading } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'

const FILE = 'pubspec.yaml'

/** A package of Dart or Flutter; its tests are in `test`. */
export function dart(folder: Folder): Reading | null {
  if (!folder.has(FILE)) return null
  const yaml = readYaml(folder.text(FILE) ?? '')
  const manifest = fieldsOf(yaml?.value)
  const version = wordOf(fieldsOf(manifest['environment'])['sdk'])
  const flutter = Object.hasOwn(fieldsOf(manifest['dependencies']), 'flutter')
  const call = flutter ? 'flutter' : 'dart'
  const tested = folder.below(/^test\/.*_test\.dart$/, 1).length > 0
  const command = (purpose: 'setup' | 'test', line: string) =>
    tested ? commandClaim(folder, 'dart', purpose, line, place(folder, FILE)) : []
  return {
    tools: toolClaim(
      'dart',
      version,
      place(folder, FILE, version === null ? null : (yaml?.line(['environment', 'sdk']) ?? null)),
    ),
    commands: [...command('setup', `${call} pub get`), ...command('test', `${call} test`)],
    techStack: flutter ? ['Dart', 'Flutter'] : ['Dart'],
  }
}
