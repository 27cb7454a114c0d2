import { layersOf, type Arrow } from './layers.ts'

/** The size of a bead's box, in pixels. */
export const box = { width: 220, height: 44 }
const gap = { across: 64, down: 12, parts: 32 }
const PLACE_HEIGHT = 14
const MARGIN = 16
/** Parts are placed beside each other up to this width (four boxes), or up to the widest part's. */
const WIDTH_OF_SHELF = 2 * 16 + 4 * 220 + 3 * 64
const PASSES = 6

export type Point = { x: number; y: number }
export type Placed = {
  width: number
  height: number
  /** The top left corner of each bead's box. */
  at: ReadonlyMap<string, Point>
  /** From the right side of the first box to the left side of the second. */
  lines: { from: string; to: string; isBack: boolean; points: Point[] }[]
}

/**
 * Positions of the beads and paths of their edges, in whole pixels. Unconnected parts are placed apart, the largest
 * first, and small ones beside each other. Deterministic; see `layersOf`.
 */
export function placeBeads(ids: readonly string[], arrows: readonly Arrow[]): Placed {
  const parts = partsOf(ids, arrows).map((part) => placePart(part.ids, part.arrows))
  const widest = Math.max(WIDTH_OF_SHELF, ...parts.map(({ width }) => width))
  const at = new Map<string, Point>()
  const lines: Placed['lines'] = []
  let shelf = { x: 0, y: 0, height: 0 }
  let width = 0
  for (const part of parts) {
    if (shelf.x > 0 && shelf.x + part.width - MARGIN > widest)
      shelf = { x: 0, y: shelf.y + shelf.height - 2 * MARGIN + gap.parts, height: 0 }
    const { x, y } = shelf
    const moved = (point: Point): Point => ({ x: point.x + x, y: point.y + y })
    for (const [id, point] of part.at) at.set(id, moved(point))
    for (const line of part.lines) lines.push({ ...line, points: line.points.map(moved) })
    width = Math.max(width, x + part.width)
    shelf = { x: x + part.width - 2 * MARGIN + gap.across, y, height: Math.max(shelf.height, part.height) }
  }
  return { width, height: parts.length === 0 ? 2 * MARGIN : shelf.y + shelf.height, at, lines }
}

type Part = { ids: string[]; arrows: Arrow[] }

/** Connected parts, the largest first; parts of one size in the order of the beads. */
function partsOf(ids: readonly string[], arrows: readonly Arrow[]): Part[] {
  const known = new Set(ids)
  const used = arrows.filter(({ from, to }) => known.has(from) && known.has(to))
  const near = new Map<string, string[]>(ids.map((id) => [id, []]))
  for (const { from, to } of used) {
    near.get(from)?.push(to)
    near.get(to)?.push(from)
  }
  const partOf = new Map<string, Part>()
  const parts: Part[] = []
  for (const root of ids) {
    if (partOf.has(root)) continue
    const part: Part = { ids: [], arrows: [] }
    const found = new Set([root])
    for (const id of found) {
      partOf.set(id, part)
      for (const other of near.get(id) ?? []) found.add(other)
    }
    parts.push(part)
  }
  // In the given order, which decides between equal places.
  for (const id of ids) partOf.get(id)?.ids.push(id)
  for (const arrow of used) partOf.get(arrow.from)?.arrows.push(arrow)
  return parts.toSorted((a, b) => b.ids.length - a.ids.length)
}

function placePart(ids: readonly string[], arrows: readonly Arrow[]): Placed {
  const { columns, ways } = layersOf(ids, arrows)
  const beads = new Set(ids)
  const tall = (id: string): number => (beads.has(id) ? box.height : PLACE_HEIGHT)
  const middle = new Map<string, number>()
  for (const column of columns) spread(column, tall, middle)

  const links = new Map<string, string[]>()
  for (const { through, isBack } of ways)
    for (let at = 1; !isBack && at < through.length; at++) {
      const [a = '', b = ''] = [through[at - 1], through[at]]
      links.set(a, [...(links.get(a) ?? []), b])
      links.set(b, [...(links.get(b) ?? []), a])
    }
  for (let pass = 0; pass < PASSES; pass++)
    for (const column of pass % 2 === 0 ? columns : columns.toReversed()) settle(column, tall, links, middle)

  const tops = [...middle].map(([id, y]) => y - tall(id) / 2)
  const top = tops.length === 0 ? 0 : tops.reduce((least, y) => Math.min(least, y), Infinity)
  const xOf = new Map<string, number>()
  for (const [at, column] of columns.entries())
    for (const id of column) xOf.set(id, MARGIN + at * (box.width + gap.across))
  const yOf = (id: string): number => Math.round((middle.get(id) ?? 0) - top + MARGIN)
  const at = new Map(ids.map((id) => [id, { x: xOf.get(id) ?? 0, y: yOf(id) - box.height / 2 }]))
  const lines = ways.map(({ arrow: { from, to }, through, isBack }) => ({
    from,
    to,
    isBack,
    points: through.flatMap((id, step): Point[] => {
      const x = xOf.get(id) ?? 0
      const y = yOf(id)
      if (step === 0) return [{ x: x + box.width, y }]
      if (step === through.length - 1) return [{ x, y }]
      return [
        { x, y },
        { x: x + box.width, y },
      ]
    }),
  }))
  const bottom = [...middle].reduce((most, [id, y]) => Math.max(most, y + tall(id) / 2), top)
  return {
    width: columns.length === 0 ? 0 : 2 * MARGIN + columns.length * (box.width + gap.across) - gap.across,
    height: Math.round(bottom - top) + 2 * MARGIN,
    at,
    lines,
  }
}

/** One below the other, around the middle of the picture. */
function spread(column: readonly string[], tall: (id: string) => number, middle: Map<string, number>): void {
  const whole = column.reduce((sum, id) => sum + tall(id) + gap.down, -gap.down)
  let y = -whole / 2
  for (const id of column) {
    middle.set(id, y + tall(id) / 2)
    y += tall(id) + gap.down
  }
}

/** Moves each bead to the middle of its neighbours, as far as the order and the gaps allow. */
function settle(
  column: readonly string[],
  tall: (id: string) => number,
  links: ReadonlyMap<string, readonly string[]>,
  middle: Map<string, number>,
): void {
  const wished = column.map((id) => {
    const near = links.get(id)
    if (near === undefined || near.length === 0) return middle.get(id) ?? 0
    return near.reduce((sum, other) => sum + (middle.get(other) ?? 0), 0) / near.length
  })
  // Neighbours that want the same place share it, around the mean of their wishes.
  type Block = { first: number; last: number; top: number }
  const blocks: Block[] = []
  for (const [at, id] of column.entries()) {
    const wish = wished[at] ?? 0
    let block: Block = { first: at, last: at, top: wish - tall(id) / 2 }
    for (let last = blocks.at(-1); last !== undefined && bottomOf(last) + gap.down > block.top; last = blocks.at(-1)) {
      blocks.pop()
      block = join(last, block)
    }
    blocks.push(block)
  }
  for (const block of blocks) {
    let y = block.top
    for (let at = block.first; at <= block.last; at++) {
      const id = column[at] ?? ''
      middle.set(id, y + tall(id) / 2)
      y += tall(id) + gap.down
    }
  }

  function heightOf(first: number, last: number): number {
    let sum = -gap.down
    for (let at = first; at <= last; at++) sum += tall(column[at] ?? '') + gap.down
    return sum
  }
  function bottomOf(block: Block): number {
    return block.top + heightOf(block.first, block.last)
  }
  function join(a: Block, b: Block): Block {
    // The mean of the block's tops that its members want.
    const shift = heightOf(a.first, a.last) + gap.down
    const [ours, theirs] = [a.last - a.first + 1, b.last - b.first + 1]
    const top = (a.top * ours + (b.top - shift) * theirs) / (ours + theirs)
    return { first: a.first, last: b.last, top }
  }
}
