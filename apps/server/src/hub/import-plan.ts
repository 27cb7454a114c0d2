import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { allWithBegin } from '@beadloom/core/text/sorted-texts.ts'
import type { Clock } from '../process/clock.ts'
import { HubError } from '../ports/hub.ts'
import type { FolderImport, LeftFile } from '../ports/hub/folder-import.ts'
import { isClean, readTar, type Entry } from './folder-tar.ts'
import { moduleOf } from './clones/names.ts'
import type { Git } from './git/git.ts'
import { Refs } from './git/refs.ts'

const MOST_FILES = 200_000
/** Ignored files, such as those of installed packages, are listed too before anybody knows that they are ignored. */
const MOST_LISTED = 1_000_000
/** The limit for the characters of all names, which are held meanwhile. */
const MOST_NAMES_TEXT = 64 * 1024 ** 2
const MOST_BYTES = 2 * 1024 ** 3
const MOST_RULES_BYTES = 1024 ** 2

type PlanDeps = { git: Git; gitDir: string; clock: Clock }

/** The files of a folder that count, by its names and ignore rules. */
export type Plan = {
  ignored: ReadonlySet<string>
  /** Ignored files that have another name that is not ignored: the stream has their bytes only here. */
  linked: ReadonlySet<string>
  /** Submodules of the parent commit: one whose folder is empty, or has the hub's files, is still there. */
  submodules: ReadonlyMap<string, string>
  /** Files that cannot be saved; and all of their names, each with its entry in the parent commit. */
  left: LeftFile[]
  without: ReadonlyMap<string, { mode: string; object: string } | null>
}

/** Reads the stream once. `scratch`: an empty folder, for the rules. */
export async function planImport(
  deps: PlanDeps,
  what: FolderImport,
  scratch: string,
  signal: AbortSignal,
): Promise<Plan> {
  const { paths, sizes, links, unsavable } = await readNames(deps, what, scratch, signal)
  const ignored = await ignoredAmong(deps, [...new Set([...paths, ...unsavable.keys()])], scratch, signal)
  const submodules = new Map<string, string>()
  const below = new Map<string, { mode: string; object: string }>()
  if (what.onto !== null) {
    const args = ['ls-tree', '-r', '-z', what.onto]
    for (const line of (await deps.git.text({ gitDir: deps.gitDir, args, signal })).split('\0')) {
      const [, mode = '', object = '', path = ''] = /^(\d+) \w+ (\w+)\t([^]+)$/.exec(line) ?? []
      ignored.delete(path)
      below.set(path, { mode, object })
      if (mode === '160000') submodules.set(path, object)
    }
  }
  const refs = new Refs(deps.git, deps.gitDir)
  const ours = new Set<string>()
  for (const [path, commit] of submodules) if ((await refs.tip(moduleOf(commit))) !== null) ours.add(path)
  const sorted = submodules.size > 0 ? [...paths].sort() : []
  for (const folder of submodules.keys()) {
    const inside = allWithBegin(sorted, `${folder}/`)
    if (!ours.has(folder)) {
      if (inside.length > 0) submodules.delete(folder)
    } else for (const path of inside) ignored.add(path)
  }
  const linked = new Set(links.flatMap(({ path, target }) => (ignored.has(path) ? [] : [target])))
  const isWanted = (path: string): boolean => !ignored.has(path) || linked.has(path)
  const refused = [...unsavable].flatMap(([path, left]) => (isWanted(path) ? [left] : []))
  const counted = paths.filter((path) => !ignored.has(path) && !unsavable.has(path))
  const tooMany = beyond(counted, below, what.mostFiles)
  const isLeft = new Set([...unsavable.keys(), ...tooMany])
  const fitting = new Map([...sizes].filter(([path]) => isWanted(path) && !isLeft.has(path)))
  const left = [
    ...refused,
    ...largest(fitting, what.mostBytes),
    ...tooMany.map((path) => ({ path, size: sizes.get(path) ?? 0, why: 'there are too many files' })),
  ]
  const without = new Map(left.map(({ path }) => [path, below.get(path) ?? null]))
  for (const { path, target } of links)
    if (without.has(target) && !ignored.has(path)) without.set(path, below.get(path) ?? null)
  return { ignored, linked, submodules, left, without }
}

/**
 * The files beyond the limit. Work is rarely as deep in folders as what a tool has put there by the hundred thousand,
 * and committed files are work.
 */
function beyond(paths: readonly string[], below: ReadonlyMap<string, unknown>, most = MOST_FILES): readonly string[] {
  if (paths.length <= most) return []
  const ranked = paths.map((path) => ({ path, rank: below.has(path) ? 0 : path.split('/').length }))
  return ranked
    .toSorted((a, b) => a.rank - b.rank)
    .slice(most)
    .map(({ path }) => path)
}

/** Leaves out the largest until the rest fits: one file may be too much, and a hundred small ones matter more. */
function largest(sizes: ReadonlyMap<string, number>, mostBytes = MOST_BYTES): LeftFile[] {
  let bytes = 0
  const bySize = [...sizes].map(([path, size]) => ({ path, size })).toSorted((a, b) => a.size - b.size)
  return bySize.filter(({ size }) => (bytes += size) > mostBytes).toReversed()
}

/** `unsavable`: files that the commit would lack, or would have in another's place. */
type Names = {
  paths: string[]
  sizes: Map<string, number>
  links: { path: string; target: string }[]
  unsavable: Map<string, LeftFile>
}

/** Reads every name of the folder; its ignore rules become files of the scratch folder. */
async function readNames(
  { git, clock }: PlanDeps,
  { tar }: FolderImport,
  scratch: string,
  signal: AbortSignal,
): Promise<Names> {
  await git.run({ args: ['init', '--quiet', '--template=', scratch], signal })
  const paths = new Set<string>()
  const sizes = new Map<string, number>()
  const links: Names['links'] = []
  const unsavable: Names['unsavable'] = new Map()
  const folders = new Set<string>()
  let [rules, text] = [0, 0]
  await readTar(tar, { clock, signal }, async ({ path, kind, size, target }, content) => {
    const isRules = path === '.git/info/exclude' || (path !== null && /(^|\/)\.gitignore$/.test(path) && isClean(path))
    if (path !== null && isRules && kind === 'file' && (rules += size) <= MOST_RULES_BYTES) {
      const file = join(scratch, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, await collect(content))
    }
    if (path === null) return
    const why = whyNot(path, kind, kind === 'link' ? target : undefined, { paths, folders })
    if (why === null && (!isClean(path) || (kind === 'folder' && !isReplaced(path)))) return
    if ((text += path.length + (target?.length ?? 0)) > MOST_NAMES_TEXT)
      throw new HubError('refused', 'the names of the files in the workspace are too long together to save it here')
    if (why !== null) unsavable.set(path, { path, size: Math.max(size, sizes.get(path) ?? 0), why })
    if (kind === 'folder') return void folders.add(path)
    if (!isClean(path)) return
    if (kind === 'file') sizes.set(path, size)
    if (kind === 'link' && target !== undefined) links.push({ path, target })
    paths.add(path)
    if (paths.size + unsavable.size + folders.size > MOST_LISTED)
      throw new HubError('refused', `the workspace has more than ${MOST_LISTED} files, which is too many to save here`)
  })
  return { paths: [...paths], sizes, links, unsavable }
}

/** Whether bytes that are no UTF-8 were left out of a name: only such names can become equal. */
const isReplaced = (path: string): boolean => path.includes('\ufffd')

/** The reason why a commit cannot have this file; null: it can, or no folder of work can have such a name. */
function whyNot(
  path: string,
  kind: Entry['kind'],
  target: string | undefined,
  { paths, folders }: Record<'paths' | 'folders', ReadonlySet<string>>,
): string | null {
  if (paths.has(path) || (kind !== 'folder' && folders.has(path)))
    return 'several files have this name without the bytes that are no UTF-8'
  if (isClean(path)) return target === undefined || isClean(target) ? null : "it is also a file of git's own folder"
  if (kind === 'folder') return null // its files say it
  const parts = path.split('/')
  const isOwn = path.includes('\0') || parts.some((part) => ['', '.', '..', '.git'].includes(part))
  return isOwn ? null : 'git takes no such name'
}

/** The files that the folder's own rules ignore: git itself decides, in a folder of rules alone. */
async function ignoredAmong(
  { git }: PlanDeps,
  paths: readonly string[],
  scratch: string,
  signal: AbortSignal,
): Promise<Set<string>> {
  if (paths.length === 0) return new Set()
  // A colon at the beginning would make git take a name for a pathspec.
  const input = paths.map((path) => `./${path}\0`).join('')
  // In the folder itself: git finds only rules there, nothing that it could run.
  const args = ['--no-literal-pathspecs', '-C', scratch, 'check-ignore', '--no-index', '-z', '--stdin']
  const found = await git.text({ args, input, answers: [1], limitBytes: 256 * 1024 ** 2, signal })
  return new Set(
    found
      .split('\0')
      .filter(Boolean)
      .map((path) => path.slice(2)),
  )
}

async function collect(content: AsyncIterable<unknown>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
