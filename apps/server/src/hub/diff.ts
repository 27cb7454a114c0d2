import { setImmediate } from 'node:timers/promises'
import { HIDDEN_MARKS } from '@beadloom/core/text/hidden-marks.ts'
import { HubError } from '../ports/hub.ts'
import type { DiffFile, DiffHow, ListHow, Patch, PatchHow } from '../ports/hub/diffs.ts'
import type { Git } from './git/git.ts'
import { pathArgument, pathBytes, pathPattern, pathText } from './git/path-text.ts'
import { quotedPath } from './git/quoted-path.ts'
import { checkCommit, treePath } from './clones/names.ts'

const DIFF_TIMEOUT_MS = 60_000
const DEFAULT_PATCH_LIMIT = 1024 ** 2
/** The limit of output on the way to a file's patch, if that file cannot be asked for alone. */
const AROUND_PATCH = 4 * 1024 ** 2

/** Plumbing on two trees: no driver, no text conversion, no external program, no attributes (git-flags.ts). */
export const plainDiff = [
  '-r',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--find-renames',
  '-l1000',
  '--submodule=short',
]

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
  how: ListHow = {},
): Promise<DiffFile[]> {
  // As text: a zero byte in a comment would hide all lines of a file.
  const matching = how.lines === undefined ? [] : [`-G${how.lines}`, '--text']
  const shape = ['-z', '--raw', '--no-abbrev', '--numstat', ...spaceFlags(how), ...matching]
  const args = ['diff-tree', ...plainDiff, ...shape, checkCommit(from), checkCommit(to), '--']
  const { stdout } = await git.run({ gitDir, args, timeoutMs: DIFF_TIMEOUT_MS })
  return parseDiff(fieldsOf(stdout))
}

/** One file's unified diff, cut at a line below `limitBytes` (1 MiB). `files`: every file that differs. */
export async function filePatch(deps: DiffDeps, wish: PatchWish, files: readonly DiffFile[]): Promise<Patch> {
  const patch = await readPatch(deps, wish, files)
  const { added, removed } = files.find(({ path }) => path === treePath(wish.path)) ?? { added: 0, removed: 0 }
  if (patch.text !== '' || patch.cut || (added === 0 && removed === 0)) return patch
  const why = `Git lists ${JSON.stringify(wish.path)} as changed and shows no change in it, so what was done to it cannot be read.`
  throw new HubError('unreadable', why)
}

async function readPatch(
  { git, gitDir }: DiffDeps,
  { from, to, path, limitBytes = DEFAULT_PATCH_LIMIT, context, text, ...how }: PatchWish,
  files: readonly DiffFile[],
): Promise<Patch> {
  const clean = treePath(path)
  if (clean === null) return { text: '', cut: false }
  // Git shows a rename only if both names are asked for.
  const oldPath = files.find((file) => file.path === clean)?.oldPath
  const paths = oldPath ? [clean, oldPath] : [clean]
  const lines = context === undefined ? [] : [`--unified=${Math.max(0, Math.floor(context))}`]
  const shape = ['--patch', ...lines, ...(text === true ? ['--text'] : []), ...spaceFlags(how)]
  const args = ['diff-tree', ...plainDiff, ...shape, checkCommit(from), checkCommit(to), '--']
  const limits = { gitDir, timeoutMs: DIFF_TIMEOUT_MS, cut: true }
  const names = paths.map(pathArgument)
  if (names.every((name) => name !== null)) {
    const config = names.every(isReadable) ? [NAMES_AS_THEY_ARE] : []
    const done = await git.run({ ...limits, config, args: [...args, ...names], limitBytes })
    return wholeLines(done.stdout, done.cut)
  }
  // Such a name cannot be an argument: a pattern asks for it, perhaps with others, and its patch is picked out.
  const patterns = ['--no-literal-pathspecs', ...args, ...paths.map(pathPattern)]
  const done = await git.run({ ...limits, args: patterns, limitBytes: limitBytes + AROUND_PATCH })
  const found = sectionsOf(done.stdout.toString('latin1'), headerOf(oldPath ?? clean, clean))
  const isCut = found.length > limitBytes || (done.cut && (found.isLast || found.length === 0))
  return wholeLines(Buffer.from(found.text, 'latin1').subarray(0, limitBytes), isCut)
}

/** Without it, git writes each byte of "ü" as three octal digits. Quotes, tabs and line ends stay escaped. */
export const NAMES_AS_THEY_ARE = 'core.quotePath=false'

/** Whether nothing invisible in the name could make it look like another one. */
const isReadable = (name: string): boolean => name.search(HIDDEN_MARKS) === -1 && !/[\u0080-\u009f]/.test(name)

function wholeLines(bytes: Buffer, cut: boolean): Patch {
  const text = new TextDecoder().decode(bytes)
  return { text: cut ? text.slice(0, text.lastIndexOf('\n') + 1) : text, cut }
}

const headerOf = (former: string, path: string): string =>
  `diff --git ${quotedPath(`a/${pathBytes(former)}`)} ${quotedPath(`b/${pathBytes(path)}`)}`

/** The parts of a patch that are about one file: two if its type has changed, as to a link. */
function sectionsOf(patch: string, header: string): { text: string; length: number; isLast: boolean } {
  const sections = patch.split(/(?<=^|\n)(?=diff --git )/)
  const own = sections.filter((section) => section.startsWith(`${header}\n`))
  const text = own.join('')
  return { text, length: text.length, isLast: own.length > 0 && own.at(-1) === sections.at(-1) }
}

/** A listing has up to half a million records; after this many the server does something else. */
const RECORDS_AT_ONCE = 2000
/** Linux opens no longer path, though a tree may name one of megabytes. */
const LONGEST_PATH = 4096

/** Each field as latin1. */
function* fieldsOf(listing: Buffer): Generator<string, undefined> {
  for (let at = 0; at < listing.length;) {
    const zero = listing.indexOf(0, at)
    const end = zero === -1 ? listing.length : zero
    if (end - at > 2 * LONGEST_PATH) {
      const why = `The change has a path of ${end - at} bytes, which no computer can open, so what was changed is not read.`
      throw new HubError('refused', why)
    }
    yield listing.toString('latin1', at, end)
    at = end + 1
  }
}

/** First all `--raw` records (they start with a colon), then all `--numstat` ones, in the same order of files. */
async function parseDiff(fields: Generator<string, undefined>): Promise<DiffFile[]> {
  const files: DiffFile[] = []
  const next = (): string | undefined => fields.next().value
  const nextPath = (): string => pathText(next() ?? '')
  let records = 0
  const pause = async (): Promise<void> => void ((records += 1) % RECORDS_AT_ONCE === 0 && (await setImmediate()))
  let field = next()
  for (; field?.startsWith(':'); field = next()) {
    await pause()
    const [former = '', mode = '', , object = '', letter] = field.split(' ')
    const status = letter?.[0] ?? 'M'
    const first = nextPath()
    const moved = status === 'R' || status === 'C'
    const path = moved ? nextPath() : first
    const blob = /^0*$/.test(object) ? null : object
    const as = typeOf(former.slice(1), mode)
    files.push({ path, oldPath: moved ? first : null, status, added: 0, removed: 0, blob, ...(as && { as }) })
  }
  const byPath = new Map(files.map((file) => [file.path, file]))
  for (; field !== undefined; field = next()) {
    await pause()
    const [added = '-', removed = '-', name = ''] = splitTwice(field)
    // The two names of a renamed file are fields of their own.
    const path = name === '' ? [nextPath(), nextPath()][1] : pathText(name)
    const file = byPath.get(path ?? '')
    if (!file) continue
    file.added = added === '-' ? null : Number(added)
    file.removed = removed === '-' ? null : Number(removed)
  }
  return files
}

/** The change of type, by git's modes before and after. */
function typeOf(...modes: string[]): DiffFile['as'] {
  if (modes.includes('160000')) return 'submodule'
  return modes.includes('120000') ? 'link' : undefined
}

/** Two numbers, then a name that may contain tabs. */
function splitTwice(field: string): string[] {
  const first = field.indexOf('\t')
  const second = field.indexOf('\t', first + 1)
  return first === -1 ? [] : [field.slice(0, first), field.slice(first + 1, second), field.slice(second + 1)]
}
