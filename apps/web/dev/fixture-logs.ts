import type { Session } from '@beadloom/core/records/session.ts'
import { conversationLine, talks } from './fixture-conversation.ts'
import { groupedLine } from './fixture-marks.ts'

const ESC = '\x1b'
const hostile = [
  '<img src=x onerror=alert(1)><script>alert(2)</script>',
  `${ESC}]8;;javascript:alert(3)${ESC}\\a link that is none${ESC}]8;;${ESC}\\`,
  'user\u202egnp.exe reordered by U+202E',
  `NULs a\x00b, bells \x07, ${ESC}[?25lhidden cursor${ESC}[?25h, ${ESC}[2Kcleared`,
  `${ESC}[38:2::255:120:0mtrue colour with colons${ESC}[0m and ${ESC}[38;5;22mdark green of the 256${ESC}[0m`,
  '10 %\r50 %\r100 % done',
  `${ESC}[7minverse${ESC}[27m ${ESC}[41mred background${ESC}[49m ${ESC}[1;4mbold underline${ESC}[0m ${ESC}[9mstruck${ESC}[0m ${ESC}[2mdim${ESC}[0m`,
  Array.from({ length: 16 }, (_, n) => `${ESC}[${n < 8 ? 30 + n : 82 + n}m colour ${n} ${ESC}[0m`).join(''),
  'x'.repeat(20_000),
]

/** A line of a log as test runners, package managers and agents write them. */
export function logLine(n: number): string {
  const grouped = groupedLine(n)
  if (grouped !== null) return grouped
  if (n >= 12 && n < 12 + hostile.length) return hostile[n - 12] ?? ''
  if (n % 41 === 0) return `${ESC}[1m$ npm test -- --run src/part-${n % 97}${ESC}[0m`
  if (n % 29 === 0)
    return `${ESC}[31m✕${ESC}[39m src/table.test.ts > aligns cells  ${ESC}[2mexpected 3 to equal 4${ESC}[22m`
  if (n % 13 === 0) return `${ESC}[33mwarn${ESC}[39m deprecated left-pad@1.3.0: use String.prototype.padStart()`
  if (n % 7 === 0)
    return `The failing case passes a time zone offset; I will read ${ESC}[36msrc/date.ts${ESC}[39m and look at how it parses ${ESC}[1m+02:00${ESC}[22m.`
  return `${ESC}[32m✓${ESC}[39m src/part-${n % 97}.test.ts ${ESC}[2m(${(n % 17) + 1} tests)${ESC}[22m ${n % 480} ms`
}

export type FixtureLog = {
  line: (n: number) => string
  lines: () => number
  complete: boolean
  exit: number | null
  isSilent?: true
  neverComes?: true
}

/**
 * The number of lines of a log, by its session: ended ones do not grow, running ones grow by ten lines a second. Some
 * beads of the corner cases have none yet, never had one, or no longer have one (null).
 */
export function logOf(bead: string, session: Session): FixtureLog | null {
  const log = lengthOf(bead, session)
  return log && { ...log, line: talks(bead) && session.kind === 'work' ? conversationLine : logLine }
}

function lengthOf(bead: string, { id, state, startedAt }: Session): Omit<FixtureLog, 'line'> | null {
  if (bead === 'eg-gone') return null
  if (bead === 'eg-slow') return { lines: () => 900, complete: true, exit: 0, neverComes: true }
  const running = state !== 'ended'
  if (bead === 'eg-silent' && running) return { lines: () => 900, complete: false, exit: null, isSilent: true }
  if (bead === 'eg-quiet' || bead === 'eg-mute')
    return { lines: () => 0, complete: !running, exit: running ? null : 1, isSilent: true }
  if (running) return { lines: () => 900 + Math.floor((Date.now() - startedAt) / 100), complete: false, exit: null }
  if (bead.startsWith('pn-')) return { lines: () => 240, complete: true, exit: 0 }
  const lines = id.endsWith('.3') ? 100_000 : id.endsWith('.1') ? 0 : 1234
  return { lines: () => lines, complete: true, exit: id.endsWith('.2') ? 1 : 0 }
}
