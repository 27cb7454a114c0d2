import { fieldsOf, listOf, textOf } from '../../formats/records.ts'
import { tableOf, type PythonProject } from './python-project.ts'
import { sameName } from './requirement.ts'

const PLAIN = /^[\w*][\w./*-]{0,200}$/

/**
 * Folders whose packages are installed with the project, as patterns: a workspace of uv, and requirements with a path.
 * No registry knows their names, so nothing asks one for them.
 */
export function membersOf(project: PythonProject): string[] {
  const workspace = listOf(tableOf(project, 'tool', 'uv', 'workspace')['members'])
  const groups = Object.values(tableOf(project, 'tool', 'poetry', 'group')).map(
    (group) => fieldsOf(group)['dependencies'],
  )
  const required = [
    tableOf(project, 'tool', 'uv', 'sources'),
    tableOf(project, 'tool', 'poetry', 'dependencies'),
    tableOf(project, 'tool', 'poetry', 'dev-dependencies'),
    ...groups.map(fieldsOf),
  ].flatMap((table) => Object.values(table))
  return [...workspace, ...required.flatMap((one) => [one, ...listOf(one)]).map((one) => fieldsOf(one)['path'])]
    .flatMap((path) => textOf(path)?.replace(/^\.\/|\/$/g, '') ?? [])
    .filter((path) => PLAIN.test(path) && !path.split('/').includes('..'))
    .slice(0, MOST)
}

/** Whether the project asks for a package by the folder of a member, or by its name within the workspace. */
export const isRequiredByPath = (project: PythonProject, folder: string, name: string | null): boolean =>
  membersOf(project).includes(folder) ||
  Object.entries(tableOf(project, 'tool', 'uv', 'sources')).some(
    ([own, source]) => sameName(own) === name && [source, ...listOf(source)].some((one) => fieldsOf(one)['workspace']),
  )

const MOST = 200

/** The members whose folders exist. */
export function memberFolders(project: PythonProject): string[] {
  const patterns = membersOf(project)
  if (patterns.length === 0) return []
  const folders = project.files
    .filter((file) => MANIFEST.test(file))
    .map((file) => file.slice(0, file.lastIndexOf('/')))
  return [...new Set(folders)].filter((folder) => isMember(folder, patterns)).slice(0, MOST)
}

const MANIFEST = /\/(?:pyproject\.toml|setup\.py)$/

/** Whether one of the patterns, such as `packages/*`, matches this folder. One star is any name, two are any names. */
export function isMember(folder: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const names = pattern.split('/')
    const own = folder.split('/')
    if (names.at(-1) === '**')
      return own.length >= names.length && names.slice(0, -1).every((name, at) => fits(name, own[at]))
    return names.length === own.length && names.every((name, at) => fits(name, own[at]))
  })
}

function fits(pattern: string, name: string | undefined): boolean {
  if (name === undefined) return false
  const [begin = '', end] = pattern.split('*')
  return end === undefined
    ? name === begin
    : name.startsWith(begin) && name.endsWith(pattern.slice(pattern.lastIndexOf('*') + 1))
}
