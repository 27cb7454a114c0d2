import { shellWord } from '../../text/shell-word.ts'
import { place } from '../claims.ts'
import { linesOf } from '../formats/lines.ts'
import type { Absent, Reading } from '../found.ts'
import { pathFrom } from '../repository-path.ts'
import type { Folder } from '../repository-files.ts'

const MODULES = '.gitmodules'
const ATTRIBUTES = '.gitattributes'
const MOST = 10

/**
 * What a commit only points to. Neither is fetched: a submodule's address and a server of large files are named by anybody,
 * and would be asked with the rights of whoever runs Beadloom.
 */
export function gitParts(folder: Folder): Reading | null {
  const absent = [...submodules(folder), ...largeFiles(folder)]
  return absent.length === 0 ? null : { absent }
}

type Section = { line: number; path: string | null; url: string | null }

function submodules(folder: Folder): Absent[] {
  const text = folder.has(MODULES) ? folder.text(MODULES) : null
  const sections: Section[] = []
  for (const [at, line] of linesOf(text ?? '').entries()) {
    if (/^\s*\[submodule\s/.test(line)) sections.push({ line: at + 1, path: null, url: null })
    const [, key, value = ''] = /^\s*(path|url)\s*=\s*(\S.{0,300})$/.exec(line) ?? []
    const last = sections.at(-1)
    if (last && key === 'path') last.path = pathFrom('', value.trim())
    if (last && key === 'url') last.url = value.trim()
  }
  const known = sections.flatMap(({ line, path, url }) => (path ? [{ line, path, url }] : []))
  return known.slice(0, MOST).map(({ line, path, url }) => ({
    path,
    text: `${MODULES}:${line} has the submodule ${path}, which Beadloom does not fetch: its folder is empty in the containers. ${howToFetch(path, url)}`,
    from: place(folder, MODULES, line),
  }))
}

/**
 * Only what anybody can read without a password can be had in a container. With a `.git` of its own it would be committed at
 * another commit by whoever adds everything.
 */
function howToFetch(path: string, url: string | null): string {
  const isOpen = url !== null && /^https:\/\/[\w.-]+(?::\d+)?\/[\w./~+-]*$/.test(url)
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
