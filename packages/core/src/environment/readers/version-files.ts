import { place, toolClaim, unreadable } from '../claims.ts'
import { jsonLine, readJson } from '../formats/json-text.ts'
import { linesOf } from '../formats/lines.ts'
import { fieldsOf, listOf, textOf, wordOf } from '../formats/records.ts'
import { isObject } from '../../text/json-object.ts'
import { readToml, tomlLine } from '../formats/toml-text.ts'
import type { Note, Reading, Tool, ToolClaim } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'
import { toolNamed, versionNamed } from './tool-names.ts'

/** Files whose only purpose is to name versions. Files for several tools come first, as mise reads them. */
export function versionFiles(folder: Folder): Reading | null {
  const notes: Note[] = []
  const found = [
    ...MISE.flatMap((file) => miseTools(folder, file, notes)),
    ...asdfTools(folder),
    ...sdkmanTools(folder),
    ...ONE_WORD.flatMap(([file, tool]) => oneWord(folder, file, tool)),
    ...voltaTools(folder),
  ]
  return found.length === 0 && notes.length === 0 ? null : { tools: found, notes }
}

const MISE = ['mise.toml', '.mise.toml', '.config/mise.toml', 'mise/config.toml', '.mise/config.toml']

const ONE_WORD: readonly [file: string, tool: Tool][] = [
  ['.nvmrc', 'node'],
  ['.node-version', 'node'],
  ['.bun-version', 'bun'],
  ['.python-version', 'python'],
  ['.go-version', 'go'],
  ['.java-version', 'java'],
  ['.ruby-version', 'ruby'],
  ['.php-version', 'php'],
]

function miseTools(folder: Folder, file: string, notes: Note[]): ToolClaim[] {
  const text = folder.text(file)
  if (text === null) return []
  const mise = readToml(text)
  if (mise === null) notes.push(unreadable(folder, file, 'TOML'))
  return Object.entries(fieldsOf(mise?.['tools']))
    .slice(0, MOST_TOOLS)
    .flatMap(([name, value]) => {
      const tool = toolNamed(name)
      const first = Array.isArray(value) ? listOf(value)[0] : value
      const version = wordOf(isObject(first) ? first['version'] : first)
      return tool === null
        ? []
        : toolClaim(tool, versionNamed(tool, version), place(folder, file, tomlLine(text, ['tools', name])))
    })
}

const MOST_TOOLS = 100

function asdfTools(folder: Folder): ToolClaim[] {
  const file = '.tool-versions'
  return linesOf(folder.text(file) ?? '')
    .slice(0, MOST_TOOLS)
    .flatMap((line, at) => {
      const [name = '', version] = line.slice(0, 300).replace(/#.*$/, '').trim().split(/\s+/)
      const tool = toolNamed(name)
      return tool === null || version === undefined
        ? []
        : toolClaim(tool, versionNamed(tool, version), place(folder, file, at + 1))
    })
}

/** `java=21.0.2-tem`, a line for each tool. */
function sdkmanTools(folder: Folder): ToolClaim[] {
  const file = '.sdkmanrc'
  return linesOf(folder.text(file) ?? '')
    .slice(0, MOST_TOOLS)
    .flatMap((line, at) => {
      const [name = '', version = ''] = line.slice(0, 300).replace(/#.*$/, '').split('=')
      const tool = toolNamed(name.trim())
      return tool === null || version.trim() === ''
        ? []
        : toolClaim(tool, versionNamed(tool, version.trim()), place(folder, file, at + 1))
    })
}

/** One version, below comments; of several for pyenv, the first counts. */
function oneWord(folder: Folder, file: string, tool: Tool): ToolClaim[] {
  const lines = linesOf((folder.text(file) ?? '').slice(0, 2000))
  const at = lines.findIndex((line) => line.trim() !== '' && !line.trim().startsWith('#'))
  const version = (lines[at] ?? '').trim().split(/\s+/)[0]
  return at === -1 || !version ? [] : toolClaim(tool, versionNamed(tool, version), place(folder, file, at + 1))
}

/** Volta keeps its versions in `package.json`. */
function voltaTools(folder: Folder): ToolClaim[] {
  const text = folder.text('package.json')
  if (text === null) return []
  const volta = fieldsOf(fieldsOf(readJson(text))['volta'])
  return (['node', 'npm', 'pnpm', 'yarn'] as const).flatMap((tool) => {
    const version = textOf(volta[tool])
    return version === null
      ? []
      : toolClaim(tool, version, place(folder, 'package.json', jsonLine(text, ['volta', tool])))
  })
}
