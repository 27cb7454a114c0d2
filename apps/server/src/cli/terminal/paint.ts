import type { BeadStatus } from '@beadloom/core/records/bead.ts'
import type { ExecutionState } from '@beadloom/core/records/execution.ts'

/** Colours for people; without colours, each function returns its text unchanged. */
export type Paint = Record<Tone, (text: string) => string>

export type Tone = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'blue' | 'cyan' | 'plain'

/** Codes of the terminal's own palette, so that its theme decides; each code ends only its own colour. */
const codes: Record<Exclude<Tone, 'plain'>, readonly [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
}

const asItIs = (text: string): string => text

export function paintOf(colour: boolean): Paint {
  const tones = Object.entries(codes).map(([tone, [on, off]]) => [
    tone,
    colour ? (text: string) => (text === '' ? '' : `\x1b[${on}m${text}\x1b[${off}m`) : asItIs,
  ])
  return { ...(Object.fromEntries(tones) as Omit<Paint, 'plain'>), plain: asItIs }
}

/** The colour of each execution state and bead status. */
export const toneOf: Record<string, Tone> = {
  QUEUED: 'plain',
  RUNNING: 'cyan',
  COMPLETED: 'green',
  FAILED: 'red',
  BLOCKED: 'yellow',
  TIMEOUT: 'yellow',
  CANCELLED: 'dim',
  open: 'plain',
  in_progress: 'cyan',
  blocked: 'yellow',
  timeout: 'yellow',
  failed: 'red',
  done: 'green',
  missing: 'red',
} satisfies Record<ExecutionState | BeadStatus | 'failed' | 'missing', Tone>
