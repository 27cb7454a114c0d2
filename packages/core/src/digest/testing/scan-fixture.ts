import type { DigestTool, ToolReport } from '../digest-tool.ts'
import { cleanText, linesOf } from '../reading/lines.ts'
import { fixture } from './fixture.ts'

/** The report of a single tool on a recorded output. */
export const scanFixture = (tool: DigestTool, name: string): ToolReport | null => scanText(tool, fixture(name))

export function scanText(tool: DigestTool, text: string): ToolReport | null {
  const scanner = tool.scan()
  const clean = cleanText(text)
  scanner.raw?.(clean)
  for (const line of linesOf({ carry: '', text: clean.endsWith('\n') ? clean : `${clean}\n` })) scanner.line(line)
  return scanner.end()
}
