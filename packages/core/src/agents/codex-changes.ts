import { isObject } from '../text/json-object.ts'
import { at, type Json } from './json.ts'

/** The server keeps 4096 characters of a call; a longer one would be cut and no longer be JSON. */
const MOST_CHARACTERS = 4000
const MOST_FILES = 64

/** A patch's change of one file. `diff`: the hunks of a unified diff; null if it would be too long. */
type FileChange = { path: string; kind: string; to: string | null; added: number; removed: number; diff: string | null }

/**
 * The arguments of Codex's patch, with its text, from the line of Codex's own record about the same files; null for any
 * other line. The paths come first: they stay readable if the whole is cut.
 */
export function recordedChanges(line: Json, printed: unknown): string | null {
  const item = at(line, 'payload', 'item')
  const recorded = at(item, 'changes')
  if (at(item, 'type') !== 'FileChange' || !isObject(recorded) || !Array.isArray(printed)) return null
  const paths = printed.map((one) => at(one, 'path'))
  if (paths.length > MOST_FILES || paths.length !== Object.keys(recorded).length) return null
  const changes: FileChange[] = []
  for (const path of paths) {
    if (typeof path !== 'string' || !Object.hasOwn(recorded, path)) return null
    changes.push(changeOf(path, recorded[path]))
  }
  return fitting(changes)
}

function changeOf(path: string, change: unknown): FileChange {
  const [type, content, hunks, to] = ['type', 'content', 'unified_diff', 'move_path'].map((name) => at(change, name))
  const kind = type === 'add' || type === 'delete' ? type : 'update'
  const sign = kind === 'add' ? '+' : '-'
  const diff = kind === 'update' ? textOr(hunks) : textOr(content).replace(/^(?!$)|\n(?!$)/g, (end) => `${end}${sign}`)
  const count = (first: string) => diff.split('\n').filter((one) => one.startsWith(first)).length
  return { path, kind, to: typeof to === 'string' ? to : null, added: count('+'), removed: count('-'), diff }
}

const textOr = (value: unknown): string => (typeof value === 'string' ? value : '')

/** Leaves out the longest diffs until the rest fits; their counts stay. */
function fitting(changes: readonly FileChange[]): string {
  const kept = changes.map((one) => short(one))
  let text = asArguments(kept)
  while (text.length > MOST_CHARACTERS && kept.some(({ diff }) => diff !== null)) {
    const longest = kept.reduce((most, one) => ((one.diff?.length ?? -1) > (most.diff?.length ?? -1) ? one : most))
    longest.diff = null
    text = asArguments(kept)
  }
  return text
}

const short = (change: FileChange): FileChange => ({
  ...change,
  diff: change.diff !== null && change.diff.length > MOST_CHARACTERS ? null : change.diff,
})

const asArguments = (changes: readonly FileChange[]): string =>
  JSON.stringify({
    changes: changes.map(({ path, kind, to, added, removed }) => ({
      path,
      kind,
      ...(to === null ? {} : { to }),
      added,
      removed,
    })),
    diffs: changes.map(({ diff }) => diff),
  })
