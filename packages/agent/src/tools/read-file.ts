import { isUtf8 } from 'node:buffer'
import { z } from 'zod/mini'
import { endsOf, joinEnds } from '@beadloom/core/text/cut-middle.ts'
import { countLines, linesLeftOut } from '../output/split-text.ts'
import { defineTool, ToolRefusal } from './tool.ts'
import { readRegular, resolveReadable } from './workspace-file.ts'

export const readFile = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace, or one with the whole output of another call. Without a range the whole file is returned; a long text is cut in the middle, then ask for parts with first_line and line_count.',
  input: z.strictObject({
    path: z.string().check(z.describe('Path of the file, relative to the workspace, or as it was named to you')),
    first_line: z.optional(z.int().check(z.minimum(1), z.describe('First line to return, counted from 1'))),
    line_count: z.optional(z.int().check(z.minimum(1), z.describe('How many lines to return'))),
  }),
  readOnly: true,
  async run({ path, first_line: first = 1, line_count: count }, context) {
    const { outputLimit } = context
    const bytes = await readRegular(await resolveReadable(context, path), path)
    if (bytes.subarray(0, 8192).includes(0)) {
      throw new ToolRefusal(`${path} is a binary file of ${bytes.length.toLocaleString('en-US')} bytes`)
    }
    const text = bytes.toString('utf8')
    const notes = isUtf8(bytes) ? [] : ['not valid UTF-8: bad bytes are shown as \ufffd']
    if (first === 1 && count === undefined) return { ok: true, text: withNotes(notes, cut(text, outputLimit)) }
    const lines = text.split('\n')
    if (lines.at(-1) === '') lines.pop()
    if (first > lines.length) throw new ToolRefusal(`${path} has only ${lines.length} lines`)
    const last = count === undefined ? lines.length : Math.min(lines.length, first + count - 1)
    notes.push(`lines ${first} to ${last} of ${lines.length}`)
    return { ok: true, text: withNotes(notes, cut(lines.slice(first - 1, last).join('\n'), outputLimit, first)) }
  },
})

const withNotes = (notes: string[], text: string): string => [...notes.map((note) => `[${note}]`), text].join('\n')

function cut(text: string, limit: number, first = 1): string {
  const ends = endsOf(text, limit)
  if (ends.omitted === 0) return text
  return joinEnds(ends, `lines ${linesLeftOut(ends, countLines(text), first)}; ask for parts of them`)
}
