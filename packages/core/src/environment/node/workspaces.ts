import { fieldsOf, listOf, textOf } from '../formats/records.ts'
import { readYaml } from '../formats/yaml-text.ts'
import type { Folder } from '../files/repository-files.ts'
import { folderOf } from '../files/repository-path.ts'
import type { Manifest } from './manifest.ts'

const MOST_PATTERNS = 100
const LONGEST_PATTERN = 200
/** More of them tell nothing new about how they are tested. */
const MOST_MEMBERS = 300
const MOST_FILES = 5000

/** The folders of a package's workspaces, from the package's own folder; `''` is never among them. */
export const workspaceFolders = (folder: Folder, { workspaces }: Manifest): string[] =>
  foldersOf(folder, [...workspaces, ...ofPnpm(folder)], /(?:^|\/)package\.json$/)

/** @param manifest the file that makes a folder a member */
export function foldersOf(folder: Folder, all: readonly string[], manifest: RegExp): string[] {
  const patterns = all.slice(0, MOST_PATTERNS).filter((pattern) => pattern.length <= LONGEST_PATTERN)
  const wanted = patterns.filter((pattern) => !pattern.startsWith('!')).map(matcher)
  if (wanted.length === 0) return []
  const unwanted = patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => matcher(pattern.slice(1)))
  return folder
    .below(manifest, MOST_FILES)
    .map(folderOf)
    .filter(
      (path) =>
        path !== '' &&
        !/(?:^|\/)node_modules\//.test(path) &&
        wanted.some((is) => is(path)) &&
        !unwanted.some((is) => is(path)),
    )
    .slice(0, MOST_MEMBERS)
}

function ofPnpm(folder: Folder): string[] {
  const yaml = readYaml(folder.text('pnpm-workspace.yaml') ?? '')
  return listOf(fieldsOf(yaml?.value)['packages'])
    .map(textOf)
    .filter((one) => one !== null)
}

/** Matches part by part, so no pattern takes long: `*` within a name, `**` for any folders, `{a,b}` for one of them. */
function matcher(pattern: string): (path: string) => boolean {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  const matches = (at: number, names: readonly string[]): boolean => {
    const part = parts[at]
    if (part === undefined) return names.length === 0
    if (part === '**') return names.some((_, skip) => matches(at + 1, names.slice(skip))) || at === parts.length - 1
    const [name, ...rest] = names
    return name !== undefined && isNamed(part, name) && matches(at + 1, rest)
  }
  // Each `**` may try every folder, and the folders of a path are few.
  return parts.filter((part) => part === '**').length > 2 ? () => false : (path) => matches(0, path.split('/'))
}

function isNamed(part: string, name: string): boolean {
  const choice = /^\{([^{}]*)\}$/.exec(part)?.[1]
  if (choice !== undefined) return choice.split(',').some((one) => isNamed(one, name))
  const [start = '', ...others] = part.split('*')
  const end = others.pop()
  if (end === undefined) return name === part
  // Text between two stars is searched from the left.
  let at = start.length
  if (!name.startsWith(start)) return false
  for (const piece of others) {
    const found = name.indexOf(piece, at)
    if (found === -1) return false
    at = found + piece.length
  }
  return name.length - end.length >= at && name.endsWith(end)
}
