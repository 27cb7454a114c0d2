import { randomUUID } from 'node:crypto'
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod/mini'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { otherThanFile } from './plain-file.ts'

/**
 * Secrets of projects, by their names. They are in a file of their own, which only the server's user can read, and not
 * in the database, because that is copied every hour.
 */
export interface Secrets {
  /** Throws `SecretFileError` if the file cannot be used. */
  of(project: ProjectId): Readonly<Record<string, string>>
  set(project: ProjectId, name: string, value: string): void
  /** False: there was none. */
  remove(project: ProjectId, name: string): boolean
  /** Removes all secrets of a deleted project: another one may get its id. */
  forget(project: ProjectId): void
}

/** The message never contains a value. */
export class SecretFileError extends Error {
  override name = 'SecretFileError'
}

const MOST_BYTES = 4 * 1024 ** 2
const OTHERS_MAY = 0o077

// The parser's messages would quote values, so none is shown.
const File = z.record(z.string(), z.record(z.string(), z.string()))
type File = z.infer<typeof File>

export const secretFilePath = (data: string): string => join(data, 'secrets.json')

/** Reads the small file anew each time; replaces it in one step, so a full disk or a kill leaves the old one. */
export function secretFile(data: string): Secrets {
  const path = secretFilePath(data)
  const own = (file: File, project: ProjectId) => (Object.hasOwn(file, project) ? (file[project] ?? {}) : {})
  const change = (project: ProjectId, next: Record<string, string>): void => {
    const others = Object.entries(read(path)).filter(([id]) => id !== project)
    write(path, Object.fromEntries(Object.keys(next).length === 0 ? others : [...others, [project, next]]))
  }
  return {
    of: (project) => own(read(path), project),
    set: (project, name, value) => change(project, { ...own(read(path), project), [name]: value }),
    remove: (project, name) => {
      const { [name]: removed, ...rest } = own(read(path), project)
      if (removed === undefined) return false
      change(project, rest)
      return true
    },
    forget: (project) => {
      if (Object.hasOwn(read(path), project)) change(project, {})
    },
  }
}

function read(path: string): File {
  let file: number
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) // a pipe would block the whole server
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw unusable(path, 'cannot be read', 'let the user who runs the server read it')
  }
  try {
    const found = fstatSync(file)
    if (otherThanFile(found) !== null) throw unusable(path, 'is no file', 'move it away')
    if ((found.mode & OTHERS_MAY) !== 0)
      throw unusable(
        path,
        'may be read by others',
        `chmod 600 ${path}, and replace the secrets, which others may have read`,
      )
    if (found.size > MOST_BYTES) throw unusable(path, 'is far too large', 'correct it by hand')
    return parsed(path, readFileSync(file, 'utf8'))
  } finally {
    closeSync(file)
  }
}

function parsed(path: string, text: string): File {
  try {
    return File.parse(JSON.parse(text))
  } catch {
    throw unusable(path, 'is not what Beadloom has written', 'delete it, and set the secrets again')
  }
}

function write(path: string, content: File): void {
  const part = `${path}.${randomUUID()}.part`
  try {
    const file = openSync(part, 'wx', 0o600)
    try {
      writeSync(file, `${JSON.stringify(content, null, 2)}\n`)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(part, path)
  } finally {
    rmSync(part, { force: true })
  }
}

const unusable = (path: string, why: string, what: string): SecretFileError =>
  new SecretFileError(`the file of secrets ${path} ${why}: ${what}`)
