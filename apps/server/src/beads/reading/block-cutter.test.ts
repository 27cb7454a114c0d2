// @suite unit-long

import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { BlockFacts, BlockGroup, KnownBlock } from '../../ports/tracker-blocks.ts'
import { BlockCutter } from './block-cutter.ts'
import { Grouping, KnownGroups } from './block-groups.ts'

type Memory = { blocks: KnownBlock[]; groups: BlockGroup[] }
const nothing: Memory = { blocks: [], groups: [] }
const facts: BlockFacts = { lines: 1, ids: '\n', at: null, broken: [], bad: [], notes: [], odd: [], waits: [] }

/** `cut`: bytes of the blocks outside known groups. */
function read(text: Buffer, former: Memory, pieceBytes: number, without: ReadonlySet<string> = new Set()) {
  const known = new KnownGroups(
    { ...former, twice: new Set(), missing: new Set(), isCyclic: false, later: [] },
    without,
  )
  const cutter = new BlockCutter(known)
  const grouping = new Grouping()
  const blocks: KnownBlock[] = []
  let cut = 0
  const piece = Buffer.alloc(pieceBytes)
  const take = (cuts: ReturnType<BlockCutter['push']>) => {
    for (const one of cuts)
      if ('hash' in one) {
        grouping.add(one.bytes)
        blocks.push({ hash: one.hash, facts })
        cut += one.bytes.length
      } else {
        grouping.take(one.group)
        blocks.push(...known.blocksOf(one.group))
      }
  }
  for (let from = 0; from < text.length; from += pieceBytes) {
    const length = text.copy(piece, 0, from, from + pieceBytes)
    take(cutter.push(piece.subarray(0, length)))
    piece.fill(0)
  }
  take(cutter.end())
  return { memory: { blocks, groups: grouping.end() }, cut }
}

const lineOf = (at: number, text = '') => `{"id":"t-${at}","title":"${text}","notes":"${'n'.repeat(1_500)}"}\n`
const textOf = (lines: readonly string[]) => Buffer.from(lines.join(''))
const many = Array.from({ length: 4_000 }, (_, at) => lineOf(at))
const MIB = 1024 ** 2

test('a file with a changed line is cut only around it, wherever that line is and however long', () => {
  const { memory } = read(textOf(many), nothing, MIB)
  for (const lines of [
    many,
    many.with(0, lineOf(0, 'Other')),
    many.with(2_000, lineOf(2_000, 'Much longer'.repeat(5_000))),
    many.toSpliced(3_000, 1),
    [...many, lineOf(4_000)],
    [lineOf(4_000), ...many],
  ])
    expect(read(textOf(lines), memory, MIB).cut).toBeLessThan(1.5 * MIB)
})

test('successive changes stay as cheap as the first', () => {
  let lines = many
  let { memory } = read(textOf(lines), nothing, MIB)
  const cuts = Array.from({ length: 30 }, (_, at) => {
    lines = at % 3 === 0 ? [...lines, lineOf(4_000 + at)] : lines.with((at * 997) % 4_000, lineOf(at, `Other ${at}`))
    const { memory: next, cut } = read(textOf(lines), memory, MIB)
    memory = next
    return cut
  })
  expect(Math.max(...cuts)).toBeLessThan(2 * MIB)
  expect(memory.groups.length).toBeLessThan(25)
})

test('the text of a requested block is available, though its group is known', () => {
  const { memory } = read(textOf(many), nothing, MIB)
  const { hash } = memory.blocks[500]!
  const again = read(textOf(many), memory, MIB, new Set([hash]))
  expect(again.memory.blocks).toEqual(memory.blocks)
  expect(again.cut).toBeGreaterThan(0)
  expect(again.cut).toBeLessThan(2 * MIB)
})

test('a file that ended in the middle of a line is cut anew there when it continues', () => {
  const text = textOf(many)
  const whole = read(text, nothing, MIB).memory
  // The file ends within the block that would have ended the first group.
  const { memory } = read(text.subarray(0, whole.groups[0]!.bytes - 2), nothing, MIB)
  expect(read(text, memory, MIB).memory.blocks).toEqual(whole.blocks)
})

test('any change to a file gives the same cuts as a first reading', () => {
  const edit = fc.record({
    at: fc.nat(1_000),
    remove: fc.nat(3),
    add: fc.array(fc.constantFrom(lineOf(1), lineOf(7_777), '\n', 'n'.repeat(9_000), `${'n'.repeat(9_000)}\n`), {
      maxLength: 3,
    }),
  })
  const start = many.slice(0, 1_000)
  const size = fc.constantFrom(1_000, 300_000, MIB, 5 * MIB)
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.array(edit, { maxLength: 3 }), size), { maxLength: 4 }), size, (steps, first) => {
      let lines = start
      let { memory } = read(textOf(lines), nothing, first)
      for (const [edits, pieceBytes] of steps) {
        for (const { at, remove, add } of edits) lines = lines.toSpliced(at, remove, ...add)
        const whole = read(textOf(lines), nothing, MIB).memory
        memory = read(textOf(lines), memory, pieceBytes).memory
        expect(memory.blocks.map(({ hash }) => hash)).toEqual(whole.blocks.map(({ hash }) => hash))
      }
    }),
    { numRuns: 15 },
  )
})
