import { lstatSync, mkdirSync, readdirSync, renameSync, rmdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'
import { asideIn } from './aside.ts'
import { copyTree, moveEntry, removeTree } from './trees.ts'

/** The most files and bytes that each container may copy when it starts, which takes some seconds. */
export type Most = { files: number; bytes: number }
export const MOST: Most = { files: 50_000, bytes: 2 * 1024 ** 3 }

/** Stays where it is: it has few, large files, and nobody renames folders in it. */
const REPOSITORY = '.git'

type Entry = { name: string; files: number; bytes: number }

/**
 * Moves the workspace's content to where containers of the new image find it and copy it from (`own-workspace.ts`). A
 * move within the container's own layer costs nothing. May be repeated.
 *
 * @returns the names of what is larger than `most` together, or cannot be copied: it stays in the image, where folders
 *   cannot be renamed
 */
export async function setAside(folder: string, workspace: string, most: Most = MOST): Promise<string[]> {
  if (!canMoveBetween(workspace, folder)) return []
  const aside = asideIn(folder)
  mkdirSync(aside, { recursive: true, mode: 0o700 })
  const names = readdirSync(workspace).filter((name) => name !== REPOSITORY)
  const measured = names.map((name) => measure(join(workspace, name), name, most))
  const smallestFirst = measured.toSorted((one, other) => one.files - other.files || one.bytes - other.bytes)
  const left: string[] = []
  const sum = { files: 0, bytes: 0 }
  for (const { name, files, bytes } of smallestFirst) {
    const fits = sum.files + files <= most.files && sum.bytes + bytes <= most.bytes
    if (!fits || !(await moved(join(workspace, name), join(aside, name)))) {
      left.push(name)
      continue
    }
    sum.files += files
    sum.bytes += bytes
  }
  return left
}

/** False if each is a volume of its own: there, folders can be renamed anyway. */
function canMoveBetween(workspace: string, folder: string): boolean {
  const [here, there] = [join(folder, '.probe'), join(workspace, '.beadloom-probe')]
  mkdirSync(here, { recursive: true })
  try {
    renameSync(here, there)
    rmdirSync(there)
    return true
  } catch {
    rmdirSync(here)
    return false
  }
}

/** False if nothing was moved: what the base image itself has in the workspace cannot be moved in one piece. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    moveEntry(from, to)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') return false
  }
  try {
    await copyTree(from, to)
  } catch {
    await removeTree(to)
    return false
  }
  await removeTree(from)
  return true
}

/** Stops counting at the limit. A file that this user may not read counts as over the limit. */
function measure(path: string, name: string, most: Most): Entry {
  const sum: Entry = { name, files: 0, bytes: 0 }
  const open = [path]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const found = lstatSync(next)
    if (!isReadable(found)) return { name, files: Infinity, bytes: Infinity }
    sum.files += 1
    sum.bytes += found.blocks * 512
    if (sum.files > most.files || sum.bytes > most.bytes) return sum
    if (found.isDirectory()) open.push(...readdirSync(next).map((child) => join(next!, child)))
  }
  return sum
}

function isReadable(found: Stats): boolean {
  if (found.isSymbolicLink()) return true
  if (found.uid !== process.getuid?.()) return false
  return found.isDirectory() ? (found.mode & 0o500) === 0o500 : (found.mode & 0o400) !== 0
}
