import { cutMiddle } from '@beadloom/core/text/cut-middle.ts'
import { BuildError } from '../docker-error.ts'

/** The longest line of a build that is kept, and how many of the last lines an error has. */
const LONGEST_LINE = 500
const LAST_LINES = 20
/** The engine's own words repeat the whole RUN that failed, which may be as long as a Dockerfile. */
const LONGEST_ERROR = 4_000
/** Docker colours the stderr of a build step. */
// oxlint-disable-next-line no-control-regex
const COLOURS = /\u001b\[[0-9;]*m/g

/** A build's steps, and Docker's messages about a whole pull or import; the rest is about layers, or from compilers. */
const STEP = /^(Step \d+\/\d+ : |Digest: |Status: |\S+: Pulling from )/

/** The builder's own message, which a step may print, too. */
const RUNNING = /^ ---> Running in ([0-9a-f]{12})\n$/

/** The builder's messages about itself, which are no help in an error. */
const CHATTER = /^(\s*---> |Removing intermediate container )/

/** `also`: further lines that count as steps. */
type Following = { onContainer?: (id: string) => Promise<void>; also?: RegExp }

/**
 * Reads the progress of a build, a pull or an import (one JSON object a line) to its end. `onStep` gets only the steps:
 * every line would be a row in the record of each waiting execution. When Docker reports an error, throws `BuildError`
 * with the last lines of everything. `onContainer` gets a step's container, if it really is one, and is awaited.
 */
export async function followProgress(
  stream: AsyncIterable<unknown>,
  onStep: (line: string) => void,
  { onContainer, also }: Following = {},
): Promise<void> {
  const decoder = new TextDecoder()
  const last: string[] = []
  const tell = (text: string): void => {
    for (const line of text.split(/\r?\n|\r/)) {
      const shown = line.replace(COLOURS, '').trimEnd().slice(0, LONGEST_LINE)
      if (shown === '' || CHATTER.test(shown)) continue
      last.push(shown)
      if (last.length > LAST_LINES) last.shift()
      if (STEP.test(shown) || also?.test(shown) === true) onStep(shown)
    }
  }
  let rest = ''
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const text = textOf(line, last)
      tell(text)
      const [, container] = RUNNING.exec(text) ?? []
      if (container !== undefined) await onContainer?.(container)
    }
  }
  tell(textOf(rest, last))
}

function textOf(line: string, last: string[]): string {
  const event = parse(line)
  if (typeof event['error'] === 'string')
    throw new BuildError([cutMiddle(event['error'], LONGEST_ERROR), ...last.map((text) => `  ${text}`)].join('\n'))
  if (typeof event['stream'] === 'string') return event['stream']
  if (
    typeof event['status'] !== 'string' ||
    event['progress'] ||
    /^(Waiting|Pulling fs layer|Verifying)/.test(event['status'])
  )
    return ''
  return typeof event['id'] === 'string' ? `${event['id']}: ${event['status']}` : event['status']
}

function parse(line: string): Record<string, unknown> {
  if (line.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return { stream: line }
  }
}
