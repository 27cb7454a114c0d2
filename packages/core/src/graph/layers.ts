import { byText } from './bead-graph.ts'

/** `from` is drawn to the left of `to`: it comes first. */
export type Arrow = { from: string; to: string }

/**
 * Columns of a picture, left to right. An edge over several columns gets a place in each of them, with an id of its
 * own, so that it has room.
 */
export type Layers = {
  columns: string[][]
  /** The places of each edge from its first bead to its last, the two beads included; in the order of the arrows. */
  ways: { arrow: Arrow; through: string[]; isBack: boolean }[]
}

const SWEEPS = 8
/** A graph with more places is drawn without them. */
const MOST_PLACES = 4_000

/**
 * A bead's column is the length of its longest chain of predecessors; passes back and forth find an order with few
 * crossings in each column. An edge that closes a cycle is drawn backwards. Takes linear time in beads and edges,
 * without recursion. The same input gives the same picture.
 */
export function layersOf(ids: readonly string[], arrows: readonly Arrow[]): Layers {
  const known = new Set(ids)
  const used = arrows.filter(({ from, to }) => from !== to && known.has(from) && known.has(to))
  const back = backArrows(ids, used)
  const forward = used.filter((arrow) => !back.has(arrow))
  const column = columnsOf(ids, forward)
  const columns: string[][] = []
  for (const id of ids) (columns[column.get(id) ?? 0] ??= []).push(id)

  const next = new Map<string, string[]>()
  const before = new Map<string, string[]>()
  const link = (a: string, b: string): void => {
    push(next, a, b)
    push(before, b, a)
  }
  const spans = forward.map(({ from, to }) => (column.get(to) ?? 0) - (column.get(from) ?? 0))
  const withPlaces = spans.reduce((sum, span) => sum + span - 1, 0) <= MOST_PLACES
  const ways = used.map((arrow) => {
    const { from, to } = arrow
    if (back.has(arrow)) return { arrow, through: [from, to], isBack: true }
    const through = [from]
    const [first = 0, last = 0] = [column.get(from), column.get(to)]
    for (let at = first + 1; withPlaces && at < last; at++) {
      const place = `${from}\n${to}\n${at}`
      ;(columns[at] ??= []).push(place)
      through.push(place)
    }
    through.push(to)
    for (let at = 1; at < through.length; at++) link(through[at - 1] ?? '', through[at] ?? '')
    return { arrow, through, isBack: false }
  })
  for (let at = 0; at < columns.length; at++) columns[at] ??= []
  uncross(columns, next, before)
  return { columns, ways }
}

/** Edges that lead back to a bead on the current path, found in the order of the beads. */
function backArrows(ids: readonly string[], arrows: readonly Arrow[]): ReadonlySet<Arrow> {
  const out = new Map<string, Arrow[]>()
  for (const arrow of arrows) push(out, arrow.from, arrow)
  const back = new Set<Arrow>()
  const state = new Map<string, 'on the way' | 'seen'>()
  for (const root of ids) {
    if (state.has(root)) continue
    const way: { id: string; at: number }[] = [{ id: root, at: 0 }]
    state.set(root, 'on the way')
    while (way.length > 0) {
      const here = way.at(-1)
      if (here === undefined) break
      const arrow = out.get(here.id)?.[here.at++]
      if (arrow === undefined) {
        state.set(here.id, 'seen')
        way.pop()
      } else if (state.get(arrow.to) === 'on the way') back.add(arrow)
      else if (!state.has(arrow.to)) {
        state.set(arrow.to, 'on the way')
        way.push({ id: arrow.to, at: 0 })
      }
    }
  }
  return back
}

function columnsOf(ids: readonly string[], arrows: readonly Arrow[]): ReadonlyMap<string, number> {
  const out = new Map<string, string[]>()
  const waits = new Map<string, number>(ids.map((id) => [id, 0]))
  for (const { from, to } of arrows) {
    push(out, from, to)
    waits.set(to, (waits.get(to) ?? 0) + 1)
  }
  const column = new Map<string, number>(ids.map((id) => [id, 0]))
  const ready = ids.filter((id) => waits.get(id) === 0)
  for (const id of ready)
    for (const to of out.get(id) ?? []) {
      column.set(to, Math.max(column.get(to) ?? 0, (column.get(id) ?? 0) + 1))
      const left = (waits.get(to) ?? 0) - 1
      waits.set(to, left)
      if (left === 0) ready.push(to)
    }
  return column
}

/** Sorts each column by the middle of its neighbours in the previous column, then in the next, back and forth. */
function uncross(
  columns: string[][],
  next: ReadonlyMap<string, readonly string[]>,
  before: ReadonlyMap<string, readonly string[]>,
): void {
  const position = new Map<string, number>()
  const note = (column: readonly string[]): void => {
    for (const [at, id] of column.entries()) position.set(id, at)
  }
  for (const column of columns) note(column.sort(byText))
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isForward = sweep % 2 === 0
    const links = isForward ? before : next
    const order = isForward ? columns.keys() : [...columns.keys()].reverse()
    for (const at of order) {
      const column = columns[at] ?? []
      const middle = new Map(column.map((id) => [id, middleOf(links.get(id), position) ?? position.get(id) ?? 0]))
      column.sort(
        (a, b) => (middle.get(a) ?? 0) - (middle.get(b) ?? 0) || (position.get(a) ?? 0) - (position.get(b) ?? 0),
      )
      note(column)
    }
  }
}

function middleOf(ids: readonly string[] | undefined, position: ReadonlyMap<string, number>): number | null {
  if (ids === undefined || ids.length === 0) return null
  return ids.reduce((sum, id) => sum + (position.get(id) ?? 0), 0) / ids.length
}

function push<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [value])
  else list.push(value)
}
