import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { Git, lastLines } from '../workspace/git.ts'
import { isSystemError } from '../ends/session-failure.ts'
import { ToolRefusal, type ToolContext } from './tool.ts'
import { isInside, readRegular, resolveReadable, TooLarge } from './workspace-file.ts'

/** The most files that are considered. */
const MAX_FILES = 100_000
/** Source files are smaller; anything larger is data. */
const MAX_FILE_BYTES = 2 * 1024 ** 2
/** The most globs to which one may expand: `*.{ts,tsx}` is two. */
const MAX_ALTERNATIVES = 32

/** A file to search: its name for the model, its path, and whether it was asked for by name. */
export type Candidate = { name: string; file: string; named: boolean }

/**
 * The files of the workspace that git does not ignore, sorted by name: all of them, those in a folder, or those that
 * match a glob. A file that was asked for by name is searched even if git ignores it.
 */
export async function filesToSearch(
  context: ToolContext,
  signal: AbortSignal,
  { path = '.', glob }: { path?: string | undefined; glob?: string | undefined },
): Promise<Candidate[]> {
  const root = await realpath(context.workspace)
  const real = await resolveReadable(context, path)
  const found = await lstat(real).catch(() => null)
  if (!found) throw new ToolRefusal(`no such file or folder: ${path}`)
  if (!found.isDirectory())
    return [{ name: isInside(root, real) ? relative(root, real) : path, file: real, named: true }]
  const git = new Git(root, { env: context.env, clock: context.clock, onOutput: () => {}, stop: signal })
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--']
  const { code, stdout, stderr } = await git.run([...args, ...pathspecs(relative(root, real), glob)])
  if (signal.aborted) return []
  if (code !== 0) throw new ToolRefusal(`git cannot list the files: ${lastLines(stderr)}; use the bash tool (grep -rn)`)
  // A file in conflict is listed several times.
  const names = [...new Set(stdout.split('\0').filter(Boolean))].toSorted().slice(0, MAX_FILES)
  return names.map((name) => ({ name, file: join(root, name), named: false }))
}

/** Git's pathspecs for the files of a folder, or for its files that match the glob. */
export function pathspecs(folder: string, glob: string | undefined): string[] {
  if (glob === undefined) return folder === '' ? [] : [`:(literal)${folder}`]
  const inside = folder === '' ? '' : `${folder.replace(/[\\*?[\]]/g, '\\$&')}/`
  return alternatives(glob.replace(/^\.?\/+/, '')).map(
    // As everywhere, a name without a folder matches in all folders.
    (one) => `:(glob)${inside}${one.includes('/') ? one : `**/${one}`}`,
  )
}

/** Expands `a.{b,c}` to `a.b` and `a.c`, which git does not do. */
function alternatives(glob: string): string[] {
  const done: string[] = []
  const open = [glob]
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const braces = /\{([^{}]*,[^{}]*)\}/.exec(next) // the innermost ones first
    if (!braces) done.push(next)
    else {
      const before = next.slice(0, braces.index)
      const after = next.slice(braces.index + braces[0].length)
      open.push(...braces[1]!.split(',').map((part) => before + part + after))
    }
    if (done.length + open.length > MAX_ALTERNATIVES)
      throw new ToolRefusal(`the glob stands for more than ${MAX_ALTERNATIVES} others; take a simpler one`)
  }
  return [...new Set(done)]
}

export type FileText = { text: string } | { skipped: 'binary' | 'large' | 'other' }

/** Reads files, each of them only if it is a regular one inside the workspace, without following links. */
export class FileReader {
  #root: Promise<string>
  #folders = new Map<string, Promise<boolean>>()

  constructor({ workspace }: Pick<ToolContext, 'workspace'>) {
    this.#root = realpath(workspace)
  }

  async read({ name, file, named }: Candidate): Promise<FileText> {
    if (!named && !(await this.#isInside(dirname(file)))) return { skipped: 'other' }
    try {
      // A file that was asked for by name may be as large as any that can be read.
      const bytes = await (named ? readRegular(file, name) : readRegular(file, name, MAX_FILE_BYTES))
      return bytes.subarray(0, 8192).includes(0) ? { skipped: 'binary' } : { text: bytes.toString('utf8') }
    } catch (error) {
      if (named || !(error instanceof ToolRefusal || isSystemError(error))) throw error
      return { skipped: error instanceof TooLarge ? 'large' : 'other' } // a link, not a file, or gone by now
    }
  }

  /** A folder that git knows may have become a link that leads outside. */
  #isInside(folder: string): Promise<boolean> {
    const known = this.#folders.get(folder)
    if (known) return known
    const answer = Promise.all([this.#root, realpath(folder)]).then(
      ([root, real]) => isInside(root, real),
      () => false,
    )
    this.#folders.set(folder, answer)
    return answer
  }
}
