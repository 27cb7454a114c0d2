import { constants } from 'node:fs'
import { lstat, open, readlink, realpath, type FileHandle } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { ToolRefusal, type ToolContext } from './tool.ts'

/** Source files are far smaller; data of this size is for the `bash` tool. */
const MAX_FILE_BYTES = 10 * 1024 * 1024

/**
 * The real path behind a path that a model named: inside the workspace, links followed, its folders existing. Throws a
 * `ToolRefusal` for anything else.
 */
export async function resolveInside(workspace: string, path: string): Promise<string> {
  if (path === '' || path.includes('\0')) throw new ToolRefusal('the path is empty or has a zero byte in it')
  const root = await realpath(workspace)
  const wanted = resolve(root, path)
  const parent = await realpath(dirname(wanted)).catch((error: NodeJS.ErrnoException) => {
    throw new ToolRefusal(error.code === 'ENOENT' ? `no such file: ${path}` : error.message)
  })
  const inParent = wanted === root ? root : join(parent, basename(wanted))
  const real = await followLink(inParent, path)
  if (!isInside(root, real)) throw new ToolRefusal(`${path} lies outside the workspace ${workspace}`)
  return real
}

/** The same for reading, which also allows files with whole outputs, by their absolute path. */
export async function resolveReadable(
  { workspace, outputs }: Pick<ToolContext, 'workspace' | 'outputs'>,
  path: string,
): Promise<string> {
  if (dirname(path) !== outputs.path) return resolveInside(workspace, path)
  const isFolder = (await lstat(outputs.path).catch(() => null))?.isDirectory() // a link could lead anywhere
  const real = isFolder ? await resolveInside(outputs.path, path).catch(() => null) : null
  if (real !== null && (await lstat(real).catch(() => null))) return real
  throw new ToolRefusal(`no such file: ${path}; only the newest outputs are kept, so make that call again`)
}

/** Refuses a dangling link: a file created through it could be anywhere. */
async function followLink(file: string, path: string): Promise<string> {
  const link = await readlink(file).catch(() => null)
  if (link === null) return file
  return realpath(file).catch(() => {
    throw new ToolRefusal(`${path} is a symbolic link to ${link}, which does not exist`)
  })
}

export function isInside(root: string, real: string): boolean {
  const way = relative(root, real)
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/**
 * Opens only a regular file. A FIFO or device with a file's name must not block us: the file is checked first, and
 * opened without waiting in case something has replaced it meanwhile.
 */
async function openRegular(real: string, path: string, flags: number): Promise<FileHandle> {
  const found = await lstat(real).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && flags & constants.O_CREAT) return null
    throw new ToolRefusal(error.code === 'ENOENT' ? `no such file: ${path}` : error.message)
  })
  if (found?.isDirectory()) throw new ToolRefusal(`${path} is a folder; list it with the bash tool`)
  if (found && !found.isFile()) throw new ToolRefusal(`${path} is no regular file`)
  const file = await open(real, flags | constants.O_NONBLOCK | constants.O_NOFOLLOW, 0o666)
  if ((await file.stat()).isFile()) return file
  await file.close()
  throw new ToolRefusal(`${path} is no regular file`)
}

/** The bytes of a regular file. Throws `TooLarge` if there are more than `most`. */
export async function readRegular(real: string, path: string, most = MAX_FILE_BYTES): Promise<Buffer> {
  const file = await openRegular(real, path, constants.O_RDONLY)
  try {
    const { size } = await file.stat()
    if (size > most) throw new TooLarge(path, size)
    const bytes = Buffer.alloc(size) // additions while we read are ignored
    let length = 0
    for (let read = 1; read > 0 && length < size; length += read) {
      read = (await file.read(bytes, length, size - length, length)).bytesRead
    }
    return bytes.subarray(0, length)
  } finally {
    await file.close()
  }
}

export class TooLarge extends ToolRefusal {
  override name = 'TooLarge'

  constructor(path: string, size: number) {
    const [is, most] = [size, MAX_FILE_BYTES].map((bytes) => bytes.toLocaleString('en-US'))
    super(`${path} has ${is} bytes, more than ${most}; use the bash tool to look at parts of it`)
  }
}

/** Replaces the content of a file, or makes it; an existing file keeps its mode. */
export async function writeRegular(real: string, path: string, content: string): Promise<void> {
  const bytes = Buffer.from(content, 'utf8')
  if (bytes.length > MAX_FILE_BYTES) throw new TooLarge(path, bytes.length)
  const file = await openRegular(real, path, constants.O_WRONLY | constants.O_CREAT)
  try {
    await file.truncate(0) // only now: what we opened is a regular file
    await file.writeFile(bytes)
  } finally {
    await file.close()
  }
}
