/**
 * What a line is by its first characters (docs/log-format.md). Anything that runs in a container can print such a
 * line, so a role decides how a line looks and nothing else.
 */
export type LineRole =
  | 'said'
  | 'call'
  | 'passed'
  | 'failed'
  | 'output'
  | 'step'
  | 'section'
  | 'command'
  | 'warning'
  | 'end'
  | 'note'

const roles: Record<string, LineRole> = {
  '› ': 'said',
  '⚙ ': 'call',
  '✓ ': 'passed',
  '✗ ': 'failed',
  '  ': 'output',
  '· ': 'step',
  '§ ': 'section',
  '$ ': 'command',
  '! ': 'warning',
  '= ': 'end',
  '# ': 'note',
}

/** A sub-agent's line is what comes behind its name. */
const NAMED = /^⑂ [\w-]{1,80}#\d{1,6} /

/** Only the log of an agent is told apart line by line; what a test command prints is its own business. */
const everywhere: readonly LineRole[] = ['section', 'warning', 'end', 'note']

export function roleOf(text: string, ofAgent: boolean): LineRole | null {
  const own = ofAgent ? text.replace(NAMED, '') : text
  const role = roles[own.slice(0, 2)] ?? null
  return role !== null && (ofAgent || everywhere.includes(role)) ? role : null
}
