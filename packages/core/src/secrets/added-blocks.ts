/** Lines that a commit adds one after the other; of a new file that git takes for binary, none, and `line` 0. `commit` '': of all of the work together. `line`: that of the first one. */
export type AddedBlock = { commit: string; path: string; line: number; text: string }

/** Longer runs are cut in two: what is looked for is shorter. */
const MOST_CHARACTERS = 256 * 1024

/**
 * The added lines of patches, as `git log --patch` and `git diff-tree --patch` print them; of a merge, those that none of its
 * parents has. One walk, without a copy of the whole.
 */
export function* addedBlocks(patches: string, wanted: (path: string) => boolean): Generator<AddedBlock> {
  const at = { commit: '', path: '', line: 0 }
  let parents = 0
  let lines: string[] = []
  let size = 0
  let take = false
  const block = (): AddedBlock | null => {
    if (lines.length === 0) return null
    const text = lines.join('\n')
    const made = { ...at, line: at.line - lines.length, text }
    lines = []
    size = 0
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
      if (size > MOST_CHARACTERS) yield block()!
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
        const header = patches.slice(from, Math.min(end, from + 5000))
        if (header.startsWith('commit ')) at.commit = header.slice('commit '.length).trim()
        else if (header.startsWith('diff --')) take = false
        else if (header.startsWith(NEW_BINARY)) {
          const path = pathOf(header.slice(NEW_BINARY.length).replace(/ differ$/, ''))
          if (wanted(path)) yield { commit: at.commit, path, line: 0, text: '' }
        } else if (header.startsWith('+++ ')) {
          at.path = pathOf(header.slice('+++ '.length))
          take = at.path !== '' && wanted(at.path)
        }
      }
    }
    from = end + 1
  }
  const last = block()
  if (last) yield last
}

const NEW_BINARY = 'Binary files /dev/null and '
const HUNK = /^(@@+) (?:-\S+ )+\+(\d+)/

function isAdded(patches: string, from: number, parents: number): boolean {
  for (let i = 0; i < parents; i++) if (patches[from + i] !== '+') return false
  return true
}

function isRemoved(patches: string, from: number, parents: number): boolean {
  for (let i = 0; i < parents; i++) if (patches[from + i] === '-') return true
  return false
}

/** Git quotes names that have odd characters; what they are is not needed here. */
function pathOf(text: string): string {
  const path = text.trimEnd().replace(/^"(.*)"$/, '$1')
  return path === '/dev/null' ? '' : path.replace(/^b\//, '')
}
