/**
 * Roles of lines, by their first characters (docs/log-format.md). Anything that runs in a container can print such a
 * line, so a role decides only its looks.
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

/** A sub-agent's line comes after its name. */
const NAMED = /^⑂ [\w-]{1,80}#\d{1,6} /

/** Only an agent's log has roles for all lines; test commands print what they like. */
const everywhere: readonly LineRole[] = ['section', 'warning', 'end', 'note']

export function roleOf(text: string, ofAgent: boolean): LineRole | null {
  const own = ofAgent ? text.replace(NAMED, '') : text
  const role = roles[own.slice(0, 2)] ?? null
  return role !== null && (ofAgent || everywhere.includes(role)) ? role : null
}
