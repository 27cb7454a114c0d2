import { encode } from '@beadloom/core/bead/tracker-line.ts'
import { KEYS } from './bead-text.ts'
import { IssueLines } from './issue-lines.ts'
import { appendTo, membersOf, removeMember, setMember } from '@beadloom/core/text/json-members.ts'
import { isObject, type JsonObject } from '@beadloom/core/text/json-object.ts'

/** The status and its details, taken from one side as a whole, so that no open bead has a reason for closing. */
const WITH_STATUS: readonly string[] = ['status', 'closed_at', 'close_reason', 'closed_by_session']
/** Lists of independent items: an item that either side added is in, one that either side removed is out. */
const LISTS: readonly string[] = ['labels', 'dependencies', 'comments']

/**
 * Merges two files with a common ancestor bead by bead and field by field. If both sides changed the same field,
 * `theirs` wins, and a bead that they deleted is gone. Starts from their text: anything that only they changed, or
 * nobody did, is kept byte for byte. Null if one of the three has a conflict marker, or the line of a changed bead
 * cannot be read, so that a person has to decide.
 */
export function mergeIssues(former: string, ours: string, theirs: string): string | null {
  const ids = new Map<string, string | null>()
  const [before, mine, result] = [former, ours, theirs].map((text) => new IssueLines(text, null, ids)) as [
    IssueLines,
    IssueLines,
    IssueLines,
  ]
  if (before.conflict + mine.conflict + result.conflict > 0) return null
  const [gone, added] = [new Set<string>(), [] as { id: string; line: string }[]]
  for (const id of new Set([...before.ids(), ...mine.ids()])) {
    const [was, is, other] = [before.raw(id), mine.raw(id), result.raw(id)]
    if (is === was || is === other) continue
    if (is === null) {
      if (other === was) gone.add(id)
    } else if (other === null) {
      if (was === null) added.push({ id, line: is })
    } else if (other === was) result.replace(id, is)
    else {
      const merged = mergeLine(before.find(id), mine.find(id), result.find(id))
      if (merged === null) return null
      result.replace(id, merged)
    }
  }
  result.remove(gone)
  result.insert(added)
  for (const line of mine.otherLines()) if (!before.hasLine(line) && !result.hasLine(line)) result.append(line)
  return result.text()
}

type Found = { line: string; object: JsonObject }
type Line = Found | null

function mergeLine(was: Line, mine: Line, theirs: Line): string | null {
  if (mine === null || theirs === null) return null
  // Created on both sides, or copied while the branches could not be merged: the newer one is the later state.
  if (was === null && timeOf(mine) > timeOf(theirs)) return mine.line
  const before = was?.object ?? {}
  const values = valuesOf(mine.line)
  const theirValues = valuesOf(theirs.line)
  const formerValues = was === null ? new Map<string, string>() : valuesOf(was.line)
  const theySaid = WITH_STATUS.some((key) => theirValues.get(key) !== formerValues.get(key))
  let line = theirs.line
  for (const key of new Set([...formerValues.keys(), ...values.keys()])) {
    const [old, ours, other] = [formerValues.get(key), values.get(key), theirValues.get(key)]
    if (ours === old || ours === other) continue
    if (LISTS.includes(key)) line = withList(line, key, before[key], mine.object[key], theirs.object[key])
    else if (key === 'updated_at') {
      // Ours if theirs is not a date.
      if (ours !== undefined && !(timeOf(mine) <= timeOf(theirs))) line = setMember(line, key, ours, KEYS)
    } else if (WITH_STATUS.includes(key) ? theySaid : other !== old) continue
    else line = ours === undefined ? removeMember(line, key) : setMember(line, key, ours, KEYS)
  }
  return line
}

/** Each member's value as text. */
const valuesOf = (line: string): Map<string, string> =>
  new Map(membersOf(line).map(({ key, valueStart, valueEnd }) => [key, line.slice(valueStart, valueEnd)]))

function withList(line: string, key: string, was: unknown, mine: unknown, theirs: unknown): string {
  const [before, ours, others] = [was, mine, theirs].map(itemsOf) as [Items, Items, Items]
  const added = [...ours].filter(([name]) => !others.has(name) && !before.has(name)).map(([, item]) => item)
  const kept = [...others].filter(([name]) => ours.has(name) || !before.has(name)).map(([, item]) => item)
  // Their list's text is kept if items are only added.
  if (kept.length === others.size)
    return added.reduce((text: string, item) => appendTo(text, key, encode(item), KEYS), line)
  const merged = [...kept, ...added]
  return merged.length === 0 ? removeMember(line, key) : setMember(line, key, encode(merged), KEYS)
}

type Items = Map<string, unknown>

/** Items by their identity: an edge by its target and type, a comment by author, text and time. */
function itemsOf(value: unknown): Items {
  const items = Array.isArray(value) ? (value as unknown[]) : []
  return new Map(items.map((item) => [nameOf(item), item]))
}

function nameOf(item: unknown): string {
  if (!isObject(item)) return JSON.stringify(item)
  if ('depends_on_id' in item) return JSON.stringify([item['depends_on_id'], item['type'] ?? 'blocks'])
  if ('text' in item) return JSON.stringify([item['author'], item['text'], Date.parse(String(item['created_at']))])
  return JSON.stringify(item)
}

const timeOf = ({ object }: Found): number => Date.parse(String(object['updated_at']))
