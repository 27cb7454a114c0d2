import type { DiffFile, DiffHow, Patch, PatchHow } from '../ports/hub.ts'
import type { Git } from './git/git.ts'
import { checkCommit, treePath } from './clones/names.ts'

const DIFF_TIMEOUT_MS = 60_000
const DEFAULT_PATCH_LIMIT = 1024 ** 2

/** Plumbing on two trees: no driver, no text conversion, no external program, file names as they are. */
const flags = ['-r', '--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '-l1000', '--submodule=short']

export type DiffDeps = { git: Git; gitDir: string }
export type PatchWish = PatchHow & { from: string; to: string; path: string; limitBytes?: number | undefined }

const spaceFlags = ({ ignoreSpace }: DiffHow): string[] => (ignoreSpace === true ? ['--ignore-all-space'] : [])

/**
 * Every file that differs; lines are null for binary files and those above 16 MiB. A file that differs only in
 * ignored space is listed, with no lines.
 */
export async function diffFiles(
  { git, gitDir }: DiffDeps,
  from: string,
  to: string,
  how: DiffHow = {},
): Promise<DiffFile[]> {
  const shape = ['-z', '--raw', '--no-abbrev', '--numstat', ...spaceFlags(how)]
  const args = ['diff-tree', ...flags, ...shape, checkCommit(from), checkCommit(to), '--']
  const { stdout } = await git.run({ gitDir, args, timeoutMs: DIFF_TIMEOUT_MS })
  return parseDiff(stdout.toString('utf8').split('\0'))
}

/** One file's unified diff, cut at a line below `limitBytes` (1 MiB). `files`: every file that differs. */
export async function filePatch(
  { git, gitDir }: DiffDeps,
  { from, to, path, limitBytes = DEFAULT_PATCH_LIMIT, context, ...how }: PatchWish,
  files: readonly DiffFile[],
): Promise<Patch> {
  const clean = treePath(path)
  if (clean === null) return { text: '', cut: false }
  // Git shows a rename only when both names are asked for.
  const oldPath = files.find((file) => file.path === clean)?.oldPath
  const paths = oldPath ? [clean, oldPath] : [clean]
  const lines = context === undefined ? [] : [`--unified=${Math.max(0, Math.floor(context))}`]
  const shape = ['--patch', ...lines, ...spaceFlags(how)]
  const args = ['diff-tree', ...flags, ...shape, checkCommit(from), checkCommit(to), '--', ...paths]
  const done = await git.run({ gitDir, args, timeoutMs: DIFF_TIMEOUT_MS, limitBytes, cut: true })
  const text = new TextDecoder().decode(done.stdout)
  return { text: done.cut ? text.slice(0, text.lastIndexOf('\n') + 1) : text, cut: done.cut }
}

/** First all `--raw` records (they start with a colon), then all `--numstat` ones, in the same order of files. */
function parseDiff(fields: string[]): DiffFile[] {
  const files: DiffFile[] = []
  let i = 0
  for (; fields[i]?.startsWith(':'); i += 1) {
    const [, , , object = '', letter] = fields[i]?.split(' ') ?? []
    const status = letter?.[0] ?? 'M'
    const first = fields[(i += 1)] ?? ''
    const moved = status === 'R' || status === 'C'
    const path = moved ? (fields[(i += 1)] ?? '') : first
    const blob = /^0*$/.test(object) ? null : object
    files.push({ path, oldPath: moved ? first : null, status, added: 0, removed: 0, blob })
  }
  const byPath = new Map(files.map((file) => [file.path, file]))
  for (; i < fields.length; i += 1) {
    const [added = '-', removed = '-', name = ''] = splitTwice(fields[i] ?? '')
    const path = name === '' ? (fields[(i += 2)] ?? '') : name
    const file = byPath.get(path)
    if (!file) continue
    file.added = added === '-' ? null : Number(added)
    file.removed = removed === '-' ? null : Number(removed)
  }
  return files
}

/** Two numbers, then a name that may contain tabs. */
function splitTwice(field: string): string[] {
  const first = field.indexOf('\t')
  const second = field.indexOf('\t', first + 1)
  return first === -1 ? [] : [field.slice(0, first), field.slice(first + 1, second), field.slice(second + 1)]
}
