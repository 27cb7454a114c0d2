import { oneLine } from '@beadloom/core/text/one-line.ts'
import { z } from 'zod/mini'
import { KeptOutput } from './kept-output.ts'
import { LineMatcher, patternOf, TooCostly, type SearchText } from './match-lines.ts'
import { FileReader, filesToSearch, type Candidate } from './search-files.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { NARROW, SearchResults } from './search-results.ts'
import { defineTool, ToolRefusal, type ToolContext } from './tool.ts'

/** Enough for a large repository; beyond that there is `bash`. */
const MAX_SEARCH_MS = 20_000
const DEFAULT_RESULTS = 100
/** Files that are read and searched together. */
const BATCH = 32

export const search = defineTool({
  name: 'search',
  description:
    'Searches the files of the workspace line by line, for a regular expression (of JavaScript) or a text. Files that git ignores, binary ones and those of more than 2 MiB are left out. A result is "path:line: text".',
  input: z.strictObject({
    pattern: z.string().check(z.minLength(1), z.maxLength(1000), z.describe('What to search for')),
    path: z.optional(
      z.string().check(z.describe('Folder or file to search, relative to the workspace; all of it by default')),
    ),
    glob: z.optional(
      z.string().check(z.minLength(1), z.maxLength(300), z.describe('Only these files: "*.ts", "src/**/*.{js,jsx}"')),
    ),
    literal: z.optional(z.boolean().check(z.describe('The pattern is a text and no regular expression'))),
    ignore_case: z.optional(z.boolean().check(z.describe('Upper and lower case are the same'))),
    context: z.optional(
      z.int().check(z.minimum(0), z.maximum(10), z.describe('Lines to show before and after each match')),
    ),
    max_results: z.optional(
      z.int().check(z.minimum(1), z.maximum(500), z.describe(`Matching lines to show, ${DEFAULT_RESULTS} by default`)),
    ),
  }),
  readOnly: true,
  async run(input, context) {
    const { pattern, literal, ignore_case: ignoreCase, max_results: most = DEFAULT_RESULTS } = input
    if (pattern.includes('\n')) throw new ToolRefusal('the pattern has a line break; the search goes line by line')
    const matcher = new LineMatcher(patternOf(pattern, { literal, ignoreCase }))
    const limitMs = Math.min(context.timeoutMs, MAX_SEARCH_MS)
    const done = new AbortController()
    const late = new AbortController()
    const timer = context.clock.sleep(limitMs, done.signal).then(() => late.abort())
    try {
      const signal = AbortSignal.any([context.stop, late.signal])
      const files = await filesToSearch(context, signal, input)
      const results = new SearchResults(most, input.context ?? 0)
      const isWhole = await searchFiles({ context, files, matcher, results, signal, most })
      const shown = new KeptOutput(context.outputLimit, context.outputs)
      await shown.add(results.text)
      const { text, print } = await shown.end()
      if (!isWhole) {
        const why = context.stop.aborted ? 'the session is ending' : `after ${Math.round(limitMs / 1000)} s`
        results.stopped = `stopped (${why}) with ${results.searched} of ${counted(files.length, 'file')} searched`
      }
      const notes = results.notes.map((note) => `[${note}]`).join('\n')
      return {
        ok: results.stopped === null,
        text: text ? `${text}\n${notes}` : notes,
        ...(print !== undefined && { print: `${print} ${notes}` }),
      }
    } finally {
      done.abort()
      await timer
    }
  },
})

type Search = {
  context: ToolContext
  files: readonly Candidate[]
  matcher: LineMatcher
  results: SearchResults
  signal: AbortSignal
  most: number
}

/** False if the search was stopped before it had covered all files. */
async function searchFiles({ context, files, matcher, results, signal, most }: Search): Promise<boolean> {
  if (files.length === 0 && !signal.aborted) results.nothingToSearch = true
  const reader = new FileReader(context)
  for (let at = 0; at < files.length; at += BATCH) {
    if (signal.aborted) return false
    const batch = files.slice(at, at + BATCH)
    const texts: SearchText[] = []
    for (const [index, file] of (await Promise.all(batch.map((one) => reader.read(one)))).entries()) {
      if ('text' in file) texts.push({ name: batch[index]!.name, text: file.text })
      else results.skipped[file.skipped] += 1
    }
    try {
      for (const one of matcher.find(texts, most)) results.add(one)
      results.searched += texts.length
    } catch (error) {
      if (!(error instanceof TooCostly)) throw error
      const way = `take a simpler one, set "literal", or ${NARROW}`
      results.stopped = `stopped: the pattern takes too long on ${oneLine(error.message)}; ${way}`
      return true
    }
  }
  return files.length > 0 || !signal.aborted
}
