import { posix } from 'node:path'
import type { SourceFile } from './check.ts'

/**
 * More files than this side by side are a drawer: a reader does not find a place in it. Tests do not count.
 */
export const MOST_FILES = 35

/** A folder with sources, its own ones and its sub-folders; `readme` null: it has none. */
export type Room = { folder: string; files: string[]; folders: string[]; readme: string | null }

/** Folders that explain themselves: their names say what is in them. */
const PLAIN = /\/(?:testing|fixtures|migrations)(?:\/|$)/

/** `files`: every file below the folders that are looked at, with READMEs and style sheets. */
export function roomsIn(files: readonly SourceFile[]): Room[] {
  const folders = new Set(files.map(({ path }) => posix.dirname(path)).filter((folder) => !PLAIN.test(folder)))
  return [...folders].sort().map((folder) => ({
    folder,
    files: files
      .filter(({ path }) => posix.dirname(path) === folder && isListed(path, files))
      .map(({ path }) => posix.basename(path)),
    folders: foldersIn(folder, files),
    readme: files.find(({ path }) => path === `${folder}/README.md`)?.text ?? null,
  }))
}

/** Whether a README needs a line about a file. A style sheet belongs to the component of the same name. */
function isListed(path: string, files: readonly SourceFile[]): boolean {
  if (/\.test\.tsx?$|README\.md$/.test(path)) return false
  const component = path.replace(/\.module\.css$/, '.tsx')
  return component === path || !files.some((other) => other.path === component)
}

function foldersIn(folder: string, files: readonly SourceFile[]): string[] {
  const below = files.flatMap(({ path }) => (path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1)] : []))
  const names = below.flatMap((path) => (path.includes('/') ? [`${path.split('/')[0]}/`] : []))
  return [...new Set(names)].filter((name) => !PLAIN.test(`/${name}`))
}

/** One sentence for each thing about a room that a reader would miss. */
export function problemsOf({ folder, files, folders, readme }: Room): string[] {
  const crowded = files.length > MOST_FILES ? [`${folder} has ${files.length} files side by side: make rooms`] : []
  if (readme === null) return [...crowded, `${folder} has no README.md with a line a file`]
  const named = [...readme.matchAll(/^- `([^`]+)`: \S/gm)].map(([, name]) => name ?? '')
  const there = [...files, ...folders]
  return [
    ...crowded,
    ...there.filter((name) => !named.includes(name)).map((name) => `${folder}/README.md says nothing of ${name}`),
    ...named
      .filter((name) => !there.includes(name) && !PLAIN.test(`/${name}`))
      .map((name) => `${folder}/README.md names ${name}, which is not there`),
    ...named.filter((name, at) => named.indexOf(name) < at).map((name) => `${folder}/README.md names ${name} twice`),
  ]
}
