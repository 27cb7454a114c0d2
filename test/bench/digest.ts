import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DigestReader } from '@beadloom/core/digest/digest-reader.ts'
import { digestTools } from '@beadloom/core/digest/tools.ts'
import { figure, type Report, type Row } from './support/figure.ts'

const ROUNDS = 3
const BYTES = 50_000_000
/** The most that a pipe or a file gives at once. */
const PIECE = 1_000_000
const fixtures = join(import.meta.dirname, '..', '..', 'packages/core/src/digest/fixtures')

/** Output of no known tool: ordinary progress, and things that nobody prints on purpose. */
const others: Record<string, string> = {
  'lines of progress': repeated('[12] compiled src/modules/part/index.ts in 31 ms, all as it should be\n'),
  'one line': repeated('0123456789abcdef '),
  'redrawn lines': repeated('progress 42% of everything\r'),
  'coloured lines': repeated('\u001b[32m✓\u001b[39m src/a.test.ts \u001b[2m(3 tests)\u001b[22m\n'),
  newlines: repeated('\n'),
  'binary data': repeated(
    Array.from({ length: 50_000 }, (_, at) => String.fromCharCode((at * 7919) % 65_536)).join(''),
  ),
}

/** Processor time of a digest: each tool's own output, repeated up to 50 MB. Characters count as bytes. */
export async function digest(asked: number | null): Promise<Report> {
  const rounds = asked ?? ROUNDS
  const outputs = [
    ...digestTools.flatMap(({ name }) => (outputOf(name) === '' ? [] : [[name, outputOf(name)] as const])),
    ...Object.entries(others),
  ]
  const rows = outputs.map(([name, text]): Row => ({
    bench: 'digest',
    what: `digest of 50 MB: ${name}`,
    ours: figure(
      'MB/s',
      Array.from({ length: rounds }, () => rateOf(text)),
    ),
    baseline: null,
    aim: { of: 'ours', at: 'least', value: 50 },
  }))
  return { rows, parts: [] }
}

/** All kept samples of the tool's real output, one after the other. */
function outputOf(tool: string): string {
  const folder = join(fixtures, tool)
  if (!existsSync(folder)) return ''
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  return texts.every((text) => text.trim() === '') ? '' : repeated(texts.join('\n'))
}

function repeated(text: string): string {
  return text.repeat(Math.max(1, Math.round(PIECE / text.length)))
}

/** Millions of characters per second of processor time, which other work on the machine does not use up. */
function rateOf(piece: string): number {
  const from = process.cpuUsage()
  const reader = new DigestReader()
  let read = 0
  for (; read < BYTES; read += piece.length) reader.push(piece)
  reader.end()
  const { user, system } = process.cpuUsage(from)
  return read / (user + system)
}
