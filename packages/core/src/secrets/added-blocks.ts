import type { FileToRead } from './found-secret.ts'

/** `commit` '': all of the work together. */
type Added = { commit: string; path: string }
/** Adjacent lines that a commit adds. `line`: the first one's number. */
export type AddedLines = Added & { is: 'lines'; line: number; text: string }
/** `object`, `before`: the ids of the file's present and former bytes. */
type LinesOfFile = AddedLines & Pick<FileToRead, 'object' | 'before'>
/** `former`: the file's former name. */
type AddedName = Added & { is: 'name'; former: string }
export type AddedBlock = LinesOfFile | AddedName | ({ is: 'binary' } & FileToRead)

/** Longer runs are cut in two. */
const MOST_CHARACTERS = 256 * 1024
/** Both parts contain this many characters before a cut: a secret is shorter, so one of the parts has all of it. */
export const OVERLAP = 16 * 1024

/**
 * The added lines of patches, as `git log --patch` and `git diff-tree --patch` print them with full ids; for a merge,
 * those that none of its parents has. One walk, without a copy of the whole text.
 */
export function* addedBlocks(patches: string, wanted: (path: string) => boolean): Generator<AddedBlock> {
  const at = { commit: '', path: '', line: 0 }
  const file: FileHeader = { path: '', former: '', objects: [] }
  let parents = 0
  let lines: string[] = []
  let size = 0
  let take = false
  const block = (isCut = false): AddedBlock | null => {
    if (lines.length === 0) return null
    const text = lines.join('\n')
    // In UTF-16 an ASCII letter has an invisible zero byte beside it.
    const made = {
      is: 'lines' as const,
      ...at,
      line: at.line - lines.length,
      text: text.replaceAll('\0', ''),
      ...idsOf(file),
    }
    lines = isCut ? endOf(lines) : []
    size = lines.reduce((sum, { length }) => sum + length + 1, 0)
    return made
  }
  for (let from = 0; from < patches.length;) {
    const found = patches.indexOf('\n', from)
    const end = found === -1 ? patches.length : found
    const first = patches[from]
    const isWithin = parents > 0 && (first === '+' || first === '-' || first === ' ' || first === '\\')
    if (isWithin && take && isAdded(patches, from, parents)) {
      lines.push(patches.slice(from + parents, end))
      size += end - from
      at.line += 1
      if (size > MOST_CHARACTERS) yield block(true)!
    } else {
      const done = block()
      if (done) yield done
      if (isWithin) at.line += isRemoved(patches, from, parents) || first === '\\' ? 0 : 1
      else if (first === '@') {
        const [, signs = '@@', line = '1'] = HUNK.exec(patches.slice(from, Math.min(end, from + 200))) ?? []
        parents = signs.length - 1
        at.line = Number(line)
      } else {
        parents = 0
        const header = patches.slice(from, Math.min(end, from + MOST_OF_HEADER))
        if (header.startsWith('commit ')) at.commit = header.slice('commit '.length).trim()
        else if (header.startsWith('diff --')) {
          take = false
          Object.assign(file, fileOf(header))
        } else if (header.startsWith('+++ ')) {
          at.path = pathOf(header.slice('+++ '.length))
          take = at.path !== '' && wanted(at.path)
        } else yield* ofHeader(header, file, at.commit, wanted)
      }
    }
    from = end + 1
  }
  const last = block()
  if (last) yield last
}

function endOf(lines: readonly string[]): string[] {
  let [from, size] = [lines.length, 0]
  while (from > 0 && size + lines[from - 1]!.length < OVERLAP) size += lines[--from]!.length + 1
  return lines.slice(from)
}

/** `objects`: the ids of the file before the change, one for each parent, and after it. */
type FileHeader = { path: string; former: string; objects: readonly string[] }

/** Reads the header lines above a file's changes, and yields a new name and a file that git takes for binary. */
function* ofHeader(
  header: string,
  file: FileHeader,
  commit: string,
  wanted: (path: string) => boolean,
): Generator<AddedBlock> {
  if (header.startsWith(INDEX))
    file.objects = header
      .slice(INDEX.length)
      .split(' ')[0]!
      .split(/\.\.|,/)
  else if (header.startsWith(RENAMED_FROM)) file.former = pathOf(header.slice(RENAMED_FROM.length))
  else if (header.startsWith(RENAMED_TO)) file.path = pathOf(header.slice(RENAMED_TO.length))
  const { path, former } = file
  if (header.startsWith(NEW_FILE) || header.startsWith(RENAMED_TO)) yield { is: 'name', commit, path, former }
  if (!header.startsWith(BINARY) || !wanted(path)) return
  const { object, before } = idsOf(file)
  if (object !== '') yield { is: 'binary', commit, path, object, before }
}

function idsOf({ objects }: FileHeader): Pick<FileToRead, 'object' | 'before'> {
  const [before, object = ''] = [objects.slice(0, -1), objects.at(-1)]
  return { object: NOBODY.test(object) ? '' : object, before: before.filter((id) => !NOBODY.test(id)) }
}

/** Longer than any quoted path of git. */
const MOST_OF_HEADER = 20_000
const INDEX = 'index '
const RENAMED_FROM = 'rename from '
const RENAMED_TO = 'rename to '
const NEW_FILE = 'new file mode '
const BINARY = 'Binary files '
const NOBODY = /^0+$/
const HUNK = /^(@@+) (?:-\S+ )+\+(\d+)/

function isAdded(patches: string, from: number, parents: number): boolean {
  for (let i = 0; i < parents; i++) if (patches[from + i] !== '+') return false
  return true
}

function isRemoved(patches: string, from: number, parents: number): boolean {
  for (let i = 0; i < parents; i++) if (patches[from + i] === '-') return true
  return false
}

/** Git quotes names with unusual characters; their escapes are not needed here. */
function pathOf(text: string): string {
  const path = text.trimEnd().replace(/^"(.*)"$/, '$1')
  return path === '/dev/null' ? '' : path.replace(/^b\//, '')
}

/** The file of a part of a patch; for a renamed file, later lines have the names. */
function fileOf(header: string): FileHeader {
  const names = header.replace(/^diff --\S+ /, '')
  if (!header.startsWith('diff --git ')) return { path: pathOf(names), former: '', objects: [] }
  return { path: pathOf(names.slice((names.length + 1) / 2)), former: '', objects: [] }
}
