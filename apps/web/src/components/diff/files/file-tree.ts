/** A visible row of the tree. `file` is an index into the list of files. */
export type TreeRow = { key: string; name: string; depth: number; place: number; of: number } & (
  | { is: 'folder'; open: boolean; files: readonly number[] }
  | { is: 'file'; file: number }
)

type Folder = { path: string; name: string; files: number[]; kids: (Folder | { file: number; name: string })[] }

/** Files in folders, in the order given. A folder that contains only another folder shares its row. */
export function treeRows(paths: readonly string[], shown: readonly number[], closed: ReadonlySet<string>): TreeRow[] {
  const root: Folder = { path: '', name: '', files: [], kids: [] }
  const folders = new Map([['', root]])
  const folderOf = (path: string): Folder => {
    const known = folders.get(path)
    if (known) return known
    const cut = path.lastIndexOf('/', path.length - 2) + 1
    const made: Folder = { path, name: path.slice(cut, -1), files: [], kids: [] }
    folders.set(path, made)
    folderOf(path.slice(0, cut)).kids.push(made)
    return made
  }
  for (const file of shown) {
    const path = paths[file] ?? ''
    const cut = path.lastIndexOf('/') + 1
    folderOf(path.slice(0, cut)).kids.push({ file, name: path.slice(cut) })
    for (let at = cut; at > 0; at = path.lastIndexOf('/', at - 2) + 1) folders.get(path.slice(0, at))?.files.push(file)
  }
  const rows: TreeRow[] = []
  // Not recursive: a stranger decides how deep the folders are.
  const rest = root.kids.map((kid, at) => ({ kid, depth: 1, place: at + 1, of: root.kids.length })).toReversed()
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { depth, place, of } = next
    let { kid } = next
    if ('file' in kid) {
      rows.push({ is: 'file', key: paths[kid.file] ?? '', name: kid.name, depth, place, of, file: kid.file })
      continue
    }
    let { name } = kid
    for (let [only] = kid.kids; kid.kids.length === 1 && only && 'kids' in only; [only] = kid.kids) {
      kid = only
      name += `/${only.name}`
    }
    const open = !closed.has(kid.path)
    rows.push({ is: 'folder', key: kid.path, name, depth, place, of, open, files: kid.files })
    if (!open) continue
    const { kids } = kid
    for (let at = kids.length - 1; at >= 0; at--) {
      const inner = kids[at]
      if (inner) rest.push({ kid: inner, depth: depth + 1, place: at + 1, of: kids.length })
    }
  }
  return rows
}

/** The target of a key, or the folder that it opens or closes; null: the tree does not use the key. */
export function treeStep(
  rows: readonly TreeRow[],
  at: number,
  key: string,
): { to: number } | { toggle: string } | null {
  const row = rows[at]
  const last = rows.length - 1
  if (key === 'Home') return { to: 0 }
  if (key === 'End') return { to: last }
  if (key === 'ArrowDown') return { to: Math.min(last, at + 1) }
  if (key === 'ArrowUp') return { to: Math.max(0, at - 1) }
  if (row === undefined) return null
  if (key === 'ArrowRight') {
    if (row.is === 'folder') return row.open ? { to: Math.min(last, at + 1) } : { toggle: row.key }
    return { to: at }
  }
  if (key !== 'ArrowLeft') return null
  if (row.is === 'folder' && row.open) return { toggle: row.key }
  return {
    to: Math.max(
      0,
      rows.slice(0, at).findLastIndex(({ depth }) => depth < row.depth),
    ),
  }
}
