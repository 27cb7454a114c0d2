/** A hit of the server's search: line from 0, column and length in UTF-16 units of the line without sequences. */
export type SearchHit = { line: number; column: number; length: number }
export type SearchEnd = { more: boolean }

/** Reads `[line, column, length]` lines as they come; other values are progress, `done` or an error. */
export async function readHits(
  body: ReadableStream<Uint8Array>,
  onHits: (hits: SearchHit[]) => void,
): Promise<SearchEnd> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  let rest = ''
  let more = false
  for (;;) {
    const { done, value } = await reader.read()
    const lines = (rest + (value ?? '')).split('\n')
    rest = done ? '' : (lines.pop() ?? '')
    const hits: SearchHit[] = []
    for (const line of lines) {
      const read = parseLine(line)
      if (read === null) continue
      if ('error' in read) throw new Error(read.error)
      if ('more' in read) more = read.more
      else hits.push(read)
    }
    if (hits.length > 0) onHits(hits)
    if (done) return { more }
  }
}

function parseLine(text: string): SearchHit | { more: boolean } | { error: string } | null {
  if (text === '') return null
  const value = JSON.parse(text) as unknown
  if (Array.isArray(value)) {
    const [line, column, length] = value as number[]
    return line === undefined ? null : { line, column: column ?? 0, length: length ?? 0 }
  }
  if (typeof value !== 'object' || value === null) return null
  if ('error' in value) return { error: typeof value.error === 'string' ? value.error : JSON.stringify(value.error) }
  return 'more' in value ? { more: value.more === true } : null
}

/** The expression that finds in a drawn line what the server finds in the file. */
export function patternOf(text: string, matchCase: boolean): RegExp | null {
  if (text === '') return null
  return new RegExp(text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`), matchCase ? 'g' : 'gi')
}

/** The hit at or after a line, wrapping around; hits are in order of lines. */
export function firstHitFrom(hits: readonly SearchHit[], line: number): number {
  let low = 0
  let high = hits.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((hits[middle]?.line ?? 0) < line) low = middle + 1
    else high = middle
  }
  return low < hits.length ? low : 0
}
