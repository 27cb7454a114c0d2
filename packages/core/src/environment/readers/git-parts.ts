import { oneLine } from '../../text/one-line.ts'
import { shellWord } from '../../text/shell-word.ts'
import { place } from '../claims.ts'
import { readGitmodules } from '../formats/gitmodules.ts'
import { linesOf } from '../formats/lines.ts'
import type { Absent, Reading } from '../found.ts'
import { pathFrom } from '../files/repository-path.ts'
import type { Folder } from '../files/repository-files.ts'

const MODULES = '.gitmodules'
const ATTRIBUTES = '.gitattributes'
const MOST = 50
const MOST_TOLD = 10
const LONGEST_TOLD = 200

/** The parts that a commit only points to. The files do not say which submodules can be had: `settleModules` does. */
export function gitParts(folder: Folder): Reading | null {
  const absent = [...submodules(folder), ...largeFiles(folder)]
  return absent.length === 0 ? null : { absent }
}

function submodules(folder: Folder): Absent[] {
  const text = folder.has(MODULES) ? folder.text(MODULES) : null
  const known = readGitmodules(text ?? '').flatMap(({ line, path, url }) => {
    const clean = path === null ? null : pathFrom('', path)
    return clean ? [{ line, path: clean, url }] : []
  })
  return known.slice(0, MOST).map(({ line, path, url }) => {
    const from = place(folder, MODULES, line)
    return { path, url, from, text: absentModule({ path, url, from }, null) }
  })
}

/** Whether `setup` itself clones something into this folder, which then has to be empty. */
export const isClonedBy = (setup: string | null, path: string): boolean =>
  setup !== null && setup.split(/&&|[;|\n]/).some((part) => /\bclone\b/.test(part) && wordsOf(part).includes(path))

const wordsOf = (command: string): string[] =>
  command.split(/\s+/).map((word) => word.replace(/^["']|["']$/g, '').replace(/^\.\/|\/$/g, ''))

/** Tells an agent that git sees no changes in the folders of submodules. */
export const modulesNotice = (paths: readonly string[]): string | null =>
  paths.length === 0
    ? null
    : `These folders are submodules, and have the files of other repositories: ${listed(paths)}. They are there to be read and used. What you change in them is not kept.`

const listed = (paths: readonly string[]): string => {
  const more = paths.length - MOST_TOLD
  const told = paths.slice(0, MOST_TOLD).map((path) => oneLine(path).slice(0, LONGEST_TOLD))
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
}

type Missing = { path: string; why: string; fix: string | null }

/**
 * The parts that are absent, once the server's submodules are known: those are left out, and others say why they are
 * missing. `fix` null: the usual. For a submodule within another, the place is the file that should name it.
 */
export function settleModules(
  absent: readonly Absent[],
  { here, missing }: { here: readonly { path: string }[]; missing: readonly Missing[] },
): Absent[] {
  const has = new Set(here.map(({ path }) => path))
  const why = new Map(missing.map((one) => [one.path, one]))
  const known = absent.flatMap((one): Absent[] => {
    if (one.path === null) return [one]
    if (has.has(one.path)) return []
    const found = why.get(one.path)
    return [found ? { ...one, text: absentModule({ ...one, path: one.path }, found) } : one]
  })
  const named = new Set(absent.map(({ path }) => path))
  const within = missing
    .filter(({ path }) => !named.has(path))
    .map((one): Absent => {
      const from = { file: MODULES, line: null }
      return { path: one.path, url: null, from, text: absentModule({ path: one.path, url: null, from }, one) }
    })
  return shortened(
    [...known.filter(({ path }) => path !== null), ...within],
    known.filter(({ path }) => path === null),
  )
}

/** All of them are shown as warnings, and in the text about a base that fails. */
function shortened(modules: readonly Absent[], others: readonly Absent[]): Absent[] {
  const more = modules.length - MOST_TOLD
  if (more <= 0) return [...modules, ...others]
  const text = `${more} more submodules of ${MODULES} are not fetched either.`
  return [...modules.slice(0, MOST_TOLD), { path: null, text, from: { file: MODULES, line: null } }, ...others]
}

function absentModule({ path, url, from }: Pick<Absent, 'url' | 'from'> & { path: string }, known: Missing | null) {
  const { file, line } = from
  const why = known === null ? '' : `: ${known.why}`
  const what = `${file}${line === null ? '' : `:${line}`} has the submodule ${path}, which Beadloom has not fetched${why}.`
  return `${what} Its folder is empty in the containers. ${known?.fix ?? howToFetch(path, url ?? null)}`
}

/**
 * A container can only get a submodule that everybody can read without a password. If it kept a `.git` of its own, an
 * agent that adds everything would commit it at another commit.
 */
function howToFetch(path: string, url: string | null): string {
  const isOpen = url !== null && url.length <= 300 && /^https:\/\/[\w.-]+(?::\d+)?\/[\w./~+-]*$/.test(url)
  const word = shellWord(path)
  return isOpen
    ? `If the tests need it, fetch it in "setup" of beadloom.json (git clone --depth 1 ${url} ${word} && rm -rf ${word}/.git).`
    : 'If the tests need it, commit its files, or fetch them in "setup" of beadloom.json.'
}

function largeFiles(folder: Folder): Absent[] {
  const text = folder.has(ATTRIBUTES) ? folder.text(ATTRIBUTES) : null
  const lines = linesOf(text ?? '')
    .map((line, at) => ({ pattern: /^\s*([^#\s]\S{0,200})\s.*\bfilter=lfs\b/.exec(line)?.[1], line: at + 1 }))
    .filter((one): one is { pattern: string; line: number } => one.pattern !== undefined)
  const [first] = lines
  if (first === undefined) return []
  const more = lines.length - SHOWN
  const patterns = lines.slice(0, SHOWN).map(({ pattern }) => pattern)
  return [
    {
      path: null,
      text: `${ATTRIBUTES}:${first.line} keeps ${patterns.join(', ')}${more > 0 ? ` and ${more} more` : ''} in Git LFS, which Beadloom does not fetch: the containers have the pointers instead. If the tests need the files, commit them without LFS, or leave out these tests.`,
      from: place(folder, ATTRIBUTES, first.line),
    },
  ]
}

const SHOWN = 3
