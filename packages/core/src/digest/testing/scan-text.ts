import type { DigestTool, ToolReport } from '../digest-tool.ts'
import { carryAfter, cleanText, linesOf, type Chunk } from '../reading/lines.ts'

/** A tool's report on an output, read in pieces of `size` characters as the reader does. */
export function scanText(tool: DigestTool, output: string, size = 64 * 1024): ToolReport | null {
  const scanner = tool.scan()
  const text = `${cleanText(output.toWellFormed())}\n`
  let carry = ''
  for (let from = 0; from < text.length; from += size) {
    const chunk: Chunk = { carry, text: text.slice(from, from + size) }
    scanner.raw?.(chunk.text)
    for (const line of linesOf(chunk)) scanner.line(line)
    carry = carryAfter(chunk)
  }
  return scanner.end()
}
