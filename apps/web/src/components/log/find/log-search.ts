/**
 * A hit of the server's search: line from 0; column and length in UTF-16 units of the line without control sequences.
 */
export type SearchHit = { line: number; column: number; length: number }
/** `lines`: the number of searched lines. */
export type SearchEnd = { more: boolean; lines: number }
export type SearchEvents = { onHits(hits: SearchHit[]): void; onProgress?(line: number): void }

/** Reads `[line, column, length]` lines as they arrive; other values are progress, `done` or an error. */
export async function readHits(body: ReadableStream<Uint8Array>, events: SearchEvents): Promise<SearchEnd> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  let end: SearchEnd | null = null
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (rest + (value ?? '')).split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    const hits: SearchHit[] = []
    for (const line of lines) {
      const read = parseLine(line)
      if (read === null) continue
      if ('error' in read) throw new Error(read.error)
      if ('more' in read) end = read
      else if ('progress' in read) events.onProgress?.(read.progress)
      else hits.push(read)
    }
    if (hits.length > 0) events.onHits(hits)
    if (!done) continue
    if (end === null) throw new Error('The server ended the search early. Search again.')
    return end
  }
}

function parseLine(text: string): SearchHit | SearchEnd | { progress: number } | { error: string } | null {
  if (text === '') return null
  const value = JSON.parse(text) as unknown
  if (Array.isArray(value)) {
    const [line, column, length] = value as number[]
    return line === undefined ? null : { line, column: column ?? 0, length: length ?? 0 }
  }
  if (typeof value !== 'object' || value === null) return null
  if ('error' in value) return { error: messageOf(value.error) }
  if ('more' in value && 'lines' in value) return { more: value.more === true, lines: Number(value.lines) }
  return 'progress' in value ? { progress: Number(value.progress) } : null
}

function messageOf(error: unknown): string {
  const message = typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return typeof message === 'string' ? message : JSON.stringify(error)
}

export type FindQuery = { text: string; matchCase: boolean; word: boolean; regex: boolean }

/**
 * An expression that finds in a drawn line what the server finds in the file. Null for a person's regular expression:
 * only the server runs those, in a thread that it can stop.
 */
export function patternOf({ text, matchCase, word, regex }: FindQuery): RegExp | null {
  if (text === '' || regex) return null
  const body = text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(word ? String.raw`(?<!\w)(?:${body})(?!\w)` : body, matchCase ? 'g' : 'gi')
}

/**
 * The browser's reason why this is no valid regular expression; null if it is valid. Compiles it without running it.
 */
export function patternProblem({ text, regex }: FindQuery): string | null {
  if (!regex || text === '') return null
  try {
    new RegExp(text)
    return null
  } catch (error) {
    return error instanceof Error ? error.message.replace(/^Invalid regular expression: /, '') : String(error)
  }
}
