import type { DiffFile } from '../ports/hub.ts'
import type { Git } from './git.ts'
import { checkCommit, treePath } from './names.ts'

const DIFF_TIMEOUT_MS = 60_000
const DEFAULT_PATCH_LIMIT = 1024 ** 2

/** Plumbing on two trees: no driver, no text conversion, no external program, file names as they are. */
const flags = ['-r', '--no-ext-diff', '--no-textconv', '--no-color', '--find-renames', '-l1000', '--submodule=short']

export type DiffDeps = { git: Git; gitDir: string }

/** Every file that differs; lines are null for binary files and those above 16 MiB. */
export async function diffFiles({ git, gitDir }: DiffDeps, from: string, to: string): Promise<DiffFile[]> {
  const args = ['diff-tree', ...flags, '-z', '--raw', '--numstat', checkCommit(from), checkCommit(to), '--']
  const { stdout } = await git.run({ gitDir, args, timeoutMs: DIFF_TIMEOUT_MS })
  return parseDiff(stdout.toString('utf8').split('\0'))
}

/** One file's unified diff, cut at `limitBytes` (1 MiB) with a last line that says so. */
export async function filePatch(
  deps: DiffDeps,
  from: string,
  to: string,
  path: string,
  limitBytes = DEFAULT_PATCH_LIMIT,
): Promise<string> {
  const clean = treePath(path)
  if (clean === null) return ''
  const { git, gitDir } = deps
  // A rename shows as one only when both names are asked for.
  const oldPath = (await diffFiles(deps, from, to)).find((file) => file.path === clean)?.oldPath
  const paths = oldPath ? [clean, oldPath] : [clean]
  const args = ['diff-tree', ...flags, '--patch', checkCommit(from), checkCommit(to), '--', ...paths]
  const done = await git.run({ gitDir, args, timeoutMs: DIFF_TIMEOUT_MS, limitBytes, cut: true })
  const text = new TextDecoder().decode(done.stdout)
  return done.cut ? `${text.slice(0, text.lastIndexOf('\n') + 1)}… cut at ${limitBytes} bytes\n` : text
}

/** First all `--raw` records (they start with a colon), then all `--numstat` ones, in the same order of files. */
function parseDiff(fields: string[]): DiffFile[] {
  const files: DiffFile[] = []
  let i = 0
  for (; fields[i]?.startsWith(':'); i += 1) {
    const status = fields[i]?.split(' ')[4]?.[0] ?? 'M'
    const first = fields[(i += 1)] ?? ''
    const moved = status === 'R' || status === 'C'
    const path = moved ? (fields[(i += 1)] ?? '') : first
    files.push({ path, oldPath: moved ? first : null, status, added: null, removed: null })
  }
  const byPath = new Map(files.map((file) => [file.path, file]))
  for (; i < fields.length; i += 1) {
    const [added = '-', removed = '-', name = ''] = splitTwice(fields[i] ?? '')
    const path = name === '' ? (fields[(i += 2)] ?? '') : name
    const file = byPath.get(path)
    if (!file || added === '-') continue
    file.added = Number(added)
    file.removed = Number(removed)
  }
  return files
}

/** Two numbers, then a name that may hold tabs itself. */
function splitTwice(field: string): string[] {
  const first = field.indexOf('\t')
  const second = field.indexOf('\t', first + 1)
  return first === -1 ? [] : [field.slice(0, first), field.slice(first + 1, second), field.slice(second + 1)]
}
